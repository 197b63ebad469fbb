"""Maps a place in emitted JavaScript back to the program, by the compiler's own source map (revision 3)."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

_DIGITS = {
    character: value
    for value, character in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
}
Place = tuple[int, int]
"""Line and column, both counted from 0; the column in UTF-16 units."""


def decode_mappings(mappings: str) -> list[tuple[list[int], list[Place]]]:
    """For each generated line, the columns where a mapping begins, in order, and the place each comes from.

    Raises:
        ValueError: the text is no mappings of a source map.
    """
    lines: list[tuple[list[int], list[Place]]] = []
    source_line = source_column = 0
    for line in mappings.split(";"):
        columns: list[int] = []
        places: list[Place] = []
        column = 0
        for segment in filter(None, line.split(",")):
            fields = _decode_segment(segment)
            column += fields[0]
            if len(fields) >= 4:  # a segment of one field says that nothing of the source stands here
                source_line += fields[2]
                source_column += fields[3]
                columns.append(column)
                places.append((source_line, source_column))
        lines.append((columns, places))
    return lines


def _decode_segment(segment: str) -> list[int]:
    fields: list[int] = []
    value = shift = 0
    for character in segment:
        if character not in _DIGITS:
            raise ValueError(f"{character!r} is no digit of a source map")
        digit = _DIGITS[character]
        value |= (digit & 31) << shift
        shift += 5
        if not digit & 32:
            fields.append(-(value >> 1) if value & 1 else value >> 1)
            value = shift = 0
    return fields


@dataclass(frozen=True)
class MappedLocations:
    """Rewrites places of ``emitted_file`` in a message to ``program_file``; strikes frames that have none there.

    Parameters:
        program_file: the model's own file.
        emitted_file: the file the engine names.
        emitted: the emitted text, which tells where a column in characters is in UTF-16 units.
        source_map: the compiler's map, as JSON text.
    """

    program_file: str
    emitted_file: str
    emitted: str
    source_map: str

    @cached_property
    def _lines(self) -> list[tuple[list[int], list[Place]]]:
        return decode_mappings(json.loads(self.source_map)["mappings"])

    @cached_property
    def _emitted_lines(self) -> list[str]:
        return self.emitted.split("\n")

    @cached_property
    def _location(self) -> re.Pattern[str]:
        return re.compile(rf"\b{re.escape(self.emitted_file)}:(\d+):(\d+)")

    def place(self, line: int, column: int) -> Place | None:
        """The program's place, counted from 1, of a place that the engine names; None where the map has none.

        Parameters:
            line: counted from 1.
            column: counted from 1, in characters.
        """
        if not 1 <= line <= min(len(self._lines), len(self._emitted_lines)):
            return None
        columns, places = self._lines[line - 1]
        before = self._emitted_lines[line - 1][: column - 1]
        found = bisect_right(columns, len(before.encode("utf-16-le")) // 2)
        if not found:
            return None
        source_line, source_column = places[found - 1]
        return source_line + 1, source_column + 1

    def rewrite(self, text: str) -> str:
        """See ``gg_arm_kit.seam.LocationMap``."""
        return "\n".join(kept for line in text.split("\n") if (kept := self._rewrite_line(line)) is not None)

    def _rewrite_line(self, line: str) -> str | None:
        is_frame = line.lstrip().startswith("at ")
        strike = False

        def mapped(found: re.Match[str]) -> str:
            nonlocal strike
            place = self.place(int(found[1]), int(found[2]))
            if place is None:
                strike = is_frame
                return self.program_file
            return f"{self.program_file}:{place[0]}:{place[1]}"

        rewritten = self._location.sub(mapped, line)
        return None if strike else rewritten
