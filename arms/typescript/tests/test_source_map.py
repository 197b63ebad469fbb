"""Places in emitted text, mapped back to the program."""

from __future__ import annotations

import json

import pytest
from gg_arm_typescript.source_map import MappedLocations, decode_mappings

# Line 1: columns 0 and 6 come from 1:0 and 1:11 of the program; line 2: nothing; line 3: column 2 from 3:4.
MAPPINGS = "AACA,MAAW;;EAEP"
EMITTED = "const 😀x = 1;\n\n  call();\n"


def mapped() -> MappedLocations:
    return MappedLocations("program.ts", "program.js", EMITTED, json.dumps({"version": 3, "mappings": MAPPINGS}))


def test_mappings_are_decoded() -> None:
    assert decode_mappings(MAPPINGS) == [([0, 6], [(1, 0), (1, 11)]), ([], []), ([2], [(3, 4)])]


def test_large_and_negative_numbers_are_decoded() -> None:
    assert decode_mappings("gggCAA//B") == [([32768], [(0, -1023)])]


def test_what_is_no_mapping_is_refused() -> None:
    with pytest.raises(ValueError, match="'!' is no digit"):
        decode_mappings("AA!A")


@pytest.mark.parametrize(
    ("line", "column", "place"),
    [
        (1, 1, (2, 1)),
        (1, 6, (2, 1)),  # before the second mapping begins
        (1, 7, (2, 12)),
        (1, 99, (2, 12)),
        (2, 1, None),  # a line without mappings
        (3, 2, None),  # before the first mapping of its line
        (3, 3, (4, 5)),
        (0, 1, None),
        (9, 1, None),
    ],
)
def test_a_place_is_that_of_the_last_mapping_before_it(line: int, column: int, place: tuple[int, int] | None) -> None:
    assert mapped().place(line, column) == place


def test_a_column_in_characters_is_counted_in_utf_16_units() -> None:
    wide = MappedLocations("program.ts", "program.js", "'😀😀';call()", json.dumps({"mappings": "AAAA,OAAO"}))
    assert wide.place(1, 6) == (1, 8)  # column 6 is the call: two characters before it take two units each


def test_every_place_of_a_message_is_rewritten_and_frames_without_one_are_struck() -> None:
    frames = ["f (program.js:3:3)", "helper (program.js:2:1)", "<anonymous> (program.js:1:7)"]
    mapped_frames = ["f (program.ts:4:5)", "<anonymous> (program.ts:2:12)"]
    message = "\n    at ".join(["TypeError: no", *frames])
    assert mapped().rewrite(message) == "\n    at ".join(["TypeError: no", *mapped_frames])
    assert mapped().rewrite("see program.js:2:1, not a.program.json:1:1") == "see program.ts, not a.program.json:1:1"
