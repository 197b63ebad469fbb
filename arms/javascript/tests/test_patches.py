"""The engine's edits fit exactly once, or say what to do."""

from __future__ import annotations

from pathlib import Path

import pytest
from gg_arm_javascript.patches import Patch, apply
from gg_arm_kit.errors import KitError

PATCHES = (Patch("a.c", "one\n", "1\n"), Patch("a.c", "two\n", "2\n"))


def test_every_edit_is_made(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("one\ntwo\nthree\n")
    apply(tmp_path, PATCHES)
    assert (tmp_path / "a.c").read_text() == "1\n2\nthree\n"


@pytest.mark.parametrize("text", ["one\n", "one\ntwo\ntwo\n"])
def test_an_edit_that_does_not_fit_once_changes_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.c").write_text(text)
    with pytest.raises(KitError, match="not once"):
        apply(tmp_path, PATCHES)
    assert (tmp_path / "a.c").read_text() == text
