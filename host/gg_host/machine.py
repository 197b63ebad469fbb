"""The machine as one run sees it: a clock and random numbers that a second run can be given again."""

from __future__ import annotations

import os
import random
import struct
import time
from dataclasses import dataclass, field

CLOCK_STEP_NS = 10_000
"""How far each reading moves the clock. A clock that follows real time cannot be replayed, and one that stands still
keeps a program that waits for it running for ever; with 10 microseconds a wait for a second is 100,000 readings."""

LAST_NS = 2**64 - 1

_drawn: list[int] = []
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_drawn.clear)  # parent and child must not draw the same


def _draw_seed() -> int:
    """64 bits of the system's, which are drawn 64 seeds at a time: each drawing is a call of the kernel."""
    try:
        return _drawn.pop()
    except IndexError:
        _drawn.extend(struct.unpack("=63Q", os.urandom(63 * 8)))
        return int.from_bytes(os.urandom(8))


@dataclass(frozen=True, slots=True)
class Machine:
    """Where the run's clock starts and which random numbers it draws.

    Parameters:
        start_ns: nanoseconds since 1970 in UTC; the present time when left out.
        seed: seed of the random numbers, 64 bits; drawn from the system when left out.

    The same program with the same machine and the same results of its calls runs the same way.
    """

    start_ns: int = field(default_factory=time.time_ns)
    seed: int = field(default_factory=_draw_seed)

    def __post_init__(self) -> None:
        if not 0 <= self.start_ns <= LAST_NS:
            raise ValueError(f"start_ns is {self.start_ns}; it must be from 0 to 2**64 - 1")
        if not 0 <= self.seed <= LAST_NS:
            raise ValueError(f"seed is {self.seed}; it must be from 0 to 2**64 - 1")


class RunningMachine:
    """The state of a machine in one run."""

    __slots__ = ("_draw", "_now_ns", "_seed")

    def __init__(self, machine: Machine) -> None:
        self._now_ns = machine.start_ns
        self._seed = machine.seed
        self._draw: random.Random | None = None

    def clock_now(self) -> int:
        """Read the clock, in nanoseconds since 1970; each reading is later than the one before."""
        now = self._now_ns
        self._now_ns = min(now + CLOCK_STEP_NS, LAST_NS)
        return now

    def advance(self, nanoseconds: int) -> None:
        """Move the clock ahead: what a sleep does in place of sleeping."""
        self._now_ns = min(self._now_ns + max(0, nanoseconds), LAST_NS)

    def random(self) -> int:
        """Draw 64 bits."""
        if self._draw is None:  # seeding costs 10 microseconds, and most programs draw nothing
            self._draw = random.Random(self._seed)
        return self._draw.getrandbits(64)

    def random_bytes(self, count: int) -> bytes:
        """Draw ``count`` bytes, little-endian words of ``random``."""
        words = (self.random().to_bytes(8, "little") for _ in range(-(-count // 8)))
        return b"".join(words)[:count]
