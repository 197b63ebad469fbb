"""Replacing whole files in one step: a reader sees the old file or the new one, never a part."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat

from gg_host.failures import ErrorCode, Failure
from gg_host.providers.paths import Workspace
from gg_host.providers.places import Place, failure_of

_TRIES = 100


def replace(workspace: Workspace, path: str, data: bytes, *, create_parents: bool) -> None:
    """Put ``data`` in place of the file at ``path``, which keeps its permissions and its owner.

    The new file is written beside the old one, under a name of its own, and renamed over it. A symbolic link at
    ``path`` stays: the file it leads to is replaced.

    Raises:
        Failure: ``invalid-argument`` when the path leads out or names something that is no regular file;
            ``not-found`` when a parent is missing and not to be made; ``io-error`` when the machine refuses.
    """
    if path.endswith(("/", "/.", "/..")) or path in (".", ".."):
        raise Failure(ErrorCode.INVALID_ARGUMENT, f"`{path}` names a directory")
    with workspace.resolve(path, create_parents=create_parents) as place:
        _check(place, path)
        try:
            temporary, name = _create(place.folder)
        except OSError as error:
            raise failure_of(error, path) from error
        try:
            with os.fdopen(temporary, "wb", buffering=0) as stream:
                _write_all(stream.fileno(), data)
                if place.status is not None:
                    _keep_permissions(stream.fileno(), place.status)
            os.rename(name, place.name, src_dir_fd=place.folder, dst_dir_fd=place.folder)
        except BaseException as error:
            with contextlib.suppress(OSError):
                os.unlink(name, dir_fd=place.folder)
            if isinstance(error, OSError):
                raise failure_of(error, path) from error
            raise


def _check(place: Place, path: str) -> None:
    if place.is_directory:
        raise Failure(ErrorCode.INVALID_ARGUMENT, f"`{path}` is a directory")
    if place.status is None:
        return
    if not place.is_file:
        raise Failure(ErrorCode.INVALID_ARGUMENT, f"`{path}` is not a regular file")
    if not place.status.st_mode & 0o222:
        # A rename would get around the permission, which someone set for a reason.
        raise Failure(ErrorCode.IO_ERROR, f"`{path}` is read-only")


def _create(folder: int) -> tuple[int, str]:
    for _ in range(_TRIES):
        name = f".gg-{secrets.token_hex(8)}.tmp"
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
            return os.open(name, flags, 0o666, dir_fd=folder), name
        except FileExistsError:
            continue
    raise OSError(errno.EEXIST, os.strerror(errno.EEXIST))


def _write_all(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _keep_permissions(descriptor: int, status: os.stat_result) -> None:
    with contextlib.suppress(PermissionError):  # only a privileged user may give a file away
        os.fchown(descriptor, status.st_uid, status.st_gid)
    os.fchmod(descriptor, stat.S_IMODE(status.st_mode) & 0o777)
