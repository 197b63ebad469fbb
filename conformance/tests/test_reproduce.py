"""Two builds of every arm agree in every byte, and a difference would be seen."""

from __future__ import annotations

import os

import pytest
from gg_arm_kit import registry
from gg_arm_kit.kit import Kit
from gg_arm_kit.progress import QuietProgress
from gg_conformance import reproduce


@pytest.mark.parametrize("arm_id", list(registry.available()))
def test_two_builds_agree(arm_id: str) -> None:
    kit = Kit(progress=QuietProgress())
    again = bool(os.environ.get("GG_LONG"))
    assert reproduce.reproduced(arm_id, kit, again, kit.progress) == []


def test_every_kind_of_difference_is_named(tmp_path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        folder.mkdir()
        (folder / "same").write_text("same")
        (folder / "mode").write_text("")
        (folder / "bytes").write_text(f"abc {folder.name}")
    (first / "mode").chmod(0o755)
    (second / "extra").write_text("")
    faults = reproduce.differences(first, second)
    assert [fault.split(":")[0] for fault in faults] == ["bytes", "extra", "mode"]
    assert "from byte 4 on" in faults[0]
