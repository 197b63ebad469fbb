"""What a confined child process may use, and the ways it can end."""

from __future__ import annotations

import signal
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one run, or of one request to a server. A run that reaches one is killed with all its descendants.

    Parameters:
        cpu_secs: processor time of the whole tree, in seconds.
        memory_bytes: resident memory of the whole tree. It is watched, not reserved (an address space limit kills some
            compilers), so a tree may exceed it for up to ``confine.WATCH_SECS`` before it is killed.
        wall_secs: time by the clock, in seconds.
        output_bytes: of stdout and stderr together; of one answer, for a server.
        processes: processes alive at once.
        file_bytes: size of any file written.
    """

    cpu_secs: float
    memory_bytes: int
    wall_secs: float
    output_bytes: int = 16 << 20
    processes: int = 256
    file_bytes: int = 1 << 30


@dataclass(frozen=True, slots=True)
class Exited:
    """It ended by itself."""

    code: int

    def __str__(self) -> str:
        return f"ended with status {self.code}"


@dataclass(frozen=True, slots=True)
class Signalled:
    """A signal killed it that no limit here sent: a crash, or someone else."""

    number: int

    def __str__(self) -> str:
        try:
            name = f" ({signal.Signals(self.number).name})"
        except ValueError:
            name = ""
        return f"was killed by signal {self.number}{name}"


@dataclass(frozen=True, slots=True)
class CpuLimit:
    """It used more processor time than allowed."""

    secs: float

    def __str__(self) -> str:
        return f"used more than {self.secs:g} s of processor time (CPU limit)"


@dataclass(frozen=True, slots=True)
class MemoryLimit:
    """It used more memory than allowed."""

    bytes: int

    def __str__(self) -> str:
        return f"used more than {self.bytes} bytes of memory (memory limit)"


@dataclass(frozen=True, slots=True)
class WallLimit:
    """It did not end in time."""

    secs: float

    def __str__(self) -> str:
        return f"took longer than {self.secs:g} s by the clock (wall limit)"


@dataclass(frozen=True, slots=True)
class OutputLimit:
    """It wrote more than allowed."""

    bytes: int

    def __str__(self) -> str:
        return f"wrote more than {self.bytes} bytes of output (output limit)"


@dataclass(frozen=True, slots=True)
class ProcessLimit:
    """It had more processes than allowed."""

    count: int

    def __str__(self) -> str:
        return f"had more than {self.count} processes at once (process limit)"


@dataclass(frozen=True, slots=True)
class Cancelled:
    """The caller gave it up."""

    def __str__(self) -> str:
        return "was cancelled"


Ending = Exited | Signalled | CpuLimit | MemoryLimit | WallLimit | OutputLimit | ProcessLimit | Cancelled


@dataclass(frozen=True, slots=True)
class Completed:
    """What a confined run left.

    Parameters:
        stdout: what it wrote there, up to the output limit.
        stderr: the same.
        ending: how it ended.
        cpu_secs: processor time of the whole tree.
        wall_secs: time by the clock.
        peak_bytes: the most resident memory seen of the tree, or of its first process, whichever is larger.
    """

    stdout: bytes
    stderr: bytes
    ending: Ending
    cpu_secs: float
    wall_secs: float
    peak_bytes: int

    @property
    def ok(self) -> bool:
        """Whether it ended by itself with status 0."""
        return self.ending == Exited(0)
