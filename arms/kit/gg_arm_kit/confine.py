"""Confined child processes: what a compiler of an unknown program runs in.

A confined program sees the files it was given and the system's libraries, an environment that was given whole, no
network, no other process; it is watched for processor time, memory, time by the clock, output and number of processes,
and killed with all its descendants. ``capabilities`` tells what this machine cannot do of that.
"""

from __future__ import annotations

import os
import selectors
import signal
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gg_arm_kit import launching
from gg_arm_kit.errors import KitError
from gg_arm_kit.limits import (
    Cancelled,
    Completed,
    CpuLimit,
    Ending,
    Exited,
    Limits,
    MemoryLimit,
    OutputLimit,
    ProcessLimit,
    Signalled,
    WallLimit,
)
from gg_arm_kit.proctree import Usage

WATCH_SECS = 0.02
"""How often a tree is looked at. A look at one process takes about 0.1 ms of processor time."""

_CHUNK_BYTES = 1 << 16
_LAST_WORDS_SECS = 5.0
"""How long output is read after the end, in case something that could not be killed holds the pipes."""


@dataclass(frozen=True, slots=True)
class Confinement:
    """One way of confining, and whether this machine can do it."""

    name: str
    active: bool
    reason: str


def capabilities() -> list[Confinement]:
    """What confines child processes here, and what does not, each with the reason; made to be printed."""
    missing = launching.missing()
    named = {
        "files": "files: Landlock",
        "network": "network: a namespace without one",
        "calls": "system calls: a filter without sockets, namespaces and tracing",
        "processes": "processes: a PID namespace for each program",
    }
    found = [Confinement(text, key not in missing, missing.get(key, "active")) for key, text in named.items()]
    return [*found, Confinement("memory: watched resident size", True, "active")]


class Watch:
    """Counts what one run, or one request, uses."""

    def __init__(self, started: launching.Started, limits: Limits, cancel: threading.Event | None) -> None:
        self._started = started
        self._limits = limits
        self._cancel = cancel
        self._began = time.monotonic()
        self._next_look = self._began + WATCH_SECS
        self._cpu_before = 0.0
        self.last = Usage()
        self.peak_bytes = 0

    def begin_request(self) -> None:
        """Count processor time from now on, for a program that serves many requests."""
        self.last = self._started.usage()
        self._cpu_before = self.last.cpu_secs

    @property
    def wall_secs(self) -> float:
        """Time since this watch began."""
        return time.monotonic() - self._began

    @property
    def cpu_secs(self) -> float:
        """Processor time at the last look."""
        return max(0.0, self.last.cpu_secs - self._cpu_before)

    def until_next_look(self) -> float:
        """Seconds that may be waited, never beyond the wall limit."""
        now = time.monotonic()
        return max(0.0, min(self._next_look, self._began + self._limits.wall_secs) - now)

    def look(self) -> Ending | None:
        """The limit that was reached, if any; looks at the tree when it is time to."""
        limits = self._limits
        if self._cancel is not None and self._cancel.is_set():
            return Cancelled()
        now = time.monotonic()
        if now < self._next_look and now - self._began < limits.wall_secs:
            return None
        self._next_look = now + WATCH_SECS
        seen = self._started.usage()
        if seen.processes:  # an empty tree has just ended: its usage is in the keeper's last message
            self.last = seen
            self.peak_bytes = max(self.peak_bytes, seen.resident_bytes)
        if self.cpu_secs > limits.cpu_secs:
            return CpuLimit(limits.cpu_secs)
        if seen.resident_bytes > limits.memory_bytes:
            return MemoryLimit(limits.memory_bytes)
        if seen.processes > limits.processes:
            return ProcessLimit(limits.processes)
        if self.wall_secs >= limits.wall_secs:
            return WallLimit(limits.wall_secs)
        return None


def run(
    argv: Sequence[str | Path],
    *,
    cwd: Path,
    env: Mapping[str, str],
    limits: Limits,
    readable: Sequence[Path] = (),
    writable: Sequence[Path] = (),
    stdin: bytes | None = None,
    cancel: threading.Event | None = None,
) -> Completed:
    """Run a program to its end, confined.

    Parameters:
        argv: the program and its arguments; a program without a folder is looked up in ``env``'s ``PATH``.
        cwd: its working folder; it must be readable or writable for it.
        env: its whole environment.
        limits: what it may use.
        readable: files and folders it may read and run, besides ``launcher.SYSTEM_READABLE``.
        writable: files and folders it may read and change.
        stdin: what it reads; None for nothing.
        cancel: set from another thread, it ends the run.

    Raises:
        KitError: the program does not exist or could not be started (a missing folder, for instance).
    """
    command = launching.Command(argv, cwd, env, limits, readable, writable)
    source = _input(stdin)
    out, out_write = os.pipe()
    err, err_write = os.pipe()
    try:
        try:
            started = launching.start(command, source, out_write, err_write)
        finally:
            for descriptor in (source, out_write, err_write):
                os.close(descriptor)
        try:
            return _follow(started, {out: bytearray(), err: bytearray()}, limits, cancel)
        finally:
            started.close()
    finally:
        os.close(out)
        os.close(err)


def _input(data: bytes | None) -> int:
    if data is None:
        return os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
    descriptor = os.memfd_create("stdin", os.MFD_CLOEXEC)
    with os.fdopen(os.dup(descriptor), "wb") as stream:
        stream.write(data)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def _follow(
    started: launching.Started, outputs: dict[int, bytearray], limits: Limits, cancel: threading.Event | None
) -> Completed:
    """Read output until the tree is gone or has reached a limit."""
    watch = Watch(started, limits, cancel)
    last: dict[str, Any] = {}
    reached: Ending | None = None
    with selectors.DefaultSelector() as selector:
        for descriptor in outputs:
            selector.register(descriptor, selectors.EVENT_READ)
        selector.register(started.status, selectors.EVENT_READ)
        give_up = float("inf")
        while selector.get_map() and time.monotonic() < give_up:
            if started.early:
                wait = 0.0
            elif give_up < float(
                "inf"
            ):  # killed or ended: what is left in the pipes is read, and soon nobody holds them
                wait = WATCH_SECS
            else:
                wait = watch.until_next_look()
            ready = selector.select(wait)
            for key, _ in ready:
                if key.fileobj is started.status:
                    continue
                chunk = os.read(key.fd, _CHUNK_BYTES)
                if chunk:
                    outputs[key.fd] += chunk
                else:
                    selector.unregister(key.fd)
            if started.early or any(key.fileobj is started.status for key, _ in ready):
                message = started.message()
                if message is None:
                    selector.unregister(started.status)
                else:
                    last.update(message)
            if reached is None:
                reached = watch.look() if "status" not in last else None
                if sum(map(len, outputs.values())) > limits.output_bytes:
                    reached = OutputLimit(limits.output_bytes)
                if reached is not None:
                    started.kill()
            if give_up == float("inf") and (reached is not None or "status" in last):
                give_up = time.monotonic() + _LAST_WORDS_SECS
    ending = reached or ending_of(last, limits)
    stdout, stderr = (bytes(each[: limits.output_bytes]) for each in outputs.values())
    return Completed(
        stdout,
        stderr,
        ending,
        last.get("cpu", watch.cpu_secs),
        watch.wall_secs,
        max(watch.peak_bytes, last.get("peak", 0)),
    )


def ending_of(last: Mapping[str, Any], limits: Limits) -> Ending:
    """How a program ended, by the last messages of ``launching.Started``.

    Raises:
        KitError: it was never started.
    """
    if "failed" in last:
        raise KitError(f"a confined program could not be started: {last['failed']}")
    if "status" not in last:
        return Signalled(signal.SIGKILL)  # the keeper was killed with everything below it
    code = os.waitstatus_to_exitcode(last["status"])
    if code >= 0:
        return Exited(code)
    return CpuLimit(limits.cpu_secs) if -code == signal.SIGXCPU else Signalled(-code)
