"""The one cache folder: where it is, who may write to it, and its scratch folders.

Everything in it can be deleted at any time and is made again. Nothing appears in it half-made: work is done in a
scratch folder and renamed into place.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import shutil
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from gg_arm_kit.errors import KitError

WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH
NO_SPACE = frozenset({errno.ENOSPC, errno.EDQUOT})
NEARLY_NOTHING_BYTES = 1 << 20
"""A disk with less free than this is taken as full when a child process failed on it without saying why."""


@dataclass(frozen=True, slots=True)
class Cache:
    """An opened cache folder; ``open_cache`` makes one."""

    root: Path

    def folder(self, *parts: str) -> Path:
        """The folder ``parts`` below the root, made when it is not there."""
        path = self.root.joinpath(*parts)
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        return path

    @contextlib.contextmanager
    def lock(self, name: str, waiting: Callable[[], None] = lambda: None) -> Iterator[None]:
        """Hold the lock ``name`` against every other thread and process that uses this cache.

        Parameters:
            name: what is locked, letters, digits, dots and dashes.
            waiting: called once when another holder keeps us waiting for more than a second.
        """
        lock = FileLock(self.folder("locks") / f"{name}.lock")
        try:
            lock.acquire(timeout=1)
        except Timeout:
            waiting()
            lock.acquire()
        try:
            yield
        finally:
            lock.release()

    @contextlib.contextmanager
    def scratch(self, doing: str = "what was being made") -> Iterator[Path]:
        """A new private folder on the cache's own disk, removed at the end however that comes.

        A folder left by a killed process is removed by ``sweep``: its lock, which the kernel lets go of, tells.

        Parameters:
            doing: what is made there, for the message about a full disk.

        Raises:
            KitError: the disk was full, for this process or a child of it. Other errors go through as they are.
        """
        with self._told_when_full(doing), self._scratch() as path, self._told_when_full(doing):
            yield path

    @contextlib.contextmanager
    def _scratch(self) -> Iterator[Path]:
        temp = self.folder("temp")
        while True:
            path = temp / secrets.token_hex(8)
            lock_path = path.with_suffix(".lock")
            lock = FileLock(lock_path)
            lock.acquire()
            if lock_path.exists():  # else another process swept the name between its making and its locking
                break
            lock.release()
        try:
            path.mkdir(mode=0o700)
            yield path
        finally:
            remove_tree(path)
            lock_path.unlink(missing_ok=True)
            lock.release()

    def sweep(self) -> int:
        """Remove the scratch folders of processes that are gone; returns how many."""
        temp = self.folder("temp")
        swept = 0
        for name in sorted({entry.name.removesuffix(".lock") for entry in temp.iterdir()}):
            lock_path = temp / f"{name}.lock"
            lock = FileLock(lock_path)
            try:
                lock.acquire(timeout=0)
            except Timeout:
                continue  # its owner is alive
            try:
                remove_tree(temp / name)
                swept += 1
            finally:
                lock_path.unlink(missing_ok=True)
                lock.release()
        return swept

    @contextlib.contextmanager
    def _told_when_full(self, doing: str) -> Iterator[None]:
        try:
            with told_when_full(self.root, doing):
                yield
        except KitError as error:  # a child process failed, perhaps of a full disk that it alone met
            with contextlib.suppress(OSError):
                if shutil.disk_usage(self.root).free < NEARLY_NOTHING_BYTES:
                    raise _full(self.root, doing) from error
            raise


def default_root() -> Path:
    """``GG_CACHE``, or ``gg-arms`` in the user's cache folder.

    Raises:
        KitError: GG_CACHE is not an absolute path.
    """
    given = os.environ.get("GG_CACHE", "")
    if given:
        if not Path(given).is_absolute():
            raise KitError(f"GG_CACHE is {given!r}, which is not an absolute path", "Give the whole path of a folder.")
        return Path(given)
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if Path(base).is_absolute() else Path.home() / ".cache") / "gg-arms"


def open_cache(root: Path | None = None) -> Cache:
    """Open the cache folder, make it when it is not there, and remove what killed processes left.

    Parameters:
        root: the folder; None for ``default_root()``.

    Raises:
        KitError: it cannot be made, is no folder, belongs to another user or can be written by others. What lies in
            it is run, so nobody else may be able to put anything there.
    """
    root = root or default_root()
    try:
        root.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = root.stat()
    except OSError as error:
        raise KitError(
            f"the cache folder {root} cannot be used: {error.strerror}", "Set GG_CACHE to another folder."
        ) from error
    if status.st_uid != os.geteuid():
        raise KitError(
            f"the cache folder {root} belongs to user {status.st_uid}, and this is user {os.geteuid()}",
            "Set GG_CACHE to a folder of your own; what lies in it is run.",
        )
    if status.st_mode & WRITABLE_BY_OTHERS:
        raise KitError(
            f"the cache folder {root} can be written by other users (mode {stat.S_IMODE(status.st_mode):04o})",
            "Run chmod 700 on it if nobody else put anything there, or set GG_CACHE to another folder.",
        )
    cache = Cache(root.resolve())
    cache.sweep()
    return cache


def remove_tree(path: Path) -> None:
    """Remove a folder even when its folders are read-only; one that is not there is fine."""
    if not path.is_dir() or path.is_symlink():
        path.unlink(missing_ok=True)
        return
    for folder, _, _ in os.walk(path):
        Path(folder).chmod(0o700)
    shutil.rmtree(path)


@contextlib.contextmanager
def told_when_full(folder: Path, doing: str) -> Iterator[None]:
    """Turn what the system says of a full disk into words.

    Parameters:
        folder: what lies on the disk that is written to.
        doing: what is made there.

    Raises:
        KitError: the disk is full. Other errors go through as they are.
    """
    try:
        yield
    except OSError as error:
        if error.errno in NO_SPACE:
            raise _full(folder, doing) from error
        raise


def _full(folder: Path, doing: str) -> KitError:
    return KitError(
        f"the disk that holds {folder} is full: {doing} was given up, and nothing of it was kept",
        "Free some space, or set GG_CACHE to a folder on a larger disk.",
    )


def write_atomically(path: Path, data: bytes) -> None:
    """Write ``path`` so that a reader sees the old bytes or the new ones, also after a power cut.

    Raises:
        KitError: the disk is full.
    """
    temp = path.with_name(f"{path.name}.{secrets.token_hex(4)}.tmp")
    with told_when_full(path.parent, path.name):
        try:
            with temp.open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            temp.replace(path)
        finally:
            temp.unlink(missing_ok=True)
