"""The host's side of ``supervisor``: one process, started at need, that forks a supervisor for each command."""

from __future__ import annotations

import atexit
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path

from gg_host.providers import supervisor

_TRIES = 2
_END_SECONDS = 5.0


class Supervision:
    """Asks for supervisors, from any thread. A process that died, as a command may kill it, is started again."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket | None = None

    def begin(self, command: str, folder: Path, environment: Mapping[str, str], descriptors: tuple[int, ...]) -> None:
        """Start ``command``.

        Parameters:
            command: for ``sh -c``.
            folder: where it starts.
            environment: its whole environment.
            descriptors: the control pipe's reading end, then the writing ends of report, output and errors. They stay
                the caller's to close.

        Raises:
            OSError: it could not be asked for.
        """
        request = os.memfd_create("gg-command", os.MFD_CLOEXEC)
        try:
            with os.fdopen(os.dup(request), "wb") as stream:
                stream.write(json.dumps([command, str(folder), dict(environment)]).encode())
            os.lseek(request, 0, os.SEEK_SET)
            with self._guard:
                for attempt in range(_TRIES):
                    try:
                        socket.send_fds(self._connection(), [b"!"], [request, *descriptors])
                    except (BrokenPipeError, ConnectionError):
                        self._stop()
                        if attempt == _TRIES - 1:
                            raise
                    else:
                        return
        finally:
            os.close(request)

    def stop(self) -> None:
        """End the process; commands that run are not touched."""
        with self._guard:
            self._stop()

    def _connection(self) -> socket.socket:
        if self._socket is None:
            self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            with theirs:
                self._process = subprocess.Popen(
                    [sys.executable, "-I", "-S", supervisor.__file__, str(theirs.fileno())],
                    cwd="/",
                    env={},
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    pass_fds=(theirs.fileno(),),
                    start_new_session=True,  # Ctrl-C at the terminal is for the host, which then ends its commands
                )
        return self._socket

    def _stop(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None
        if self._process is not None:
            try:
                self._process.wait(_END_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None


SUPERVISION = Supervision()
"""The one of this process."""
atexit.register(SUPERVISION.stop)
