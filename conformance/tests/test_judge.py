"""A cell is a pass only when everything its row says holds; each difference is named."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from gg_conformance import cli, page, show
from gg_conformance.judge import Result, Seen, Status, judge
from gg_conformance.model import Accepted, Cell, Shape
from pydantic import ValidationError

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


WHY = {"reason": "the engine has no such class", "link": "docs", "date": date(2026, 1, 1)}


def accepting(**changes: object) -> Cell:
    return CELL.model_copy(update={"accepted": Accepted.model_validate({**WHY, **changes})})


def test_an_accepted_difference_fails_both_ways() -> None:
    cell = accepting(**{"filed-as": "sandbox_trap"})
    assert judge(cell, replace(SEEN, filed_as="sandbox_trap")).status is Status.PASS
    assert "delete the row" in judge(cell, SEEN).reason
    assert judge(cell, SEEN).status is Status.DIFFERS
    assert judge(cell, replace(SEEN, filed_as="nothing")).status is Status.DIFFERS


@pytest.mark.parametrize(
    "change", [{"text": "Error"}, {"location": "program.js:3:2"}, {"location": None}, {"band": "Compiler error"}]
)
def test_what_an_accepted_difference_does_not_name_still_holds(change: dict[str, object]) -> None:
    result = judge(accepting(**{"filed-as": "sandbox_trap"}), replace(SEEN, filed_as="sandbox_trap", **change))
    assert result.status is Status.DIFFERS
    assert "another difference than the listed one" in result.reason


def test_a_place_may_be_the_accepted_difference() -> None:
    cell = accepting(at="nowhere")
    assert judge(cell, replace(SEEN, location=None)).status is Status.PASS
    assert judge(cell, replace(SEEN, location="program.js:9:9")).status is Status.DIFFERS


def test_that_the_model_is_told_nothing_may_be_accepted() -> None:
    cell = accepting(**{"filed-as": "nothing", "band": "none", "says": [], "at": "nowhere"})
    silent = Seen("nothing", None, "", None)
    assert judge(cell, silent).status is Status.PASS
    assert "told something" in judge(cell, replace(silent, text="Error")).reason


def test_an_accepted_difference_names_one() -> None:
    with pytest.raises(ValidationError, match="at least one of"):
        accepting()


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
