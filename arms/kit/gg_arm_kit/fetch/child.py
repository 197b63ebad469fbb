"""Runs a package client as a child process and watches the file it writes."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from gg_arm_kit.errors import KitError

LOOK_EVERY_SECS = 0.1
GIVE_UP_SECS = 1800
"""The largest pinned file has 100 MB; half an hour for it is a line that is not worth waiting for."""


def run_client(
    argv: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str] | None = None,
    what: str,
    watch: Callable[[], None] = lambda: None,
) -> str:
    """Run a client to its end; returns what it wrote to its standard output.

    Parameters:
        argv: the command.
        cwd: its working folder; its outputs are kept here too.
        env: its whole environment; None for this process's own, since clients read their configuration there.
        what: the file being fetched, for messages.
        watch: called every tenth of a second while it runs.

    Raises:
        KitError: it ended with an error or not at all; the message holds its last words.
    """
    out, err = cwd / "client.out", cwd / "client.err"
    deadline = time.monotonic() + GIVE_UP_SECS
    with out.open("xb") as stdout, err.open("xb") as stderr:
        child = subprocess.Popen(argv, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr)
        try:
            while child.poll() is None and time.monotonic() < deadline:
                watch()
                try:
                    child.wait(LOOK_EVERY_SECS)
                except subprocess.TimeoutExpired:
                    continue
        finally:
            if child.poll() is None:  # given up, or this process was interrupted
                child.kill()
                child.wait()
    if child.returncode:
        words = err.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        last = "; ".join(words[-3:]) or f"its client ended with status {child.returncode}"
        raise KitError(f"{what} could not be fetched: {last}", "Check the network and the client's own configuration.")
    return out.read_text(encoding="utf-8", errors="replace")
