"""What a provider method is told about the call it serves, and how it stays within the call's time."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from gg_host.cancellation import Cancellation
from gg_host.failures import ErrorCode, Failure


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a program.

    Parameters:
        operation: identifier of the operation, such as ``files.read_file``.
        deadline: when the call must have ended, in seconds of ``time.monotonic``; None when it has all the time.
        cancelled: set when the run is being cancelled; a provider that waits looks at it at least each 50 ms.
    """

    operation: str
    deadline: float | None = None
    cancelled: Cancellation = field(default_factory=Cancellation)

    def remaining(self) -> float:
        """Seconds until the deadline; infinity without one, never below 0."""
        return float("inf") if self.deadline is None else max(0.0, self.deadline - time.monotonic())

    def check(self) -> None:
        """Stop a long piece of work whose time is over.

        Raises:
            Failure: ``limit-exceeded`` when the deadline has passed or the run is being cancelled.
        """
        if self.cancelled.is_set():
            raise Failure(ErrorCode.LIMIT_EXCEEDED, "the run was cancelled")
        if self.deadline is not None and time.monotonic() >= self.deadline:
            raise Failure(ErrorCode.LIMIT_EXCEEDED, "the time of the run is spent")
