"""The ``shell`` operation: one command in the workspace, its whole process tree ended when the call is."""

from __future__ import annotations

import contextlib
import errno
import math
import os
import select
import selectors
import signal
import time
from pathlib import Path

from gg_host.failures import ErrorCode, Failure
from gg_host.generated.types import ShellOutput
from gg_host.providers.call import Call
from gg_host.providers.paths import Workspace
from gg_host.providers.supervision import SUPERVISION
from gg_host.providers.text import decode, tail

DEFAULT_TIMEOUT_SECONDS = 120.0
MAX_TIMEOUT_SECONDS = 24 * 3600.0
OUTPUT_BYTES = 16 * 1024
DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
"""Where commands are found; never the embedder's own ``PATH``."""
MAX_COMMAND_BYTES = 128 * 1024 - 1
"""What Linux takes as one argument of a command (``MAX_ARG_STRLEN``), less its NUL."""
_POLL_SECONDS = 0.05
_END_SECONDS = 5.0
"""How long the supervisor has to end the tree."""
_DRAIN_SECONDS = 2.0
"""How long output may still come after the tree was ended; only a pipe handed to a foreign process needs it."""


class ShellProvider:
    """Runs commands with ``sh -c`` in ``workspace``, as the user the host runs as: a command is **not** confined to it.

    Parameters:
        workspace: where commands start; their ``HOME`` as well.
        path: directories commands are found in, separated by ``:``.
    """

    def __init__(self, workspace: Workspace, path: str = DEFAULT_PATH) -> None:
        self._workspace = workspace
        self._environment = {"PATH": path, "HOME": str(workspace.path), "LANG": "C.UTF-8"}

    def shell(self, call: Call, command: str, timeout_secs: float | None) -> ShellOutput:
        """Run one command; an exit status other than 0 is a success of the call.

        Raises:
            Failure: ``limit-exceeded`` when the time was over; ``io-error`` when it could not be launched;
                ``invalid-argument`` for a timeout that is not above 0 or a command the system cannot take.
        """
        timeout = _checked_timeout(timeout_secs)
        if "\0" in command:
            raise Failure(ErrorCode.INVALID_ARGUMENT, "the command holds a NUL character")
        if len(command.encode()) > MAX_COMMAND_BYTES:
            raise Failure(ErrorCode.INVALID_ARGUMENT, f"the command is longer than {MAX_COMMAND_BYTES:,} bytes")
        call.check()
        remaining = call.remaining()
        with _Command(self._workspace.path, self._environment, command) as running:
            if running.follow(call, min(timeout, remaining)):
                return running.output()
        call.check()
        if remaining < timeout:
            raise Failure(ErrorCode.LIMIT_EXCEEDED, "the command was killed: the time of the run is spent")
        raise Failure(ErrorCode.LIMIT_EXCEEDED, f"the command was killed after {timeout:g} s, its timeout")


def _checked_timeout(seconds: float | None) -> float:
    if seconds is None:
        return DEFAULT_TIMEOUT_SECONDS
    if math.isnan(seconds) or seconds <= 0:
        raise Failure(ErrorCode.INVALID_ARGUMENT, f"the timeout is {seconds:g} seconds; it must be above 0")
    return min(seconds, MAX_TIMEOUT_SECONDS)


class _Tail:
    """The end of a stream: at most ``OUTPUT_BYTES``, and how much there was in all."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.total = 0

    def add(self, block: bytes) -> None:
        self.total += len(block)
        self.data += block
        if len(self.data) > 2 * OUTPUT_BYTES:
            del self.data[:-OUTPUT_BYTES]

    def text(self) -> tuple[str, bool]:
        kept = bytes(self.data[-OUTPUT_BYTES:])
        cut = self.total > len(kept)
        if cut:  # the first bytes may be the rest of a character that was cut
            start = next((index for index, byte in enumerate(kept[:4]) if byte & 0xC0 != 0x80), 0)
            kept = kept[start:]
        return decode(kept), cut


class _Command:
    """A command under its supervisor; leaving the ``with`` block ends the tree."""

    def __init__(self, folder: Path, environment: dict[str, str], command: str) -> None:
        control, self._control = os.pipe()
        self._report, report = os.pipe()
        self._out, out = os.pipe()
        self._error, error = os.pipe()
        self._streams = {self._out: _Tail(), self._error: _Tail()}
        self._report_text = b""
        try:
            SUPERVISION.begin(command, folder, environment, (control, report, out, error))
        except OSError as failed:
            self._close()
            raise _launch_failure(failed.errno) from failed
        finally:
            for theirs in (control, report, out, error):
                os.close(theirs)

    def __enter__(self) -> _Command:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._control)  # the supervisor's sign to end the tree, if it has not
        self._control = -1
        if not self._ends_in(_END_SECONDS) and (supervisor := self._reported("supervisor")) is not None:
            _kill(supervisor)  # something below runs as another user and cannot be killed
        if not self._outcome() and (shell := self._reported("shell")) is not None:
            _end_session(shell)  # a supervisor that was killed ended nothing
        self._close()

    def _ends_in(self, seconds: float) -> bool:
        """Wait for the end of the report, which is the end of the tree."""
        end = time.monotonic() + seconds
        while (rest := end - time.monotonic()) > 0:
            if select.select([self._report], [], [], rest)[0]:
                block = os.read(self._report, 4096)
                if not block:
                    return True
                self._report_text += block
        return False

    def _close(self) -> None:
        for descriptor in (self._control, self._report, self._out, self._error):
            if descriptor >= 0:
                os.close(descriptor)

    def follow(self, call: Call, seconds: float) -> bool:
        """Collect output until the command has ended (True), or its time is over or the run cancelled (False)."""
        end = time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            for stream in (self._out, self._error, self._report):
                selector.register(stream, selectors.EVENT_READ)
            ended = False
            while selector.get_map():
                if not ended and (self._outcome() or self._report not in selector.get_map()):
                    ended, end = True, min(end, time.monotonic() + _DRAIN_SECONDS)
                rest = end - time.monotonic()
                if rest <= 0 or call.cancelled.is_set():
                    return ended
                for key, _ in selector.select(min(rest, _POLL_SECONDS)):
                    self._take(selector, key.fd)
            return True

    def _take(self, selector: selectors.BaseSelector, stream: int) -> None:
        block = os.read(stream, 65536)
        if not block:
            selector.unregister(stream)
        elif stream == self._report:
            self._report_text += block
        else:
            self._streams[stream].add(block)

    def output(self) -> ShellOutput:
        """What the command left behind.

        Raises:
            Failure: ``io-error`` when it could not be launched.
        """
        failed = self._reported("failed")
        if failed is not None or self._reported("shell") is None:
            raise _launch_failure(failed)
        out, out_cut = self._streams[self._out].text()
        error, error_cut = self._streams[self._error].text()
        whole = out + error
        kept = tail(whole, OUTPUT_BYTES)
        truncated = out_cut or error_cut or len(kept) < len(whole)
        # A supervisor that was killed reports nothing; that is a signal as well.
        return ShellOutput(self._reported("exit"), kept, truncated)

    def _outcome(self) -> bool:
        return any(self._reported(word) is not None for word in ("exit", "signal", "failed"))

    def _reported(self, word: str) -> int | None:
        for line in self._report_text.decode().splitlines():
            name, _, number = line.partition(" ")
            if name == word:
                return int(number)
        return None


def _end_session(session: int) -> None:
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                fields = (entry / "stat").read_bytes().rpartition(b")")[2].split()
                if int(fields[3]) == session:
                    _kill(int(entry.name))


def _kill(process: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(process, signal.SIGKILL)


def _launch_failure(number: int | None) -> Failure:
    return Failure(ErrorCode.IO_ERROR, f"the command could not be launched: {os.strerror(number or errno.EIO).lower()}")
