"""Runs the project's commands as a person does: a real process in a session of its own, signals, and what it left."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

GG = (sys.executable, "-m", "gg_host.cli")
BUILD = (sys.executable, "-m", "gg_arm_kit.build_command")
TABLE = (sys.executable, "-m", "gg_conformance")
PATIENCE_SECS = 50
"""A command that has not ended by then is stuck; a machine that is busy with others' tests can be slow."""


@dataclass(frozen=True, slots=True)
class Done:
    """How a command ended, and every process of its session that outlived it."""

    code: int
    out: str
    err: str
    left: list[str]

    def complaint(self) -> list[str]:
        """The lines of standard error, checked to hold no traceback."""
        assert "Traceback" not in self.err, self.err
        return self.err.splitlines()


def call(
    argv: Sequence[str | Path],
    cwd: Path,
    environment: Mapping[str, str | None] | None = None,
    signals: Sequence[int] = (),
    when: Callable[[int], bool] = lambda _: True,
    group: bool = True,
) -> Done:
    """Run a command to its end.

    Parameters:
        argv: the command.
        cwd: its working folder.
        environment: changes to the environment; None takes a variable away.
        signals: sent one after the other, 0.1 s apart, once ``when`` holds.
        when: asked with the process's id until it holds or the command has ended.
        group: whether signals go to the whole process group, as Ctrl-C does, or to the one process.
    """
    changed = {**os.environ, **(environment or {})}
    kept = {name: value for name, value in changed.items() if value is not None}
    process = subprocess.Popen(
        [str(each) for each in argv],
        cwd=cwd,
        env=kept,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        if signals:
            _wait(lambda: process.poll() is not None or when(process.pid))
        below = descendants(process.pid)
        for number in signals:
            (os.killpg if group else os.kill)(process.pid, number)
            time.sleep(0.1)
        out, err = process.communicate(timeout=PATIENCE_SECS)
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()
    _wait(lambda: not alive(below), 5)
    return Done(process.returncode, out.decode("utf-8", "replace"), err.decode("utf-8", "replace"), alive(below))


def descendants(of: int) -> list[int]:
    """Every process below ``of``, in whatever session."""
    found = [of]
    for process in found:
        for task in Path(f"/proc/{process}/task").glob("*/children"):
            try:
                found += [int(child) for child in task.read_text().split()]
            except OSError:  # it has just ended
                continue
    return found[1:]


def alive(processes: Sequence[int]) -> list[str]:
    """Those of ``processes`` that still run, each with its command line."""
    left = []
    for process in processes:
        try:
            state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
            command = Path(f"/proc/{process}/cmdline").read_text().replace("\0", " ")
        except OSError:
            continue
        if state not in "ZX":
            left.append(f"{process} {state} {command}")
    return left


def listing(folder: Path) -> list[str]:
    """Every file and folder below ``folder``, with sizes."""
    return sorted(f"{path.relative_to(folder)} {path.lstat().st_size}" for path in folder.rglob("*"))


def _wait(holds: Callable[[], bool], secs: float = PATIENCE_SECS) -> None:
    until = time.monotonic() + secs
    while not holds() and time.monotonic() < until:
        time.sleep(0.02)
