"""Stands between the host and its commands, so that nothing a command starts outlives its call.

Run as a script of its own, ``python -I -S supervisor.py SOCKET``: it waits for requests and forks a supervisor for
each, which is far cheaper than starting an interpreter. It ends when the host closes the socket or dies.

The kernel hands every orphan below a *subreaper* to it. So once a command has ended, or the host asks for its end by
closing the control pipe (which also happens when the host dies), killing children until none is left ends the whole
tree, also what forked twice or made a session of its own. What happened is written to the report pipe, a line each:
``supervisor PID``, ``shell PID``, then ``exit N``, ``signal N`` or ``failed ERRNO``. Its end of file means that all is
gone.
"""

import contextlib
import ctypes
import errno
import json
import os
import select
import signal
import socket
import sys
import time

_PR_SET_CHILD_SUBREAPER = 36
_SHELL = "/bin/sh"
DESCRIPTORS = 5
"""Sent with each request: the request itself, the control and report pipes, and both outputs."""


def serve(host: socket.socket) -> None:
    """Fork a supervisor for every request, until the host is gone."""
    libc = ctypes.CDLL(None)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # supervisors need not be waited for
    while True:
        message, descriptors, _, _ = socket.recv_fds(host, 1, DESCRIPTORS)
        if not message:
            return
        for descriptor in descriptors:  # Python 3.11 drops the flag that would ask the kernel for it
            os.set_inheritable(descriptor, False)
        if os.fork() == 0:
            try:
                host.close()
                _supervise(libc, *descriptors)
            finally:
                os._exit(0)
        for descriptor in descriptors:
            os.close(descriptor)


def _supervise(libc: ctypes.CDLL, request: int, control: int, report: int, output: int, errors: int) -> None:
    os.write(report, f"supervisor {os.getpid()}\n".encode())
    if libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        os.write(report, f"failed {errno.ENOSYS}\n".encode())  # without it the promise above cannot be kept
        return
    with open(request, "rb") as stream:
        command, folder, environment = json.load(stream)
    wake, wakened = os.pipe()
    os.set_blocking(wakened, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wakened)
    shell = os.fork()
    if shell == 0:
        _become_shell(report, output, errors, command, folder, environment)
    os.write(report, f"shell {shell}\n".encode())
    os.close(output)  # what the host reads ends when the tree is gone
    os.close(errors)
    try:
        _wait(shell, control, wake, report)
    finally:
        _end_tree()


def _become_shell(
    report: int, output: int, errors: int, command: str, folder: str, environment: dict[str, str]
) -> None:
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # Python ignores it, and a shell inherits that
        os.setsid()
        os.chdir(folder)
        os.dup2(output, 1)
        os.dup2(errors, 2)
        os.execve(_SHELL, ["sh", "-c", "--", command], environment)  # noqa: S606 - the operation is a shell
    except OSError as error:
        os.write(report, f"failed {error.errno}\n".encode())
    finally:
        os._exit(127)


def _wait(shell: int, control: int, wake: int, report: int) -> None:
    while True:
        ready, _, _ = select.select([control, wake], [], [])
        if control in ready:
            return
        os.read(wake, 4096)
        while True:
            process, status = os.waitpid(-1, os.WNOHANG)
            if process == shell:
                code = os.waitstatus_to_exitcode(status)
                os.write(report, (f"exit {code}\n" if code >= 0 else f"signal {-code}\n").encode())
                return
            if process == 0:
                break


def _end_tree() -> None:
    while True:
        try:  # a child that is gone leaves its own children to this process, so look again after each
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        for process in _descendants():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        time.sleep(0.001)


def _descendants() -> list[int]:
    parents: dict[int, int] = {}
    for entry in os.listdir("/proc"):  # noqa: PTH208 - pathlib costs more than this whole script
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat", "rb") as stat:  # noqa: PTH123
                    parents[int(entry)] = int(stat.read().rpartition(b")")[2].split()[1])
            except OSError:
                continue
    found = {os.getpid()}
    while more := {process for process, parent in parents.items() if parent in found} - found:
        found |= more
    return sorted(found - {os.getpid()})


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
