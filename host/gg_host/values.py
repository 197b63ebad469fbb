"""Python values that stand for WIT values where Python has no type of its own, and the error for ill-formed ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Some:
    """A present outer option whose payload is itself an option: ``Some(None)`` is not ``None``."""

    value: Any


class IllFormedError(Exception):
    """A Python value does not fit the WIT type it was given for. A fault of the provider, never of the program.

    Parameters:
        path: which value, such as ``result.first-line``.
        wanted: the WIT type.
        value: what was found.
    """

    def __init__(self, path: str, wanted: str, value: object) -> None:
        shown = repr(value)
        shown = shown if len(shown) <= 80 else f"{shown[:77]}..."
        super().__init__(f"{path} must be {wanted}, and is {shown} of type {type(value).__name__}")
        self.path = path
