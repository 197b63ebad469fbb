"""The failure of one operation, as a provider raises it and a program receives it."""

from __future__ import annotations

from gg_host.generated.types import ErrorCode

__all__ = ["ErrorCode", "Failure"]


class Failure(Exception):  # noqa: N818 - the word of the WIT record, which providers raise
    """An operation failed for a reason the program may know; it crosses the membrane as a WIT ``err``.

    Parameters:
        code: the reason, for the program to branch on.
        message: one or two sentences for a reader, naming what was wrong.
    """

    def __init__(self, code: ErrorCode, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
