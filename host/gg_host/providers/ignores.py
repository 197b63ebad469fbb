"""Ignore files above the directory a search starts in, up to the root of the workspace and no further.

Ripgrep would read those of every directory up to the root of the machine, so that a file outside the workspace could
decide what is found in it; it is told not to, and gets the rules of the directories between from here.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator

from gg_host.failures import Failure
from gg_host.providers.paths import Workspace

_NAMES = (".gitignore", ".ignore", ".rgignore")
_MAX_BYTES = 1024 * 1024


@contextlib.contextmanager
def file_above(workspace: Workspace, parts: tuple[str, ...]) -> Iterator[str | None]:
    """A file that holds the rules ``above`` for the length of the block; None when there are none."""
    rules = above(workspace, parts)
    if not rules:
        yield None
        return
    with tempfile.NamedTemporaryFile("w", prefix="gg-ignore-", encoding="utf-8", errors="surrogateescape") as file:
        file.write(rules)
        file.flush()
        yield file.name


def above(workspace: Workspace, parts: tuple[str, ...]) -> str:
    """Rules of the ignore files in the directories above ``parts``, rewritten to the root of the workspace."""
    rules: list[str] = []
    for depth in range(len(parts)):
        folder = "".join(f"{part}/" for part in parts[:depth])
        for name in _NAMES:
            rules += [anchored(rule, folder) for rule in _read(workspace, folder + name)]
    return "".join(f"{rule}\n" for rule in rules if rule)


def anchored(rule: str, folder: str) -> str:
    """One line of an ignore file of ``folder`` (ends in ``/``; empty for the root), as a line of the root's.

    A rule with a ``/`` before its end belongs to its own directory; one without matches at any depth below it.
    """
    rule = rule.rstrip("\r")
    if not rule.strip() or rule.startswith("#"):
        return ""
    negation, body = ("!", rule[1:]) if rule.startswith("!") else ("", rule)
    if not folder:
        return negation + body
    place = "/" + _escaped(folder)
    if "/" in body.rstrip().removesuffix("/"):
        return negation + place + body.removeprefix("/")
    return f"{negation}{place}**/{body}"


def _escaped(folder: str) -> str:
    return "".join(f"\\{letter}" if letter in "\\*?[]{}! #" else letter for letter in folder)


def _read(workspace: Workspace, path: str) -> list[str]:
    try:
        opened, _ = workspace.open_file(path)
    except Failure:  # most directories have none
        return []
    with os.fdopen(opened, "rb") as stream:
        return os.fsdecode(stream.read(_MAX_BYTES)).split("\n")
