"""Reading a range of lines of one open file, within a bound of memory however large the file is."""

from __future__ import annotations

import codecs
import os
from dataclasses import dataclass

from gg_host.failures import ErrorCode, Failure
from gg_host.providers import pictures
from gg_host.providers.call import Call
from gg_host.providers.text import byte_length, decode, head

TEXT_CAP_BYTES = 256 * 1024
"""Most text that one read returns (the operations table: 256 KiB)."""
_BLOCK_BYTES = 256 * 1024
_LINES_MAX = 2**32 - 1
"""Line numbers cross the membrane as u32."""


@dataclass(frozen=True, slots=True)
class TextRange:
    """Lines of a text file.

    Parameters:
        contents: the lines with their endings, at most ``TEXT_CAP_BYTES`` of UTF-8.
        first_line: number of the first line, from 1; 0 for an empty file.
        last_line: number of the last line of which anything is in ``contents``; 0 for an empty file.
        total_lines: lines of the whole file; a last line without a line ending counts.
        byte_truncated: whether the cap cut the contents.
        range_bytes: size in the file of all the lines asked for, bytes.
    """

    contents: str
    first_line: int
    last_line: int
    total_lines: int
    byte_truncated: bool
    range_bytes: int


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture file: its media type and its size in bytes."""

    media_type: str
    size: int


def check_range(offset: int | None, limit: int | None) -> None:
    """Refuse an offset or a limit of 0.

    Raises:
        Failure: ``invalid-argument``.
    """
    if offset == 0:
        raise Failure(ErrorCode.INVALID_ARGUMENT, "the offset is 0; lines are counted from 1")
    if limit == 0:
        raise Failure(ErrorCode.INVALID_ARGUMENT, "the limit is 0; leave it out or ask for at least one line")


def read(call: Call, opened: int, path: str, offset: int | None, limit: int | None) -> TextRange | Picture:
    """Read lines ``offset`` and following, ``limit`` of them at most, from the open file ``opened``.

    Raises:
        Failure: ``invalid-argument`` when the offset lies past the end; ``limit-exceeded`` when the call's time
            is over.
        OSError: the machine could not read.
    """
    start = os.pread(opened, pictures.HEAD_BYTES, 0)
    if kind := pictures.media_type(start):
        return Picture(kind, os.fstat(opened).st_size)
    scan = _Scan(offset or 1, limit)
    position = 0
    while block := os.pread(opened, _BLOCK_BYTES, position):
        call.check()
        scan.feed(block)
        position += len(block)
    return scan.result(path)


class _Scan:
    """Counts every line of a file and keeps the bytes of those asked for, up to the cap."""

    def __init__(self, offset: int, limit: int | None) -> None:
        self._first = offset
        self._end = offset + limit if limit is not None else _LINES_MAX + offset
        self._line = 1  # number of the line the next byte belongs to
        self._line_has_bytes = False
        self._kept = bytearray()
        self._range_bytes = 0

    def feed(self, block: bytes) -> None:
        start = 0
        while start < len(block):
            if self._line < self._first:
                stop = _after_newlines(block, start, self._first - self._line)
            elif self._line < self._end:
                stop = _after_newlines(block, start, self._end - self._line)
                self._range_bytes += stop - start
                # Four bytes more than the cap show whether the character at the cap is whole.
                self._kept += block[start : min(stop, start + TEXT_CAP_BYTES + 4 - len(self._kept))]
            else:
                stop = len(block)
            self._line += block.count(b"\n", start, stop)
            self._line_has_bytes = block[stop - 1 : stop] != b"\n"
            start = stop

    def result(self, path: str) -> TextRange:
        total = self._line if self._line_has_bytes else self._line - 1
        if self._first > max(total, 1):
            lines = "1 line" if total == 1 else f"{total} lines"
            raise Failure(
                ErrorCode.INVALID_ARGUMENT, f"`{path}` has {lines}; the offset {self._first} lies past the end"
            )
        if total == 0:
            return TextRange("", 0, 0, 0, False, 0)
        kept = decode(bytes(self._kept))
        contents = head(kept, TEXT_CAP_BYTES)
        truncated = self._range_bytes > len(self._kept) or len(contents) < len(kept)
        inner = contents.count("\n") - contents.endswith("\n")
        return TextRange(contents, self._first, self._first + inner, total, truncated, self._range_bytes)


def _after_newlines(block: bytes, start: int, count: int) -> int:
    """The position after the ``count``-th line ending at or after ``start``; the end of ``block`` when it has fewer."""
    if block.count(b"\n", start) < count:
        return len(block)
    for _ in range(count):
        start = block.index(b"\n", start) + 1
    return start


def cut_range(call: Call, opened: int, text: TextRange, limit: int | None, size: int, cap: int) -> str | None:
    """The lines of ``text`` read again, each cut at ``size`` characters; None when they take more than ``cap`` bytes.

    For a range larger than one read returns: however long a line is, only its beginning is held.
    """
    cutter = _Cutter(text.first_line, limit, size, cap)
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    position = 0
    while not cutter.done and (block := os.pread(opened, _BLOCK_BYTES, position)):
        call.check()
        cutter.feed(decoder.decode(block))
        position += len(block)
    return cutter.result(decoder.decode(b"", final=True))


class _Cutter:
    def __init__(self, first: int, limit: int | None, size: int, cap: int) -> None:
        self._first, self._size, self._cap = first, size, cap
        self._end = None if limit is None else first + limit
        self._number = 1
        self._start = ""  # beginning of the current line, one character more than is shown so that a "\r" is seen
        self._length = 0  # characters of the current line so far
        self._last = ""
        self._lines: list[str] = []
        self._total = 0
        self.done = False

    def feed(self, text: str) -> None:
        *whole, rest = text.split("\n")
        for piece in whole:
            self._extend(piece)
            self._finish("\n")
            if self.done:
                return
        self._extend(rest)

    def result(self, rest: str) -> str | None:
        if not self.done:
            self._extend(rest)
            if self._length:
                self._finish("")
        return "".join(self._lines) if self._total <= self._cap else None

    def _extend(self, piece: str) -> None:
        if piece and self._number >= self._first:
            self._start += piece[: self._size + 1 - len(self._start)]
            self._last = piece[-1]
            self._length += len(piece)

    def _finish(self, newline: str) -> None:
        if self._number >= self._first:
            ending = "\r" if self._last == "\r" and newline else ""
            length = self._length - len(ending)
            missing = length - self._size
            shown = self._start[: min(length, self._size)] + (f" ({missing} more chars...)" if missing > 0 else "")
            self._lines.append(shown + ending + newline)
            self._total += byte_length(self._lines[-1])
        self._number += 1
        self._start, self._length, self._last = "", 0, ""
        self.done = self._total > self._cap or (self._end is not None and self._number >= self._end)
