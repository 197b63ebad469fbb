"""Processor time and resident memory of a process tree, read from ``/proc``."""

from __future__ import annotations

import os
from dataclasses import dataclass

_TICK_SECS = 1 / os.sysconf("SC_CLK_TCK")
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
# Places in /proc/PID/stat after the program's name, see proc_pid_stat(5): fields 14 to 17 and 24.
_TIMES, _RESIDENT = slice(11, 15), 21


@dataclass(frozen=True, slots=True)
class Usage:
    """What a tree uses now, and the processor time it used so far."""

    cpu_secs: float = 0.0
    resident_bytes: int = 0
    processes: int = 0


def usage(keeper: int) -> Usage:
    """Usage of every descendant of ``keeper``; its own memory does not count.

    Processor time counts the living and, through their parents, those that ended and were waited for. A process that
    ends while this reads is left out.
    """
    ticks = resident = processes = 0
    waiting = [keeper]
    while waiting:
        process = waiting.pop()
        try:
            # The name in brackets may hold anything, brackets too.
            with open(f"/proc/{process}/stat", "rb") as file:  # noqa: PTH123 - read many times a second
                fields = file.read().rpartition(b")")[2].split()
            for thread in os.listdir(f"/proc/{process}/task"):  # noqa: PTH208
                with open(f"/proc/{process}/task/{thread}/children", "rb") as file:  # noqa: PTH123
                    waiting.extend(map(int, file.read().split()))
        except (OSError, IndexError):
            continue
        ticks += sum(map(int, fields[_TIMES]))
        if process != keeper:
            processes += 1
            resident += int(fields[_RESIDENT]) * _PAGE_BYTES
    return Usage(ticks * _TICK_SECS, resident, processes)
