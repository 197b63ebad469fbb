"""The error every tool of the project raises for a person to read."""

from __future__ import annotations


class KitError(Exception):
    """Something a person can mend: bad input, a missing tool, a damaged file.

    Parameters:
        message: one sentence that says what was wrong.
        hint: the next step, as one sentence; empty when there is none.
        exit_code: what a command ends with when this error reaches it.
    """

    exit_code = 2

    def __init__(self, message: str, hint: str = "", exit_code: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        if exit_code is not None:
            self.exit_code = exit_code

    def __str__(self) -> str:
        return f"{self.message}\n  {self.hint}" if self.hint else self.message
