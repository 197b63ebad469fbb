"""``files.tree``: the directories and files below a place, as indented text.

Ripgrep says which files the ignore rules leave; each level is then read again through directories that are held open,
and only what is really there, and is no link, is shown.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field

from gg_host.failures import ErrorCode, Failure
from gg_host.providers import ignores, ripgrep
from gg_host.providers.call import Call
from gg_host.providers.paths import Workspace
from gg_host.providers.places import printable

DEFAULT_DEPTH = 2
MAX_DEPTH = 10
MAX_LINES = 1000
MAX_BYTES = 16 * 1024
_LAST_LINE_BYTES = 64
"""Room kept for the line that says what was cut."""
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(slots=True)
class Folder:
    """What a walk found in one directory; in one at the depth bound only the names are kept."""

    folders: dict[bytes, Folder] = field(default_factory=dict)
    files: set[bytes] = field(default_factory=set)


def tree(call: Call, workspace: Workspace, path: str | None, depth: int | None) -> str:
    """Render what lies below ``path``.

    Parameters:
        path: a directory; the root when None.
        depth: levels to walk: 2 when None, and never more than 10.

    Raises:
        Failure: ``not-found`` for a missing path; ``invalid-argument`` for one that is no directory or leads out, or a
            depth of 0; ``limit-exceeded`` when the call's time is over.
    """
    if depth == 0:
        raise Failure(ErrorCode.INVALID_ARGUMENT, "the depth is 0; leave it out or ask for at least one level")
    opened, place = workspace.open_directory("." if path is None else path)
    try:
        if ".git" in place.parts:
            return ""
        levels = min(depth or DEFAULT_DEPTH, MAX_DEPTH)
        return _cut(list(_lines(call, opened, _walk(call, workspace, place.parts, levels), levels, 0)))
    finally:
        os.close(opened)


def _walk(call: Call, workspace: Workspace, parts: tuple[str, ...], levels: int) -> Folder:
    top = Folder()
    skipped = len(parts)
    with ignores.file_above(workspace, parts) as above:
        names = ripgrep.files(call, workspace.path, above, "/".join((".", *parts)))
        with contextlib.closing(names):
            for name in names:
                _add(top, name.split(b"/")[skipped:], levels)
    return top


def _add(top: Folder, parts: list[bytes], levels: int) -> None:
    folder = top
    for part in parts[:-1][:levels]:
        folder = folder.folders.setdefault(part, Folder())
    if len(parts) <= levels:
        folder.files.add(parts[-1])
    else:  # below the bound: the next name down is counted and not walked
        folder.files.add(parts[levels])


def _lines(call: Call, opened: int, folder: Folder, levels: int, level: int) -> Iterator[str]:
    indent = "  " * level
    for name in sorted((*folder.folders, *folder.files), key=lambda each: printable(os.fsdecode(each))):
        call.check()
        shown = printable(os.fsdecode(name)).replace("\n", "\\n")
        if name not in folder.folders:
            if _is_file(opened, name):
                yield f"{indent}{shown}"
            continue
        try:
            below = os.open(name, _FOLDER, dir_fd=opened)
        except OSError:  # gone by now, or a link in its place
            continue
        try:
            inner = folder.folders[name]
            if level + 1 < levels:
                yield f"{indent}{shown}/"
                yield from _lines(call, below, inner, levels, level + 1)
            else:
                count = len(inner.files & set(map(os.fsencode, os.listdir(below))))  # noqa: PTH208 - by descriptor
                yield f"{indent}{shown}/ ({count} {'entry' if count == 1 else 'entries'} not walked)"
        finally:
            os.close(below)


def _is_file(opened: int, name: bytes) -> bool:
    try:
        return stat.S_ISREG(os.stat(name, dir_fd=opened, follow_symlinks=False).st_mode)
    except OSError:
        return False


def _cut(lines: list[str]) -> str:
    text = "\n".join(lines)
    if len(lines) <= MAX_LINES and len(text.encode()) <= MAX_BYTES:
        return text
    kept: list[str] = []
    size = _LAST_LINE_BYTES
    for line in lines[: MAX_LINES - 1]:
        size += len(line.encode()) + 1
        if size > MAX_BYTES:
            break
        kept.append(line)
    return "\n".join([*kept, f"({len(lines) - len(kept)} more lines cut)"])
