"""What a guest tells about its run, kept within bounds: logs, standard error, the uncaught error, exit, memory."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from gg_host.generated.types import ProgramError

LOG_LINES = 200
"""The last lines of a log that are kept."""
LOG_BYTES = 16 * 1024
"""All kept lines together, in UTF-8."""
LOG_LINE_BYTES = 2 * 1024
"""One line; what is longer is cut."""
STDERR_HEAD_BYTES = 4 * 1024
STDERR_TAIL_BYTES = 4 * 1024
NOTES = 20
"""Deferred notes and module errors that are kept, each."""
MESSAGE_BYTES = 64 * 1024
"""One error message; an engine's own words are shorter."""


@dataclass(frozen=True, slots=True)
class ModuleError:
    """A source module that failed while it was being loaded."""

    name: str
    message: str


def cut(text: str, limit_bytes: int) -> str:
    """``text`` within ``limit_bytes`` of UTF-8, annotated with the number of characters left out."""
    if len(text) * 4 <= limit_bytes or len(encoded := text.encode()) <= limit_bytes:
        return text
    kept = encoded[:limit_bytes].decode(errors="ignore")
    return f"{kept} ({len(text) - len(kept)} more chars...)"


class Log:
    """The last lines a program logged. Dropped lines are counted; memory stays bounded however much is logged."""

    __slots__ = ("_bytes", "_lines", "suppressed")

    def __init__(self) -> None:
        self._lines: deque[tuple[str, int]] = deque()
        self._bytes = 0
        self.suppressed = 0

    def add(self, line: str) -> str:
        """Keep a line; return it as it was kept."""
        line = cut(line, LOG_LINE_BYTES)
        size = len(line.encode())
        self._lines.append((line, size))
        self._bytes += size
        while len(self._lines) > LOG_LINES or self._bytes > LOG_BYTES:
            self._bytes -= self._lines.popleft()[1]
            self.suppressed += 1
        return line

    def lines(self) -> tuple[str, ...]:
        """The kept lines, oldest first."""
        return tuple(line for line, _ in self._lines)


class StandardError:
    """The first and last 4 KiB of a program's standard error. Whatever is written, 12 KiB are held at most."""

    __slots__ = ("_head", "_size", "_tail")

    def __init__(self) -> None:
        self._head = bytearray()
        self._tail = bytearray()
        self._size = 0

    def write(self, data: bytes) -> None:
        """Take in more of the stream, split anywhere."""
        self._size += len(data)
        room = STDERR_HEAD_BYTES - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        if data:
            self._tail += data[-2 * STDERR_TAIL_BYTES :]
            if len(self._tail) > 2 * STDERR_TAIL_BYTES:
                del self._tail[:-STDERR_TAIL_BYTES]

    def text(self) -> str:
        """The stream as it is shown: whole when it fits, else cut at line ends, with the dropped bytes counted."""
        if self._size <= STDERR_HEAD_BYTES + STDERR_TAIL_BYTES:
            return bytes(self._head + self._tail).decode(errors="replace")
        head, tail = bytes(self._head), bytes(self._tail[-STDERR_TAIL_BYTES:])
        last_end = head.rfind(b"\n") + 1
        first_start = tail.find(b"\n") + 1
        head = head[: last_end or len(head)]
        tail = tail[first_start:] if first_start < len(tail) else tail
        dropped = self._size - len(head) - len(tail)
        ending = "" if head.endswith(b"\n") else "\n"
        return head.decode(errors="replace") + f"{ending}({dropped} bytes dropped)\n" + tail.decode(errors="replace")


class Feedback:
    """Everything one guest told. ``error`` is the first uncaught error: the one that ended the program."""

    __slots__ = (
        "deferred",
        "error",
        "exit_status",
        "log",
        "module_errors",
        "out_of_memory",
        "returned",
        "stderr",
        "told_out_of_time",
    )

    def __init__(self) -> None:
        self.log = Log()
        self.stderr = StandardError()
        self.error: ProgramError | None = None
        self.deferred: list[str] = []
        self.module_errors: list[ModuleError] = []
        self.exit_status: int | None = None
        self.out_of_memory = False
        self.returned = False
        self.told_out_of_time = False
