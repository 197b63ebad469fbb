"""``views.open_text``, ``views.open_file`` and ``views.open_docs_view``: what a program puts in front of the model."""

from __future__ import annotations

import os
from typing import Protocol

from gg_host.failures import ErrorCode, Failure
from gg_host.generated.types import FileImage, FileRead, FileReadImage, FileReadText
from gg_host.providers import reading
from gg_host.providers.call import Call
from gg_host.providers.files import FilesProvider, file_text
from gg_host.providers.places import failure_of
from gg_host.providers.records import FileView, PictureView, TurnViews, View
from gg_host.providers.text import byte_length, cut_lines

BODY_BYTES = 65_536
LABEL_BYTES = 200
TURN_BYTES = 8 * 1024 * 1024
"""All bodies that ``open_text`` opened in a turn."""
PICTURE_BYTES = 8 * 1024 * 1024
MAX_LINE_CHARACTERS = 65_536


class DocsPages(Protocol):
    """Opens pages of documentation; ``gg_host.providers.docs.DocsProvider`` is one."""

    def open_page(self, name: str) -> None:
        """Open the page of ``name``.

        Raises:
            Failure: ``not-found``.
        """
        ...


class ViewsProvider:
    """Opens texts and pages of documentation into ``views``.

    Parameters:
        views: the turn's views.
        docs: what ``open_docs_view`` looks names up in.
    """

    def __init__(self, views: TurnViews, docs: DocsPages) -> None:
        self._views = views
        self._docs = docs

    @property
    def opened(self) -> tuple[View, ...]:
        """Every view of the turn that stands, as the report of a run tells them."""
        return self._views.views

    def open_text(self, call: Call, label: str, body: str) -> None:
        """Show a text under a label.

        Raises:
            Failure: ``invalid-argument`` for an empty label; ``limit-exceeded`` for a label of more than 200 bytes, a
                body of more than 65,536 bytes, or bodies of more than 8 MiB in the turn. Nothing is shown then.
        """
        if not label:
            raise Failure(ErrorCode.INVALID_ARGUMENT, "the label is empty")
        _bound("the label", byte_length(label), LABEL_BYTES)
        size = byte_length(body)
        _bound("the body", size, BODY_BYTES)
        _bound("the text of this turn's views", self._views.text_bytes_with(label, size), TURN_BYTES)
        self._views.open_text(label, body, size)

    def open_docs_view(self, call: Call, name: str) -> None:
        """Show a page of documentation.

        Raises:
            Failure: ``not-found``, with names that are near.
        """
        self._docs.open_page(name)


class FileViewsProvider(ViewsProvider):
    """Opens files as well. A run without files has ``ViewsProvider``, so that ``views.open_file`` is not granted.

    Parameters:
        views: the turn's views.
        docs: what ``open_docs_view`` looks names up in.
        files: what ``open_file`` reads with.
    """

    def __init__(self, views: TurnViews, docs: DocsPages, files: FilesProvider) -> None:
        super().__init__(views, docs)
        self._files = files

    def open_file(
        self, call: Call, path: str, offset: int | None, limit: int | None, max_line_chars: int | None
    ) -> FileRead:
        """Read a file and show it, a picture too.

        Raises:
            Failure: as ``files.read_file``; ``limit-exceeded`` when the text of the view has more than 65,536 bytes;
                ``invalid-argument`` when ``max_line_chars`` is not in 1 to 65,536.
        """
        reading.check_range(offset, limit)
        if max_line_chars is not None and not 1 <= max_line_chars <= MAX_LINE_CHARACTERS:
            what = f"the number of characters of a line is {max_line_chars}"
            raise Failure(ErrorCode.INVALID_ARGUMENT, f"{what}; it must be from 1 to {MAX_LINE_CHARACTERS:,}")
        opened = self._files.open(path)
        try:
            wanted = self._files.effective_limit(limit)
            found = reading.read(call, opened, path, offset, wanted)
            if isinstance(found, reading.Picture):
                return self._picture(opened, path, found)
            body = _view_text(call, opened, found, wanted, max_line_chars)
        except OSError as error:
            raise failure_of(error, path) from error
        finally:
            os.close(opened)
        self._views.open(FileView(path, offset, limit, found.first_line, found.last_line, found.total_lines, body))
        return FileReadText(file_text(found))

    def _picture(self, opened: int, path: str, found: reading.Picture) -> FileRead:
        # Read one byte more than the bound: the file may grow while it is read.
        data = _read_up_to(opened, PICTURE_BYTES + 1) if found.size <= PICTURE_BYTES else b""
        shown = 0 < len(data) <= PICTURE_BYTES
        if shown:
            self._views.open(PictureView(path, found.media_type, data))
        size = len(data) if shown else max(found.size, len(data))
        reason = None if shown else f"the picture has {size:,} bytes; at most {PICTURE_BYTES:,} are shown"
        return FileReadImage(FileImage(found.media_type, path, size, shown, reason))


def _read_up_to(opened: int, most: int) -> bytes:
    data = bytearray()
    while len(data) < most and (block := os.pread(opened, most - len(data), len(data))):
        data += block
    return bytes(data)


def _view_text(call: Call, opened: int, found: reading.TextRange, limit: int | None, max_line_chars: int | None) -> str:
    if max_line_chars is None:
        _bound("the text of the view", max(found.range_bytes, byte_length(found.contents)), BODY_BYTES)
        return found.contents
    if not found.byte_truncated:
        body = cut_lines(found.contents, max_line_chars)
        _bound("the text of the view", byte_length(body), BODY_BYTES)
        return body
    cut = reading.cut_range(call, opened, found, limit, max_line_chars, BODY_BYTES)
    if cut is None:
        raise Failure(
            ErrorCode.LIMIT_EXCEEDED,
            f"the text of the view has more than {BODY_BYTES:,} bytes, also with its lines cut; read fewer lines",
        )
    return cut


def _bound(what: str, size: int, bound: int) -> None:
    if size > bound:
        raise Failure(ErrorCode.LIMIT_EXCEEDED, f"{what} has {size:,} bytes; at most {bound:,} are allowed")
