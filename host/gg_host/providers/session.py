"""The ``session`` operations: which ending a program declared. The host takes it back when the program fails."""

from __future__ import annotations

from dataclasses import dataclass

from gg_host.failures import ErrorCode, Failure
from gg_host.providers.call import Call


@dataclass(frozen=True, slots=True)
class Finished:
    """Ending of an agent that works: a summary for whoever asked for the work."""

    summary: str


@dataclass(frozen=True, slots=True)
class Approved:
    """Ending of a reviewer who accepts the work."""


@dataclass(frozen=True, slots=True)
class ChangesRequested:
    """Ending of a reviewer who asks for changes, at least one."""

    items: tuple[str, ...]


Ending = Finished | Approved | ChangesRequested


class SessionProvider:
    """Records the ending of one program: the last call stands. Endings of another role were refused before."""

    def __init__(self) -> None:
        self._ending: Ending | None = None
        self._replaced = 0

    @property
    def ending(self) -> Ending | None:
        """The ending that stands; None when there is none."""
        return self._ending

    @property
    def replaced(self) -> int:
        """How many endings a later one took the place of."""
        return self._replaced

    def revoke(self) -> None:
        """Take the ending back: the program ended with an uncaught failure, or a limit stopped it."""
        self._ending = None

    def finish(self, call: Call, summary: str) -> None:
        """End with a summary.

        Raises:
            Failure: ``invalid-argument`` when the summary is blank.
        """
        if not summary.strip():
            raise Failure(ErrorCode.INVALID_ARGUMENT, "the summary is blank; say what was done")
        self._record(Finished(summary))

    def approve(self, call: Call) -> None:
        """End by accepting the work."""
        self._record(Approved())

    def request_changes(self, call: Call, items: list[str]) -> None:
        """End by asking for changes; spaces around an item are dropped, and so are blank items.

        Raises:
            Failure: ``invalid-argument`` when no item is left.
        """
        wanted = tuple(item.strip() for item in items if item.strip())
        if not wanted:
            raise Failure(ErrorCode.INVALID_ARGUMENT, "no change is asked for: every item is blank; name at least one")
        self._record(ChangesRequested(wanted))

    def _record(self, ending: Ending) -> None:
        if self._ending is not None:
            self._replaced += 1
        self._ending = ending
