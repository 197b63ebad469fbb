"""What a run may use. Neither limit is ever clamped."""

from __future__ import annotations

import math
from dataclasses import dataclass

from gg_arm_kit.errors import KitError


@dataclass(frozen=True, slots=True)
class Limits:
    """Ceilings of one run; both must be given.

    Parameters:
        timeout_secs: processor time of the guest in seconds; a fraction is honoured. Calls to operations are not
            charged.
        max_memory_bytes: linear memory of the guest.

    Raises:
        KitError: a value that cannot be honoured exactly as written; every such value is named.
    """

    timeout_secs: float
    max_memory_bytes: int

    def __post_init__(self) -> None:
        wrong = []
        seconds: object = self.timeout_secs
        if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds < math.inf:
            wrong.append(f"timeout_secs is {seconds!r} and must be a positive number of seconds")
        size: object = self.max_memory_bytes
        if isinstance(size, bool) or not isinstance(size, int) or not 0 < size < 2**63:
            wrong.append(f"max_memory_bytes is {size!r} and must be a positive whole number of bytes")
        if wrong:
            raise KitError("; ".join(wrong), "Set the limits of the run to values that can be kept.")

    @property
    def cpu_ns(self) -> int:
        """The time limit in nanoseconds."""
        return max(1, round(self.timeout_secs * 1e9))
