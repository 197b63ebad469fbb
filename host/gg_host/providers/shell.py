"""The ``shell`` operation: one command in the workspace, its whole process tree ended when the call is."""

from __future__ import annotations

import contextlib
import errno
import math
import os
import selectors
import signal
import subprocess
import sys
import time
from pathlib import Path

from gg_host.failures import ErrorCode, Failure
from gg_host.generated.types import ShellOutput
from gg_host.providers import supervisor
from gg_host.providers.call import Call
from gg_host.providers.paths import Workspace
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
        self._streams: dict[int, _Tail] = {}
        control, self._control = os.pipe()
        self._report, report = os.pipe()
        try:
            self._child = subprocess.Popen(
                [sys.executable, "-I", "-S", supervisor.__file__, str(control), str(report), command],
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=(control, report),
                start_new_session=True,
            )
        except OSError as error:
            os.close(self._control)
            os.close(self._report)
            raise _launch_failure(error.errno) from error
        finally:
            os.close(control)
            os.close(report)
        assert self._child.stdout is not None
        assert self._child.stderr is not None
        self._out, self._error = self._child.stdout.fileno(), self._child.stderr.fileno()
        self._streams = {self._out: _Tail(), self._error: _Tail()}
        self._report_text = b""

    def __enter__(self) -> _Command:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._control)  # the supervisor's sign to end the tree, if it has not
        try:
            self._child.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:  # something below runs as another user and cannot be killed
            self._child.kill()
        if not self._outcome() and (shell := self._reported("shell")) is not None:
            _end_session(shell)  # the command killed its own supervisor, which therefore ended nothing
        os.close(self._report)
        self._child.__exit__(None, None, None)

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
        if failed is not None:
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
                    os.kill(int(entry.name), signal.SIGKILL)


def _launch_failure(number: int | None) -> Failure:
    return Failure(ErrorCode.IO_ERROR, f"the command could not be launched: {os.strerror(number or errno.EIO).lower()}")
