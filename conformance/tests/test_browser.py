"""What the browser check finds in a damaged page, and that a real browser finds nothing in a whole one."""

from __future__ import annotations

import pytest
from gg_arm_kit.errors import KitError
from gg_conformance import browser, page
from gg_conformance.judge import Seen, judge
from gg_conformance.model import read_table

CELL = next(cell for cell in read_table() if cell.program)
WHOLE = page.render(
    [judge(CELL, Seen(CELL.filed_as, CELL.band, " ".join(CELL.says), CELL.at, 0.01, {"outcome": "error"}))],
    {CELL.arm: CELL.arm},
)


def test_a_whole_page_has_no_fault() -> None:
    assert browser.examine(WHOLE) == []


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("<section id=", "<section data-id=", "opens nothing"),
        ('<pre class="reads">', "<pre>", "is missing"),
        ('<meta charset="utf-8">', '<script src="x.js"></script>', "from outside"),
        ("<a class=", "<a data-class=", "no cell"),
    ],
)
def test_damage_is_named(old: str, new: str, words: str) -> None:
    assert old in WHOLE
    assert any(words in fault for fault in browser.examine(WHOLE.replace(old, new)))


def test_no_page_and_no_browser_say_what_to_do(tmp_path, monkeypatch) -> None:
    with pytest.raises(KitError, match=r"\./nox -s table"):
        browser.main(tmp_path / "table.html")
    (tmp_path / "table.html").write_text(WHOLE)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(KitError, match="apt install chromium"):
        browser.main(tmp_path / "table.html")


def test_a_real_browser_opens_every_cell(tmp_path) -> None:
    try:
        program = browser.find_browser()
    except KitError as error:
        pytest.skip(str(error))
    (tmp_path / "table.html").write_text(WHOLE)
    assert browser.examine(browser.dump(program, tmp_path / "table.html")) == []
