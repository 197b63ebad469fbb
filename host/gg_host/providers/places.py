"""A resolved place in the workspace, and the failures that paths end in."""

from __future__ import annotations

import errno
import os
import stat
from dataclasses import dataclass

from gg_host.failures import ErrorCode, Failure


@dataclass(frozen=True, slots=True)
class Place:
    """Where a path leads: a directory that is held open, and a name in it that is not a symbolic link.

    ``name`` is empty when the path names the open directory itself. ``status`` is None when nothing has that name yet.
    """

    folder: int
    name: str
    parts: tuple[str, ...]
    status: os.stat_result | None

    @property
    def is_directory(self) -> bool:
        """Whether there is a directory at this place."""
        return self.status is not None and stat.S_ISDIR(self.status.st_mode)

    @property
    def is_file(self) -> bool:
        """Whether there is a regular file at this place."""
        return self.status is not None and stat.S_ISREG(self.status.st_mode)

    @property
    def shown(self) -> str:
        """The path from the root of the workspace, links resolved; ``.`` for the root."""
        return printable("/".join(self.parts)) or "."


def printable(name: str) -> str:
    """A file name as text that can cross the membrane: bytes that are not UTF-8 become U+FFFD."""
    return os.fsencode(name).decode("utf-8", "replace")


def outside(path: str) -> Failure:
    """The failure for a path that leads out of the workspace."""
    return Failure(ErrorCode.INVALID_ARGUMENT, f"`{path}` leads out of the workspace; use a path relative to its root")


def require_file(place: Place, path: str) -> None:
    """Refuse a place that holds no regular file.

    Raises:
        Failure: ``not-found`` when nothing is there, ``invalid-argument`` for a directory or a special file.
    """
    if place.status is None:
        raise Failure(ErrorCode.NOT_FOUND, f"`{path}`: no such file or directory")
    if place.is_directory:
        raise Failure(ErrorCode.INVALID_ARGUMENT, f"`{path}` is a directory")
    if not place.is_file:
        raise Failure(ErrorCode.INVALID_ARGUMENT, f"`{path}` is not a regular file")


def failure_of(error: OSError, path: str) -> Failure:
    """The failure a program receives for an error of the operating system about ``path``."""
    code = {
        errno.ENOENT: ErrorCode.NOT_FOUND,
        errno.ENOTDIR: ErrorCode.NOT_FOUND,
        errno.EISDIR: ErrorCode.INVALID_ARGUMENT,
        errno.ENAMETOOLONG: ErrorCode.INVALID_ARGUMENT,
        errno.EINVAL: ErrorCode.INVALID_ARGUMENT,
    }.get(error.errno or 0, ErrorCode.IO_ERROR)
    reason = (error.strerror or str(error)).lower()
    return Failure(code, f"`{path}`: {reason}")
