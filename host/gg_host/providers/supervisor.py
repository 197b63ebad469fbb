"""Stands between the host and one command, so that nothing the command starts outlives the call.

Run as a script of its own: ``python -I -S supervisor.py CONTROL REPORT COMMAND``. It imports little: each call
starts it.

The kernel hands every orphan below a *subreaper* to it. So once the command has ended, or the host asks for its end by
closing CONTROL (which also happens when the host dies), killing children until none is left ends the whole tree,
also what forked twice or made a session of its own. The exit status is written to REPORT before that.
"""

import contextlib
import ctypes
import os
import select
import signal
import sys
import time

_PR_SET_CHILD_SUBREAPER = 36
_SHELL = "/bin/sh"


def main(control: int, report: int, command: str) -> None:
    """Run ``command``, report ``shell PID`` and then ``exit N``, ``signal N`` or ``failed ERRNO``; end its tree."""
    if ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        os.write(report, b"failed 38\n")  # ENOSYS: without it the promise above cannot be kept
        return
    os.set_blocking(report, False)
    os.set_inheritable(control, False)
    os.set_inheritable(report, False)
    wake, wakened = os.pipe()
    os.set_blocking(wakened, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wakened)
    shell = os.fork()
    if shell == 0:
        _become_shell(report, command)
    os.write(report, f"shell {shell}\n".encode())
    for stream in (0, 1, 2):
        os.close(stream)  # what the host reads ends when the tree is gone
    try:
        _wait(shell, control, wake, report)
    finally:
        _end_tree()


def _become_shell(report: int, command: str) -> None:
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # Python ignores it, and a shell inherits that
        os.setsid()
        os.execv(_SHELL, ["sh", "-c", "--", command])  # noqa: S606 - the operation is a shell
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
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == shell:
                code = os.waitstatus_to_exitcode(status)
                os.write(report, (f"exit {code}\n" if code >= 0 else f"signal {-code}\n").encode())
                return
            if pid == 0:
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
    for entry in os.listdir("/proc"):  # noqa: PTH208 - each call imports this file, and pathlib costs more than all of it
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
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
