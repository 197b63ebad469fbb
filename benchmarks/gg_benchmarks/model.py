"""What one row of the benchmark says, and how it is measured."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Row:
    """One measured figure.

    Parameters:
        id: stable name of the row.
        unit: of ``value``, ``goal`` and the peers.
        value: what was measured here; smaller is better.
        goal: the most it should be.
        peers: the same figure of others, measured in this very run.
        reason: why there is no value; empty when there is one.
    """

    id: str
    unit: str
    value: float | None
    goal: float
    peers: dict[str, float] = field(default_factory=dict)
    reason: str = ""

    @property
    def holds(self) -> bool:
        """Whether the goal is reached."""
        return self.value is not None and self.value <= self.goal

    def as_json(self) -> dict[str, object]:
        """The row as ``--json`` writes it."""
        row: dict[str, object] = {
            "id": self.id,
            "unit": self.unit,
            "value": None if self.value is None else round(self.value, 3),
            "goal": self.goal,
            "peers": {name: round(value, 3) for name, value in self.peers.items()},
            "holds": self.holds,
        }
        if self.reason:
            row["reason"] = self.reason
        return row


def median_wall_ms(work: Callable[[], object], runs: int, pause_secs: float = 0.0) -> float:
    """Median wall time of one call of ``work`` in milliseconds.

    Parameters:
        work: what is measured; called once before, unmeasured.
        runs: how many calls.
        pause_secs: idle time before each call. The caller's processor is awake again for the last fifth of it, as it
            is where calls follow one another: how long a machine takes to wake up is not the work's own time.
    """
    work()
    taken = []
    for _ in range(runs):
        if pause_secs:
            due = time.perf_counter() + pause_secs
            time.sleep(0.8 * pause_secs)
            while time.perf_counter() < due:
                time.sleep(0)  # lets every other thread go first
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken) * 1e3


def least_us_each(work: Callable[[int], object], count: int, tries: int = 5) -> float:
    """What one of ``count`` repetitions inside ``work`` costs, in microseconds, without the cost of starting.

    The least of several tries of each, and their difference: on a shared machine only the disturbance varies.
    """

    def least_secs(repetitions: int) -> float:
        work(repetitions)  # prepared programs are kept, so that what is left to measure is the work
        taken = []
        for _ in range(tries):
            start = time.perf_counter()
            work(repetitions)
            taken.append(time.perf_counter() - start)
        return min(taken)

    return (least_secs(count) - least_secs(0)) / count * 1e6
