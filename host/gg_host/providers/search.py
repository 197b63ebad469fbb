"""``files.search``: ripgrep finds the lines, and each file it names is read again through the confined workspace.

Ripgrep's expressions take linear time. It walks by name, so a directory swapped for a link under it could lead it
out; what a program receives is therefore read by ``Workspace``, and a line that is not the same there is dropped.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from itertools import groupby

from gg_host.failures import ErrorCode, Failure
from gg_host.generated.types import SearchMatch
from gg_host.providers import ignores, ripgrep
from gg_host.providers.call import Call
from gg_host.providers.paths import Workspace
from gg_host.providers.text import cut_line, decode

DEFAULT_LIMIT = 50
MAX_LIMIT = 200
LINE_CHARACTERS = 200
"""A line is shown to this many characters; more are counted."""
MAX_QUERY_BYTES = 64 * 1024
"""Half of what Linux takes as one argument of a command (``MAX_ARG_STRLEN``)."""
_BLOCK_BYTES = 256 * 1024
_LONG_LINE_BYTES = 1024 * 1024


def search(call: Call, workspace: Workspace, query: str, path: str | None, limit: int | None) -> list[SearchMatch]:
    """Find the lines that match ``query``, in the order of path (part by part), then line.

    Parameters:
        query: an expression in the syntax of Rust's ``regex`` crate, tried on each line.
        path: a directory or one file; the root when None.
        limit: most matches to return: 50 when None, and never more than 200.

    Raises:
        Failure: ``invalid-argument`` for a blank or malformed query, a limit of 0 or a path that leads out;
            ``not-found`` for a missing path; ``limit-exceeded`` when the call's time is over.
    """
    _check_query(query)
    if limit == 0:
        raise Failure(ErrorCode.INVALID_ARGUMENT, "the limit is 0; leave it out or ask for at least one match")
    with workspace.resolve("." if path is None else path) as place:
        if place.status is None:
            raise Failure(ErrorCode.NOT_FOUND, f"`{path}`: no such file or directory")
        if not (place.is_directory or place.is_file):
            raise Failure(ErrorCode.INVALID_ARGUMENT, f"`{path}` is neither a directory nor a regular file")
    if ".git" in place.parts:
        return []
    wanted = min(limit or DEFAULT_LIMIT, MAX_LIMIT)
    with ignores.file_above(workspace, place.parts) as above:
        hits = ripgrep.search(call, workspace.path, above, query, "/".join((".", *place.parts)), wanted)
        with contextlib.closing(hits):
            return _first(call, workspace, hits, wanted)


def _first(call: Call, workspace: Workspace, hits: Iterator[ripgrep.Hit], wanted: int) -> list[SearchMatch]:
    found: list[SearchMatch] = []
    for name, group in groupby(hits, key=lambda hit: hit.path):
        found += _confirmed(call, workspace, name, {hit.line: hit.text for hit in group})
        if len(found) >= wanted:
            break
    return found[:wanted]


def _check_query(query: str) -> None:
    if not query.strip():
        raise Failure(ErrorCode.INVALID_ARGUMENT, "the query is blank")
    if "\0" in query or "\n" in query:
        raise Failure(
            ErrorCode.INVALID_ARGUMENT, "the query holds a NUL or a line break; it is tried on one line at a time"
        )
    if len(query.encode()) > MAX_QUERY_BYTES:
        raise Failure(ErrorCode.INVALID_ARGUMENT, f"the query is longer than {MAX_QUERY_BYTES:,} bytes")


def _confirmed(call: Call, workspace: Workspace, name: bytes, hits: dict[int, bytes]) -> list[SearchMatch]:
    """The hits of one file that are really there; none when the file holds a NUL byte."""
    path = os.fsdecode(name)
    try:
        opened, place = workspace.open_file(path)
    except Failure:  # gone by now, or led out by a link
        return []
    try:
        lines = _read_lines(call, opened, hits)
    except OSError:
        return []
    finally:
        os.close(opened)
    return [SearchMatch(place.shown, number, cut_line(decode(line), LINE_CHARACTERS)) for number, line in lines.items()]


def _read_lines(call: Call, opened: int, hits: dict[int, bytes]) -> dict[int, bytes]:
    found: dict[int, bytes] = {}
    number = 1
    line = bytearray()

    def finish(ending: bytes) -> None:
        if number in hits:
            text = bytes(line).removesuffix(b"\r") if ending else bytes(line)
            if number == 1:
                text = text.removeprefix(b"\xef\xbb\xbf")
            if ripgrep.same_line(hits[number], text):
                found[number] = text

    position = 0
    while block := os.pread(opened, _BLOCK_BYTES, position):
        call.check()
        if b"\0" in block:
            return {}
        position += len(block)
        start = 0
        while (end := block.find(b"\n", start)) >= 0:
            if number in hits:
                line += block[start:end]
                finish(b"\n")
                line.clear()
            number += 1
            start = end + 1
        if number in hits and len(line) < _LONG_LINE_BYTES:
            line += block[start:]
    if line:
        finish(b"")
    return found
