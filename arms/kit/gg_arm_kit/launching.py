"""The host's side of the launcher: it is started once for a process, and again when it died."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gg_arm_kit import proctree
from gg_arm_kit.errors import KitError
from gg_arm_kit.limits import Limits

_ENDLESS_SECS = 1 << 30
_START = """\
import sys
sys.path.insert(0, sys.argv[2])
from gg_arm_kit.launcher import main
main(int(sys.argv[1]), sys.argv[3] == "1")
"""


class LauncherGoneError(Exception):
    """The launcher died before it started a program."""


@dataclass(frozen=True, slots=True)
class Command:
    """A program to start: its whole command line and environment, and the files it may reach."""

    argv: Sequence[str | Path]
    cwd: Path
    env: Mapping[str, str]
    limits: Limits
    readable: Sequence[Path] = ()
    writable: Sequence[Path] = ()

    def program(self) -> str:
        """The program's file, found by the ``PATH`` of its own environment.

        Raises:
            KitError: there is none.
        """
        name = str(self.argv[0])
        found = shutil.which(name, path=self.env.get("PATH", ""))
        if found is None:
            raise KitError(f"{name}: no such program", "Give its whole path, or a PATH in its environment.")
        return str(Path(found).absolute())

    def request(self) -> dict[str, Any]:
        """What the launcher is sent."""
        # The processor time of one process, as a second line: the watch is exact, and counts the whole tree.
        cpu = int(min(self.limits.cpu_secs, _ENDLESS_SECS)) + 2
        return {
            "program": self.program(),
            "argv": [str(each) for each in self.argv],
            "cwd": str(self.cwd),
            "env": dict(self.env),
            "readable": [str(path) for path in self.readable],
            "writable": [str(path) for path in self.writable],
            "rlimits": {
                "RLIMIT_CORE": (0, 0),
                "RLIMIT_FSIZE": (self.limits.file_bytes, self.limits.file_bytes),
                "RLIMIT_NOFILE": (1024, 1024),
                "RLIMIT_CPU": (cpu, cpu + 1),
            },
        }


class Started:
    """A program that runs; close it in any case.

    ``status`` becomes readable when the keeper or the program has a message, or is gone; ``early`` holds messages that
    came before the launcher's own.
    """

    def __init__(
        self, status: socket.socket, keeper: int, pidfd: int, has_namespace: bool, early: list[dict[str, Any]]
    ) -> None:
        self.status = status
        self.keeper = keeper
        self.early = early
        self._pidfd = pidfd
        self._has_namespace = has_namespace

    def message(self) -> dict[str, Any] | None:
        """The next message of the keeper or the program, waiting for it; None when the keeper is gone."""
        if self.early:
            return self.early.pop(0)
        try:
            packet = self.status.recv(1 << 16)
        except ConnectionResetError:
            return None
        return dict(json.loads(packet)) if packet else None

    def usage(self) -> proctree.Usage:
        """What the program and its descendants use."""
        return proctree.usage(self.keeper)

    def kill(self) -> None:
        """Kill the program and all its descendants; a second call does nothing."""
        # The first process of a namespace takes all others with it; a keeper without one is asked to do that.
        number = signal.SIGKILL if self._has_namespace else signal.SIGTERM
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._pidfd, number)

    def close(self) -> None:
        """Kill what still runs, and let go of it."""
        if self._pidfd >= 0:
            self.kill()
            self.status.close()
            os.close(self._pidfd)
            self._pidfd = -1


class _Launcher:
    """One launcher process."""

    def __init__(self, with_pids: bool = True) -> None:
        self._host, theirs = socket.socketpair()
        with theirs:
            package = str(Path(__file__).resolve().parents[1])
            self.process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", _START, str(theirs.fileno()), package, str(int(with_pids))],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env={},
                start_new_session=True,  # Ctrl-C is the host's to handle
            )
        self.owner = os.getpid()
        self._lock = threading.Lock()
        hello = self._host.makefile("rb")
        header = hello.read(4)
        if len(header) < 4:
            raise KitError("the launcher of confined processes did not start", "Its own words are above.")
        self.missing: dict[str, str] = json.loads(hello.read(struct.unpack("<I", header)[0]))["missing"]
        hello.detach()

    def send(self, request: dict[str, Any], descriptors: list[int]) -> None:
        """Hand over one request.

        Raises:
            LauncherGoneError: nobody is there.
        """
        text = json.dumps(request).encode()
        data = struct.pack("<I", len(text)) + text
        try:
            with self._lock:
                sent = socket.send_fds(self._host, [data], descriptors)
                self._host.sendall(data[sent:])
        except OSError as error:
            raise LauncherGoneError from error

    def close(self) -> None:
        """End it; every program it started dies with it."""
        self._host.close()
        if self.owner == os.getpid():
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(5)
        else:
            self.process.returncode = 0  # another process's child: not ours to wait for


_guard = threading.Lock()
_current: _Launcher | None = None


def _launcher() -> _Launcher:
    global _current  # one for each process
    with _guard:
        if _current is not None and (_current.owner != os.getpid() or _current.process.poll() is not None):
            _current.close()
            _current = None
        if _current is None:
            _current = _Launcher()
        return _current


@atexit.register
def _end() -> None:
    if _current is not None:
        _current.close()


def missing() -> dict[str, str]:
    """What this machine cannot confine (``network``, ``processes``, ``files``, ``calls``), each with the reason."""
    return dict(_launcher().missing)


def start(command: Command, stdin: int, stdout: int, stderr: int) -> Started:
    """Start a confined program. A launcher that died is replaced once.

    Raises:
        KitError: the program cannot be found or started.
    """
    for _ in range(2):
        launcher = _launcher()
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            with theirs:
                launcher.send(command.request(), [stdin, stdout, stderr, theirs.fileno()])
            return _started(ours, "processes" not in launcher.missing)
        except LauncherGoneError:
            ours.close()
            launcher.process.kill()
            launcher.process.wait()
        except BaseException:
            ours.close()
            raise
    raise KitError("the launcher of confined processes dies as soon as it is used", "Is something killing it?")


def _started(status: socket.socket, has_namespace: bool) -> Started:
    """Wait for the launcher's word. The program's may come first."""
    early: list[dict[str, Any]] = []
    while True:
        try:
            packet, descriptors, _, _ = socket.recv_fds(status, 1 << 16, 1)
        except ConnectionResetError:
            packet, descriptors = b"", []
        if not packet:
            raise LauncherGoneError
        message = json.loads(packet)
        if "started" in message:
            return Started(status, message["started"], descriptors[0], has_namespace, early)
        early.append(message)
