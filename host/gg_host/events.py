"""What a run tells while it runs. Events carry no arguments and no results."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class ApiCall(NamedTuple):
    """A call reached the host. ``sequence`` counts the run's calls from 1."""

    operation: str
    sequence: int


class ApiResult(NamedTuple):
    """A call ended. ``failure`` is the failure code, or None for success."""

    operation: str
    sequence: int
    failure: str | None

    @property
    def ok(self) -> bool:
        """Whether the call succeeded."""
        return self.failure is None


class LogLine(NamedTuple):
    """The program logged a line, as it will stand in the report."""

    text: str


Event = ApiCall | ApiResult | LogLine
EventSink = Callable[[Event], None]
"""Called on the run's own thread as things happen. What it raises is dropped: a run is never hurt by who watches it."""
