"""Runs one program of a build, in an environment that holds nothing of the caller's."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from gg_arm_kit.errors import KitError

SHOWN_CHARACTERS = 4000
"""Of what a failed program said."""


def run(arguments: Sequence[str | Path], cwd: Path, environment: Mapping[str, str] | None = None) -> None:
    """Run a program to its end.

    Parameters:
        arguments: the program and what it is given.
        cwd: its working folder.
        environment: variables besides a fixed path, language and time zone.

    Raises:
        KitError: it cannot be started or ended with another status than 0; its words are in the message.
    """
    given = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC", "HOME": str(cwd), **(environment or {})}
    name = Path(arguments[0]).name
    try:
        done = subprocess.run(arguments, cwd=cwd, env=given, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    except OSError as error:
        raise KitError(f"{name} cannot be started: {error.strerror}") from error
    if done.returncode:
        words = (done.stderr + done.stdout).decode(errors="replace").strip()[-SHOWN_CHARACTERS:]
        raise KitError(f"{name} {arguments[1]} ended with status {done.returncode}:\n{words}")
