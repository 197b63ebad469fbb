"""A confined program that stays warm and answers one request after another over its stdin and stdout.

A message is ``u32 length`` (little-endian) and that many bytes, both ways. Limits hold for each request; memory counts
what the program holds at the time. A program that died or reached a limit is started again at the next request.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import struct
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gg_arm_kit import launching
from gg_arm_kit.confine import Watch, ending_of
from gg_arm_kit.limits import Ending, Limits, OutputLimit, Signalled

_CHUNK_BYTES = 1 << 18
_STDERR_BYTES = 1 << 16


class ServerDiedError(Exception):
    """The program did not answer a request.

    Parameters:
        ending: how it ended, or the limit that was reached.
        stderr: the last that it wrote there, decoded.
    """

    def __init__(self, ending: Ending, stderr: str) -> None:
        super().__init__(f"{ending}" + (f": {stderr.strip()}" if stderr.strip() else ""))
        self.ending = ending
        self.stderr = stderr


@dataclass(slots=True)
class _Running:
    started: launching.Started
    requests: int
    answers: int
    errors: int

    def close(self) -> None:
        self.started.close()
        for descriptor in (self.requests, self.answers, self.errors):
            os.close(descriptor)


class Server:
    """One warm program; requests from several threads wait for each other. A context manager, or call ``close``."""

    def __init__(
        self,
        argv: Sequence[str | Path],
        *,
        cwd: Path,
        env: Mapping[str, str],
        limits: Limits,
        readable: Sequence[Path] = (),
        writable: Sequence[Path] = (),
    ) -> None:
        """Nothing is started yet; parameters as of ``confine.run``, but for ``limits``, which hold for a request."""
        # A program that serves many requests must not die of the sum of their processor time.
        standing = Limits(float("inf"), limits.memory_bytes, float("inf"), file_bytes=limits.file_bytes)
        self._command = launching.Command(argv, cwd, env, standing, readable, writable)
        self._limits = limits
        self._running: _Running | None = None
        self._lock = threading.Lock()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the program."""
        with self._lock:
            self._stop()

    def _stop(self) -> None:
        if self._running is not None:
            self._running.close()
            self._running = None

    def request(self, message: bytes, *, limits: Limits | None = None, cancel: threading.Event | None = None) -> bytes:
        """Send one message and wait for its answer.

        Parameters:
            message: less than 4 GiB.
            limits: of this request; None for the server's own.
            cancel: set from another thread, it ends the request and the program.

        Raises:
            ServerDiedError: the program ended, or reached a limit and was killed.
            KitError: the program cannot be started.
        """
        with self._lock:
            if self._running is not None and self._has_ended(self._running):
                self._stop()
            if self._running is None:
                self._running = self._begin()
            running = self._running
            limits = limits or self._limits
            kept = False
            try:
                answer, resident = _Exchange(running, limits, cancel).answer(message)
                # What a request left in memory counts against the next one.
                kept = resident < limits.memory_bytes // 2
                return answer
            finally:
                if not kept:
                    self._stop()

    def _begin(self) -> _Running:
        theirs_in, requests = os.pipe()
        answers, theirs_out = os.pipe()
        errors, theirs_err = os.pipe()
        try:
            started = launching.start(self._command, theirs_in, theirs_out, theirs_err)
        except BaseException:
            for descriptor in (requests, answers, errors):
                os.close(descriptor)
            raise
        finally:
            for descriptor in (theirs_in, theirs_out, theirs_err):
                os.close(descriptor)
        for descriptor in (requests, answers, errors):
            os.set_blocking(descriptor, False)
        return _Running(started, requests, answers, errors)

    def _has_ended(self, running: _Running) -> bool:
        with selectors.DefaultSelector() as selector:
            selector.register(running.started.status, selectors.EVENT_READ)
            return bool(running.started.early or selector.select(0))


class _Exchange:
    """One request and its answer."""

    def __init__(self, running: _Running, limits: Limits, cancel: threading.Event | None) -> None:
        self._running = running
        self._limits = limits
        self._watch = Watch(running.started, limits, cancel)
        self._watch.begin_request()
        self._unsent = memoryview(b"")
        self._received = bytearray()
        self._errors = bytearray()

    def answer(self, message: bytes) -> tuple[bytes, int]:
        """The answer, and the program's resident bytes after it."""
        self._unsent = memoryview(struct.pack("<I", len(message)) + message)
        running = self._running
        with selectors.DefaultSelector() as selector:
            selector.register(running.requests, selectors.EVENT_WRITE)
            for readable in (running.answers, running.errors, running.started.status):
                selector.register(readable, selectors.EVENT_READ)
            while True:
                ready = [key.fd for key, _ in selector.select(self._watch.until_next_look())]
                for descriptor in ready:
                    if descriptor == running.requests:
                        if not self._send():
                            selector.unregister(descriptor)
                    elif descriptor != running.started.status.fileno() and not self._receive(descriptor):
                        selector.unregister(descriptor)
                whole = self._whole()
                if whole is not None:
                    return whole, running.started.usage().resident_bytes
                if running.started.early or running.started.status.fileno() in ready:
                    raise ServerDiedError(self._ended(), self._words())
                reached = self._watch.look()
                if len(self._received) > self._limits.output_bytes + 4:
                    reached = OutputLimit(self._limits.output_bytes)
                if reached is not None:
                    raise ServerDiedError(reached, self._words())

    def _send(self) -> bool:
        """Send more; False when nothing is left to send, or nobody to send it to (which its status tells)."""
        try:
            self._unsent = self._unsent[os.write(self._running.requests, self._unsent[:_CHUNK_BYTES]) :]
        except BlockingIOError:
            return True
        except BrokenPipeError:
            return False
        return bool(self._unsent)

    def _receive(self, descriptor: int) -> bool:
        try:
            chunk = os.read(descriptor, _CHUNK_BYTES)
        except BlockingIOError:
            return True
        if descriptor == self._running.errors:
            self._errors += chunk
            del self._errors[:-_STDERR_BYTES]
        else:
            self._received += chunk
        return bool(chunk)

    def _whole(self) -> bytes | None:
        if len(self._received) < 4:
            return None
        length = struct.unpack_from("<I", self._received)[0]
        if length > self._limits.output_bytes:
            raise ServerDiedError(OutputLimit(self._limits.output_bytes), self._words())
        return bytes(self._received[4 : 4 + length]) if len(self._received) >= 4 + length else None

    def _ended(self) -> Ending:
        """How the program ended by itself; what it wrote last is read too."""
        last = self._running.started.message()
        with contextlib.suppress(BlockingIOError):
            self._errors += os.read(self._running.errors, _STDERR_BYTES)
        if last is None:
            return Signalled(9)
        return ending_of(last, self._limits)

    def _words(self) -> str:
        return self._errors.decode(errors="replace")
