"""The ``files`` operations over one folder."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass

from gg_host.failures import ErrorCode, Failure
from gg_host.generated.types import (
    DirEntry,
    EntryKind,
    FileImage,
    FileRead,
    FileReadImage,
    FileReadText,
    FileText,
    SearchMatch,
)
from gg_host.providers import reading, replacing, search, tree
from gg_host.providers.call import Call
from gg_host.providers.paths import Workspace
from gg_host.providers.places import failure_of, printable

EDIT_CAP_BYTES = 64 * 1024 * 1024
"""Largest file that ``edit_file`` changes; it is held in memory while it is."""


@dataclass(frozen=True, slots=True)
class Unlimited:
    """A read without a limit goes to the end of the file."""


@dataclass(frozen=True, slots=True)
class DefaultCap:
    """A read without a limit returns ``line_cap`` lines at most; a limit given by the program may be larger."""

    line_cap: int

    def __post_init__(self) -> None:
        if self.line_cap < 1:
            raise ValueError(f"line_cap is {self.line_cap}; it must be 1 or more")


ReadMode = Unlimited | DefaultCap


class FilesProvider:
    """Reads, writes, lists and searches the files of ``workspace``, and nothing outside it.

    Parameters:
        workspace: the folder paths are relative to.
        read_mode: how far a read goes when the program gives no limit.
    """

    def __init__(self, workspace: Workspace, read_mode: ReadMode | None = None) -> None:
        self._workspace = workspace
        self._read_mode: ReadMode = read_mode or Unlimited()

    def read_file(self, call: Call, path: str, offset: int | None, limit: int | None) -> FileRead:
        """Read lines of a text file, or the description of a picture.

        Raises:
            Failure: ``not-found``, ``invalid-argument`` or ``io-error``, as the operation's documentation says.
        """
        found = self._read(call, path, offset, limit)
        if isinstance(found, reading.Picture):
            reason = "this call shows no picture; `views.open_file` does"
            return FileReadImage(FileImage(found.media_type, path, found.size, False, reason))
        return FileReadText(file_text(found))

    def read_text_file(self, call: Call, path: str, offset: int | None, limit: int | None) -> str:
        """Read lines of a text file, and refuse a picture.

        Raises:
            Failure: as ``read_file``; ``invalid-argument`` for a picture.
        """
        found = self._read(call, path, offset, limit)
        if isinstance(found, reading.Picture):
            raise Failure(ErrorCode.INVALID_ARGUMENT, f"`{path}` is a picture ({found.media_type}), not text")
        return found.contents

    def write_file(self, call: Call, path: str, contents: str) -> int:
        """Write a whole file, making the directories above it; returns its size in bytes.

        Raises:
            Failure: ``invalid-argument`` or ``io-error``.
        """
        data = contents.encode()
        replacing.replace(self._workspace, path, data, create_parents=True)
        return len(data)

    def edit_file(self, call: Call, path: str, old_string: str, new_string: str) -> None:
        """Replace the one occurrence of a text.

        Raises:
            Failure: ``not-found`` for a missing file or text; ``conflict`` when the text occurs more than once;
                ``invalid-argument`` for an empty text; ``limit-exceeded`` for a file of more than 64 MiB.
        """
        if not old_string:
            raise Failure(ErrorCode.INVALID_ARGUMENT, "the text to replace is empty")
        data = self._whole(call, path)
        old = old_string.encode()
        position = data.find(old)
        if position < 0:
            raise Failure(ErrorCode.NOT_FOUND, f"the text to replace does not occur in `{path}`")
        if data.find(old, position + 1) >= 0:
            # Places that overlap are two as well, though ``count`` sees one.
            count = max(2, data.count(old))
            raise Failure(
                ErrorCode.CONFLICT, f"the text to replace occurs {count} times in `{path}`; it must occur once"
            )
        changed = data[:position] + new_string.encode() + data[position + len(old) :]
        replacing.replace(self._workspace, path, changed, create_parents=False)

    def list_dir(self, call: Call, path: str | None) -> list[DirEntry]:
        """List one directory, sorted by name.

        Raises:
            Failure: ``not-found`` or ``invalid-argument``.
        """
        opened, _ = self._workspace.open_directory("." if path is None else path)
        try:
            names = sorted(os.listdir(opened), key=printable)  # noqa: PTH208 - by descriptor, which no path can do
            return [DirEntry(printable(name), self._kind(opened, path, name)) for name in names]
        except OSError as error:
            raise failure_of(error, path or ".") from error
        finally:
            os.close(opened)

    def search(self, call: Call, query: str, path: str | None, limit: int | None) -> list[SearchMatch]:
        """Find lines that match a regular expression; see ``gg_host.providers.search``.

        Raises:
            Failure: ``invalid-argument``, ``not-found`` or ``limit-exceeded``.
        """
        return search.search(call, self._workspace, query, path, limit)

    def tree(self, call: Call, path: str | None, depth: int | None) -> str:
        """Render the directories and files below a place; see ``gg_host.providers.tree``.

        Raises:
            Failure: ``invalid-argument``, ``not-found`` or ``limit-exceeded``.
        """
        return tree.tree(call, self._workspace, path, depth)

    def open(self, path: str) -> int:
        """Open a file for ``views``; the caller closes the descriptor.

        Raises:
            Failure: as ``read_file``.
        """
        return self._workspace.open_file(path)[0]

    def effective_limit(self, limit: int | None) -> int | None:
        """The limit of a read for which the program gave ``limit``."""
        if limit is None and isinstance(self._read_mode, DefaultCap):
            return self._read_mode.line_cap
        return limit

    def _read(
        self, call: Call, path: str, offset: int | None, limit: int | None
    ) -> reading.TextRange | reading.Picture:
        reading.check_range(offset, limit)
        opened = self.open(path)
        try:
            return reading.read(call, opened, path, offset, self.effective_limit(limit))
        except OSError as error:
            raise failure_of(error, path) from error
        finally:
            os.close(opened)

    def _whole(self, call: Call, path: str) -> bytes:
        opened, _ = self._workspace.open_file(path)
        with os.fdopen(opened, "rb") as stream:
            size = os.fstat(opened).st_size
            try:
                data = stream.read(EDIT_CAP_BYTES + 1)
            except OSError as error:
                raise failure_of(error, path) from error
        call.check()
        if len(data) > EDIT_CAP_BYTES:
            bound = f"{EDIT_CAP_BYTES:,} bytes"
            raise Failure(
                ErrorCode.LIMIT_EXCEEDED, f"`{path}` has {max(size, len(data)):,} bytes; an edit takes at most {bound}"
            )
        return data

    def _kind(self, folder: int, path: str | None, name: str) -> EntryKind:
        try:
            status = os.stat(name, dir_fd=folder, follow_symlinks=False)
        except OSError:
            return EntryKind.OTHER
        if stat.S_ISLNK(status.st_mode):
            try:
                with self._workspace.resolve(f"{path or '.'}/{name}") as place:
                    return _kind_of(place.status)
            except Failure:  # it leads out of the workspace, round in a circle, or nowhere
                return EntryKind.OTHER
        return _kind_of(status)


def file_text(found: reading.TextRange) -> FileText:
    """The record a program receives for a range of lines."""
    return FileText(found.contents, found.first_line, found.last_line, found.total_lines, found.byte_truncated)


def _kind_of(status: os.stat_result | None) -> EntryKind:
    if status is None:
        return EntryKind.OTHER
    if stat.S_ISREG(status.st_mode):
        return EntryKind.FILE
    return EntryKind.DIRECTORY if stat.S_ISDIR(status.st_mode) else EntryKind.OTHER
