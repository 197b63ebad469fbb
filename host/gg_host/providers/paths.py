"""Paths of the workspace, resolved one part at a time so that no race can lead out.

Each part is opened relative to the directory before it and never followed by the kernel (``O_NOFOLLOW``); a symbolic
link is read and walked here. ``..`` goes back to the directory this walk came from, which is held open, so a
directory that is moved or swapped for a link in the middle of a walk cannot take it anywhere else.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from gg_arm_kit.errors import KitError

from gg_host.failures import ErrorCode, Failure
from gg_host.providers.places import Place, failure_of, outside, require_file

MAX_LINKS = 40
"""Symbolic links one path may pass through; the number Linux itself uses (``MAXSYMLINKS``)."""
MAX_PATH_BYTES = 4096
"""Length of a path in UTF-8; Linux's ``PATH_MAX``."""

_PEEK = os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC


class Workspace:
    """The folder that a program's paths are confined to; held open until ``close``.

    Parameters:
        folder: an existing directory.

    Raises:
        KitError: there is no such directory, or it cannot be opened.
    """

    def __init__(self, folder: Path | str) -> None:
        given = Path(folder)
        try:
            self.path = given.resolve(strict=True)
            self.root = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except FileNotFoundError as error:
            raise KitError(
                f"the workspace {given} does not exist", "Create the folder, or name another one."
            ) from error
        except NotADirectoryError as error:
            raise KitError(f"the workspace {given} is not a folder", "Name a folder.") from error
        except OSError as error:
            raise KitError(
                f"the workspace {given} cannot be opened: {error.strerror}", "Name a folder you may read."
            ) from error
        # A model sees absolute paths in the output of commands, so both spellings of the root are understood.
        self._prefixes = tuple(dict.fromkeys((str(self.path), str(given.absolute()))))

    def close(self) -> None:
        """Let go of the folder; the workspace cannot be used afterwards."""
        if self.root >= 0:
            os.close(self.root)
            self.root = -1

    def __enter__(self) -> Workspace:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "root", -1) >= 0:
            self.close()

    @contextlib.contextmanager
    def resolve(self, path: str, *, create_parents: bool = False) -> Iterator[Place]:
        """Walk ``path`` and hold open the directory it ends in for the length of the ``with`` block.

        Parameters:
            path: as the program wrote it: relative to the root, or absolute and below it.
            create_parents: make the directories above the last part when they are missing.

        Raises:
            Failure: ``invalid-argument`` when the path is empty, malformed or leads out of the workspace;
                ``not-found`` when a directory on the way is missing; ``io-error`` when the machine refuses.
        """
        parts = self._split(path)
        walk = _Walk(self, path)
        try:
            try:
                place = walk.to_end(parts, create_parents)
            except OSError as error:
                raise failure_of(error, path) from error
            yield place
        finally:
            walk.close()

    def open_file(self, path: str) -> tuple[int, Place]:
        """Open a regular file for reading; the caller closes the descriptor. Never blocks on a FIFO or a device.

        Raises:
            Failure: as ``resolve``; ``not-found`` when there is no file; ``invalid-argument`` when it is not a
                regular file.
        """
        for _ in range(MAX_LINKS):
            with self.resolve(path) as place:
                require_file(place, path)
                try:
                    opened = os.open(
                        place.name,
                        os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC,
                        dir_fd=place.folder,
                    )
                except OSError as error:
                    if error.errno == errno.ELOOP:  # it became a link since the walk: walk again
                        continue
                    raise failure_of(error, path) from error
                if stat.S_ISREG(os.fstat(opened).st_mode):
                    return opened, place
                os.close(opened)
        raise Failure(ErrorCode.IO_ERROR, f"`{path}` keeps changing while it is opened")

    def open_directory(self, path: str) -> tuple[int, Place]:
        """Open a directory for listing; the caller closes the descriptor.

        Raises:
            Failure: as ``resolve``; ``not-found`` when there is nothing; ``invalid-argument`` when it is no directory.
        """
        with self.resolve(path) as place:
            if place.status is None:
                raise Failure(ErrorCode.NOT_FOUND, f"`{path}`: no such file or directory")
            if not place.is_directory:
                raise Failure(ErrorCode.INVALID_ARGUMENT, f"`{path}` is not a directory")
            try:  # the walk holds the directory itself, so "." is no name that could be swapped
                return os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=place.folder), place
            except OSError as error:
                raise failure_of(error, path) from error

    def _split(self, path: str) -> list[str]:
        if not path:
            raise Failure(ErrorCode.INVALID_ARGUMENT, "the path is empty; write `.` for the root of the workspace")
        if "\0" in path:
            raise Failure(ErrorCode.INVALID_ARGUMENT, "the path holds a NUL character")
        if len(path.encode(errors="surrogatepass")) > MAX_PATH_BYTES:
            raise Failure(ErrorCode.INVALID_ARGUMENT, f"the path is longer than {MAX_PATH_BYTES} bytes")
        if path.startswith("/"):
            inside = self.below_root(path)
            if inside is None:
                raise outside(path)
            path = inside
        # A trailing slash asks for a directory, which a last part of "." checks.
        return [part for part in path.split("/") if part] + (["."] if path.endswith("/") else [])

    def below_root(self, path: str) -> str | None:
        """The part of an absolute path below the root of the workspace; None when it is not below it."""
        for prefix in self._prefixes:
            if path == prefix:
                return ""
            if path.startswith(prefix.rstrip("/") + "/"):
                return path[len(prefix.rstrip("/")) + 1 :]
        return None


class _Walk:
    """One resolution: the chain of open directories from the root to where it stands."""

    def __init__(self, workspace: Workspace, path: str) -> None:
        self._workspace = workspace
        self._path = path
        self._chain: list[tuple[str, int]] = []
        self._links = 0

    def close(self) -> None:
        while self._chain:
            os.close(self._chain.pop()[1])

    def to_end(self, parts: list[str], create: bool) -> Place:
        todo = list(reversed(parts))
        while todo:
            part = todo.pop()
            if part == ".":
                continue
            if part == "..":
                if not self._chain:
                    raise outside(self._path)
                os.close(self._chain.pop()[1])
                continue
            last = not todo
            found = self._peek(part)
            if found is None and not last and create:
                self._make_directory(part)
                found = self._peek(part)
            if found is None:
                if not last:
                    raise Failure(ErrorCode.NOT_FOUND, f"`{self._path}`: no such file or directory")
                return self._place(part, None)
            status = os.fstat(found)
            if stat.S_ISLNK(status.st_mode):
                target = self._read_link(found)
                todo.extend(reversed(self._follow(target)))
            elif stat.S_ISDIR(status.st_mode):
                self._chain.append((part, found))
            else:
                os.close(found)
                if not last:
                    raise Failure(ErrorCode.NOT_FOUND, f"`{self._path}`: `{part}` is not a directory")
                return self._place(part, status)
        return self._place("", os.fstat(self._here))

    @property
    def _here(self) -> int:
        return self._chain[-1][1] if self._chain else self._workspace.root

    def _place(self, name: str, status: os.stat_result | None) -> Place:
        parts = tuple(part for part, _ in self._chain)
        return Place(self._here, name, (*parts, name) if name else parts, status)

    def _peek(self, part: str) -> int | None:
        try:
            return os.open(part, _PEEK, dir_fd=self._here)
        except FileNotFoundError:
            return None

    def _make_directory(self, part: str) -> None:
        with contextlib.suppress(FileExistsError):  # made by someone else at this moment: as good
            os.mkdir(part, dir_fd=self._here)

    def _read_link(self, link: int) -> str:
        try:
            return os.readlink("", dir_fd=link)
        finally:
            os.close(link)

    def _follow(self, target: str) -> list[str]:
        self._links += 1
        if self._links > MAX_LINKS:
            raise Failure(
                ErrorCode.INVALID_ARGUMENT, f"`{self._path}` passes through more than {MAX_LINKS} symbolic links"
            )
        if target.startswith("/"):
            inside = self._workspace.below_root(target)
            if inside is None:
                raise outside(self._path)
            self.close()  # an absolute target starts over at the root
            target = inside
        return [part for part in target.split("/") if part]
