"""The kit as an arm's build uses it."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from gg_arm_kit.artifacts import load
from gg_arm_kit.cache import Cache
from gg_arm_kit.errors import KitError
from gg_arm_kit.kit import BUILD_ENVIRONMENT, Kit
from gg_arm_kit.limits import Limits
from gg_arm_kit.lock import Ecosystem, Tool, ToolLock
from gg_arm_kit.manifest import wit_sha256
from gg_arm_kit.progress import QuietProgress
from gg_arm_kit.source import wit

SHELL = "/bin/sh"


@pytest.fixture
def kit(cache: Cache, origin: Any) -> Kit:
    """A kit with one tool, ``sample``, whose program prints a word."""
    tool = Tool(
        version="1.0",
        licence="MIT",
        ecosystem=Ecosystem.WHEEL,
        purpose="a sample",
        entry="sample/tool",
        bump="look at its changes",
        package=(origin.wheel(),),
    )
    made = Kit(lock=ToolLock(schema_=1, tool={"sample": tool}), cache=cache, progress=QuietProgress())
    made.store.fetchers = {Ecosystem.WHEEL: origin.fetcher}
    return made


def test_a_step_runs_a_pinned_tool_confined(kit: Kit) -> None:
    def make(out: Path) -> None:
        done = kit.run([kit.tool("sample")], cwd=out)
        (out / "word").write_bytes(done.stdout)

    assert (kit.step("word", "1", tools=["sample"], make=make) / "word").read_text() == "tool\n"


def test_a_tool_must_be_declared(kit: Kit) -> None:
    with pytest.raises(KitError, match="'sample' without naming it"):
        kit.step("word", "1", make=lambda out: kit.tool("sample"))
    with pytest.raises(KitError, match="no tool 'other'"):
        kit.step("word", "1", tools=["other"], make=lambda out: None)


def test_nothing_is_fetched_when_nothing_runs(kit: Kit, origin: Any) -> None:
    def make(out: Path) -> None:
        (out / "word").write_text("made")

    kit.step("word", "1", tools=["sample"], make=make)
    assert origin.fetcher.fetched == []


def test_an_entry_that_is_not_there_is_named(kit: Kit) -> None:
    tool = kit.lock.tool["sample"]
    kit.lock.tool["sample"] = tool.model_copy(update={"entry": "sample/absent"})
    with pytest.raises(KitError, match="holds no sample/absent"):
        kit.tool("sample")
    with pytest.raises(KitError, match="has no package 'other'"):
        kit.tree("sample", "other")


def test_a_child_sees_the_build_s_environment_and_nothing_of_ours(
    kit: Kit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET", "secret")
    program = "import os, json; print(json.dumps(dict(os.environ)))"
    prefix = Path(sys.base_prefix)
    python = Path(os.path.realpath(sys.executable))
    done = kit.run([python, "-c", program], cwd=tmp_path, env={"MINE": "1"}, readable=[prefix, python.parent])
    seen = json.loads(done.stdout)
    seen.pop("LC_CTYPE", None)  # Python's own doing
    assert seen == {**BUILD_ENVIRONMENT, "HOME": str(tmp_path), "TMPDIR": str(tmp_path), "MINE": "1"}


@pytest.mark.parametrize(
    ("program", "limits", "says"),
    [
        ("echo out; echo the reason >&2; exit 3", {}, "sh ended with status 3:\nthe reason"),
        ("echo only here; exit 1", {}, "sh ended with status 1:\nonly here"),
        ("kill -11 $$", {}, "signal 11"),
        ("while :; do :; done", {"cpu_secs": 0.2}, "CPU limit"),
        ("sleep 60", {"wall_secs": 0.3}, "wall limit"),
    ],
)
def test_a_child_that_fails_is_told_with_its_last_words(
    kit: Kit, tmp_path: Path, program: str, limits: dict[str, float], says: str
) -> None:
    allowed = Limits(**{"cpu_secs": 30, "memory_bytes": 1 << 30, "wall_secs": 60, **limits})  # type: ignore[arg-type]
    with pytest.raises(KitError) as caught:
        kit.run([SHELL, "-c", program], cwd=tmp_path, limits=allowed)
    assert says in caught.value.message


def test_an_artifact_names_its_tools_and_the_repository_s_wit(kit: Kit) -> None:
    facts = b'[arm]\nid = "sample"\ntitle = "Sample"\norder = 1\nprogram-file = "p"\nform = "text"\n'
    files: dict[str, Path | bytes] = {
        "component.wasm": b"\0asm",
        "arm.toml": facts + b"reports-uncaught = true\n",
        "signatures.json": b"{}",
    }
    made = kit.artifact("sample", files, ["sample"])
    record = load("sample", kit.wit_sha256, kit.cache).manifest
    assert record == made.manifest
    assert record.wit_sha256 == wit_sha256(wit())
    assert record.tools["sample"].version == "1.0"
    assert record.tools["sample"].unpacked_sha256 == (kit.lock.find("sample").package[0].unpacked_sha256,)
