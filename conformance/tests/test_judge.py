"""A cell is a pass only when everything its row says holds; each difference is named."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from gg_conformance import cli, page, show
from gg_conformance.judge import Result, Seen, Status, judge
from gg_conformance.model import Accepted, Cell, Shape

CELL = Cell.model_validate(
    {
        "arm": "javascript",
        "shape": "a",
        "filed-as": "program_throw",
        "program": "a.js",
        "band": "Runtime error",
        "says": ["TypeError"],
        "at": "program.js:4:2",
    }
)
SEEN = Seen("program_throw", "Runtime error", "TypeError: no", "program.js:4:2", 0.01, {"outcome": "error"})


def test_a_cell_that_holds_passes() -> None:
    assert judge(CELL, SEEN).status is Status.PASS


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"filed_as": "nothing"}, "filed as nothing, not program_throw"),
        ({"band": None}, "read in the band none, not Runtime error"),
        ({"text": "Error"}, "does not say 'TypeError'"),
        ({"text": " \n"}, "told nothing"),
        ({"location": "program.js:3:2"}, "located at program.js:3:2, not program.js:4:2"),
        ({"location": None}, "located at nowhere, not program.js:4:2"),
    ],
)
def test_every_difference_is_named(change: dict[str, object], words: str) -> None:
    result = judge(CELL, replace(SEEN, **change))
    assert result.status is Status.DIFFERS
    assert words in result.reason
    assert cli.exit_code([result]) == 1


def test_nowhere_means_that_no_place_is_attached() -> None:
    cell = CELL.model_copy(update={"at": "nowhere"})
    assert judge(cell, replace(SEEN, location=None)).status is Status.PASS
    assert "although the language gives no place" in judge(cell, SEEN).reason


ACCEPTED = Accepted.model_validate(
    {"reason": "the engine has no such class", "link": "docs", "date": date(2026, 1, 1), "filed-as": "sandbox_trap"}
)


def test_an_accepted_difference_fails_both_ways() -> None:
    cell = CELL.model_copy(update={"accepted": ACCEPTED})
    assert judge(cell, replace(SEEN, filed_as="sandbox_trap")).status is Status.PASS
    assert "delete the row" in judge(cell, SEEN).reason
    assert judge(cell, SEEN).status is Status.DIFFERS
    assert judge(cell, replace(SEEN, filed_as="nothing")).status is Status.DIFFERS


@pytest.mark.parametrize(
    ("status", "code"), [(Status.PASS, 0), (Status.NOT_BUILT, 0), (Status.DIFFERS, 1), (Status.UNAVAILABLE, 1)]
)
def test_only_a_pass_and_a_missing_arm_are_no_failure(status: Status, code: int) -> None:
    result = Result(CELL, status, "reason")
    assert cli.exit_code([result]) == code
    assert f"1 {status.value}" in show.summary([result])
    assert result.as_json()["status"] == status.value


def test_the_page_holds_everything_and_escapes_it() -> None:
    result = judge(CELL, replace(SEEN, text="TypeError: <script>alert(1)</script>"))
    text = page.render([result], {"javascript": "JavaScript"})
    assert "<script>" not in text
    assert "&lt;script&gt;" in text
    assert 'id="javascript-a"' in text
    assert Shape("a").heading in text
