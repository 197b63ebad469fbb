"""Runs a command in this one's place: same streams, same signals, and its exit code is ours."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

from gg_arm_kit import syscalls

QUIET_START = """\
import _signal as s
if s.getsignal(s.SIGINT) is not s.SIG_IGN: s.signal(s.SIGINT, s.SIG_DFL)
import runpy, sys
sys.argv = sys.argv[1:]
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
"""
"""Python's ``-m`` for ``-P -c``: until ``command.run`` takes over, Ctrl-C ends the process without a traceback."""
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def follow(argv: Sequence[str], cwd: Path) -> int:
    """Run ``argv`` to its end, however long it takes to put things away after a signal.

    Ctrl-C in a terminal reaches the command by itself. Anything else that signals this process alone, or a group that
    is not a terminal's, is passed on, once: the command has a group of its own then. It is asked to end when this
    process is killed.

    Parameters:
        argv: the command.
        cwd: its working folder.

    Returns:
        Its exit code; 128 and the signal's number when a signal ended it.
    """
    shared = _in_the_foreground()
    own_group = None if shared else 0
    process: subprocess.Popen[bytes] | None = None
    early: list[int] = []

    def pass_on(number: int, _frame: FrameType | None) -> None:
        if shared and number == signal.SIGINT:
            return
        if process is None:
            early.append(number)
        else:
            process.send_signal(number)

    # A handler is not inherited, an ignored signal is: so those are left alone.
    heard = [number for number in SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
    earlier = {number: signal.signal(number, pass_on) for number in heard}
    try:
        process = subprocess.Popen(
            argv, cwd=cwd, process_group=own_group, preexec_fn=lambda: syscalls.die_with_parent(signal.SIGTERM)
        )
        for number in early:
            process.send_signal(number)
        code = process.wait()
    finally:
        for heard_number, handler in earlier.items():
            signal.signal(heard_number, handler)
    return code if code >= 0 else 128 - code


def _in_the_foreground() -> bool:
    """Whether this process's group is the one its terminal sends Ctrl-C to."""
    try:
        terminal = os.open("/dev/tty", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:  # it has none
        return False
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:
        return False
    finally:
        os.close(terminal)
