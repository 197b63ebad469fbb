"""How what lies in the tree differs from what ``generate`` would write."""

from __future__ import annotations

import hashlib
import os
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

# What tools leave beside Python files that they read; no output is ever called so.
_LEFT_BY_TOOLS = frozenset({"__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache"})


@dataclass(frozen=True, slots=True)
class Difference:
    """Paths in the repository, sorted.

    Parameters:
        missing: would be written and is not there.
        stale: is there with other bytes.
        unknown: lies in a generated folder, and nothing generates it.
        uncommitted: is right, but git does not track it.
    """

    missing: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    uncommitted: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.missing or self.stale or self.unknown or self.uncommitted)


def compare(root: Path, digests: Mapping[str, str], folders: Iterable[str]) -> Difference:
    """Compare the tree with the outputs' SHA-256 by path; git is not asked."""
    missing: list[str] = []
    stale: list[str] = []
    for path, digest in sorted(digests.items()):
        file = root / path
        try:
            content = file.read_bytes()
        except OSError:
            (stale if os.path.lexists(file) else missing).append(path)
        else:
            if file.is_symlink() or digest_of_bytes(content) != digest:
                stale.append(path)
    return Difference(tuple(missing), tuple(stale), tuple(sorted(_unknown(root, digests, folders))))


def untracked_by_git(root: Path, paths: Iterable[str]) -> tuple[str, ...]:
    """Which of ``paths`` git does not track; none where the tree is no git checkout of its own."""
    if not (root / ".git").exists():
        return ()
    command = ["git", "-C", str(root), "ls-files", "-z", "--", "."]
    try:
        done = subprocess.run(command, capture_output=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        return ()
    tracked = frozenset(os.fsdecode(done.stdout).split("\0"))
    return tuple(path for path in sorted(paths) if path not in tracked)


def digest_of_bytes(content: bytes) -> str:
    """SHA-256 in hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def _unknown(root: Path, digests: Mapping[str, str], folders: Iterable[str]) -> list[str]:
    found: list[str] = []
    for folder in folders:
        for place, names, files in os.walk(root / folder):
            names[:] = [name for name in names if name not in _LEFT_BY_TOOLS]
            # A link to a folder is not walked into: it is itself the thing that does not belong.
            links = [name for name in names if Path(place, name).is_symlink()]
            found += [Path(place, name).relative_to(root).as_posix() for name in (*files, *links)]
    return [path for path in found if path not in digests]
