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
    found = reproduce.differences(first, second)
    assert [each.file for each in found] == ["bytes", "extra", "mode"]
    assert "from byte 4 on" in str(found[0])
    assert found[0].bytes is None, "files of two sizes cannot be compared place by place"


def difference(file: str, count: int | None) -> reproduce.Difference:
    return reproduce.Difference(file, "differs", count)


LISTED = [reproduce.Listed(arm="python", file="c.wasm", **{"most-bytes": 4}, reason="a reason of twenty letters")]


@pytest.mark.parametrize(
    ("found", "left"),
    [
        ([difference("c.wasm", 4), difference("manifest.json", 64)], []),
        ([difference("c.wasm", 5), difference("manifest.json", 64)], ["c.wasm", "manifest.json"]),
        ([difference("c.wasm", None)], ["c.wasm"]),
        ([difference("manifest.json", 1)], ["manifest.json"]),
        (
            [difference("c.wasm", 1), difference("d.json", 1), difference("manifest.json", 9)],
            ["d.json", "manifest.json"],
        ),
    ],
)
def test_only_a_listed_difference_within_its_bound_is_accepted(
    found: list[reproduce.Difference], left: list[str]
) -> None:
    assert [each.file for each in reproduce.unlisted("python", found, LISTED)] == left
    assert [each.file for each in reproduce.unlisted("other", found, LISTED)] == [each.file for each in found]


def test_every_listed_difference_is_one_of_an_arm_that_is_built() -> None:
    assert {row.arm for row in reproduce.read_listed()} <= set(registry.available())
