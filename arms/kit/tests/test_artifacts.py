"""Artifacts: made whole, moved to atomically, and refused by name when anything about them is not as it should be."""

from __future__ import annotations

import json
import shutil
import signal
from pathlib import Path
from typing import Any

import pytest
from gg_arm_kit import trees
from gg_arm_kit.artifacts import Artifact, load, make_artifact
from gg_arm_kit.cache import Cache, open_cache
from gg_arm_kit.errors import KitError
from gg_arm_kit.manifest import MANIFEST, ToolRecord, wit_sha256

WIT = "a" * 64
OTHER_WIT = "b" * 64
TOOLS = {"compiler": ToolRecord(version="1.0", unpacked_sha256=("c" * 64,))}
FACTS = b"""[arm]
id = "sample"
title = "Sample"
order = 1
program-file = "program.txt"
form = "text"
reports-uncaught = true
"""


def files(component: bytes = b"\0asm component") -> dict[str, Path | bytes]:
    return {"component.wasm": component, "arm.toml": FACTS, "signatures.json": b"{}"}


def make(cache: Cache, **more: Path | bytes) -> Artifact:
    return make_artifact(cache, "sample", "0.1.0", {**files(), **more}, TOOLS, WIT)


def test_it_is_made_and_loaded(cache: Cache, tmp_path: Path) -> None:
    sdk = tmp_path / "sdk"
    (sdk / "deep").mkdir(parents=True)
    (sdk / "deep" / "file").write_text("text")
    (sdk / "tool").write_text("#!/bin/sh\n")
    (sdk / "tool").chmod(0o555)
    made = make(cache, sdk=sdk)
    loaded = load("sample", WIT, cache)
    assert loaded == made
    assert loaded.component.read_bytes() == b"\0asm component"
    assert loaded.path("sdk/deep/file").read_text() == "text"
    assert loaded.path("sdk").is_dir()
    assert loaded.path("sdk/tool").stat().st_mode & 0o100
    assert loaded.signatures.read_text() == "{}"
    assert loaded.facts.title == "Sample"
    assert loaded.manifest.tools == TOOLS
    assert set(loaded.manifest.files) == {"component.wasm", "arm.toml", "signatures.json", "sdk/deep/file", "sdk/tool"}


def test_the_same_content_is_the_same_artifact_and_the_manifest_the_same_bytes(cache: Cache, tmp_path: Path) -> None:
    first = make(cache)
    text = (first.folder / MANIFEST).read_bytes()
    other = make_artifact(
        open_cache(tmp_path / "other"), "sample", "0.1.0", dict(reversed(files().items())), TOOLS, WIT
    )
    assert (other.folder / MANIFEST).read_bytes() == text
    assert other.folder.name == make(cache).folder.name == first.folder.name


def test_current_moves_to_the_newest(cache: Cache) -> None:
    first = make(cache)
    second = make_artifact(cache, "sample", "0.1.0", files(b"other"), TOOLS, WIT)
    assert load("sample", cache=cache).folder == second.folder != first.folder
    assert load(first.folder).folder == first.folder
    make(cache)
    assert load("sample", cache=cache).folder == first.folder
    assert sorted(
        path.name for path in (cache.root / "artifacts" / "sample").iterdir() if path.suffix != ".seen"
    ) == sorted(["current", first.folder.name, second.folder.name])


def test_only_one_in_the_cache_is_taken_on_its_fingerprint(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    made = make(cache)
    hashed: list[Path] = []
    whole = trees.file_sha256

    def counted(path: Path) -> str:
        hashed.append(path)
        return whole(path)

    monkeypatch.setattr(trees, "file_sha256", counted)
    load("sample", WIT, cache)
    assert len(hashed) == 3
    load("sample", WIT, cache)
    assert len(hashed) == 3
    load(made.folder, WIT)
    assert len(hashed) == 6, "a folder given by its path is hashed each time"


def test_one_of_another_wit_is_refused_by_name(cache: Cache) -> None:
    make(cache)
    with pytest.raises(KitError) as caught:
        load("sample", OTHER_WIT, cache)
    for part in ("'sample'", WIT[:16], OTHER_WIT[:16]):
        assert part in caught.value.message
    assert "./nox -s build -- sample" in caught.value.hint


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        ("changed", "component.wasm has the sha256"),
        ("cut", "component.wasm has 3 bytes, not 14"),
        ("lost", "component.wasm is missing"),
        ("linked", "component.wasm is missing"),
        ("lost manifest", "manifest.json cannot be read"),
        ("bad manifest", "manifest.json: damaged"),
        ("hostile manifest", "no name of a file in an artifact"),
        ("thin manifest", "manifest.json names no component.wasm"),
    ],
)
def test_a_damaged_one_is_refused_by_the_file_s_name(cache: Cache, tmp_path: Path, damage: str, says: str) -> None:
    made = make(cache)
    assert load("sample", WIT, cache) == made, "from now on only what changed is hashed again"
    component, manifest = made.component, made.folder / MANIFEST
    record = json.loads(manifest.read_bytes())
    match damage:
        case "changed":
            component.write_bytes(b"\0asm COMPONENT")
        case "cut":
            component.write_bytes(b"\0as")
        case "lost":
            component.unlink()
        case "linked":
            shutil.move(component, tmp_path / "elsewhere")
            component.symlink_to(tmp_path / "elsewhere")
        case "lost manifest":
            manifest.unlink()
        case "bad manifest":
            manifest.write_text(manifest.read_text()[:-20])
        case "hostile manifest":
            record["files"]["../../outside"] = record["files"]["arm.toml"]
            manifest.write_text(json.dumps(record))
        case "thin manifest":
            del record["files"]["component.wasm"]
            manifest.write_text(json.dumps(record))
    with pytest.raises(KitError) as caught:
        load("sample", WIT, cache)
    assert says in caught.value.message
    fresh = make(cache)
    assert load("sample", WIT, cache).component.read_bytes() == b"\0asm component", "a build mends it"
    assert fresh.folder.name == made.folder.name


@pytest.mark.parametrize("arm", ["sample", "../../etc", "", "a/b"])
def test_one_that_was_not_built_is_an_error_with_the_next_step(cache: Cache, arm: str) -> None:
    with pytest.raises(KitError) as caught:
        load(arm, WIT, cache)
    assert repr(arm) in caught.value.message


def test_one_in_the_place_of_another_arm_s_is_refused(cache: Cache) -> None:
    made = make(cache)
    shutil.copytree(made.folder, cache.folder("artifacts", "other") / "current")
    with pytest.raises(KitError, match="is an artifact of arm 'sample', not of 'other'"):
        load("other", WIT, cache)


def test_a_copy_anywhere_loads(cache: Cache, tmp_path: Path) -> None:
    made = make(cache)
    shutil.copytree(made.folder, tmp_path / "copy")
    assert load(tmp_path / "copy", WIT).manifest == made.manifest


def test_a_missing_file_is_named_when_made_and_when_asked_for(cache: Cache) -> None:
    with pytest.raises(KitError, match=r"gave no component\.wasm, signatures\.json"):
        make_artifact(cache, "sample", "0.1.0", {"arm.toml": FACTS}, TOOLS, WIT)
    with pytest.raises(KitError, match=r"has no other\.wasm"):
        make(cache).path("other.wasm")


@pytest.mark.parametrize("name", ["../outside", "/outside", "manifest.json"])
def test_a_name_that_leads_outside_is_refused(cache: Cache, name: str) -> None:
    with pytest.raises(KitError, match="no name of a file"):
        make(cache, **{name: b""})
    assert not (cache.root / "artifacts" / "outside").exists()


def test_a_kill_in_the_middle_keeps_the_old_one(cache: Cache, start: Any, tmp_path: Path) -> None:
    old = make(cache)
    slow = tmp_path / "slow"
    slow.mkdir()
    (slow / "file").write_bytes(b"")
    program = f"""
import sys, time
from pathlib import Path
from gg_arm_kit import artifacts
from gg_arm_kit.cache import open_cache
copy = artifacts._copy
def slow(content, target):
    copy(content, target)
    print("half", flush=True)
    time.sleep(60)
artifacts._copy = slow
artifacts.make_artifact(open_cache(Path(sys.argv[1])), "sample", "0.1.0",
    {{"component.wasm": b"new", "arm.toml": {FACTS!r}, "signatures.json": b"", "sdk": Path(sys.argv[2])}},
    {{}}, {WIT!r})
"""
    child = start(program, cache.root, slow)
    assert child.stdout.readline() == "half\n"
    child.send_signal(signal.SIGKILL)
    child.communicate()
    assert load("sample", WIT, cache).folder == old.folder


def test_the_wit_hash_changes_with_each_name_and_byte(tmp_path: Path) -> None:
    seen = set()
    (tmp_path / "a.wit").write_text("interface a {}")
    seen.add(wit_sha256(tmp_path))
    (tmp_path / "operations.toml").write_text("policy is not part of it")
    assert wit_sha256(tmp_path) in seen
    (tmp_path / "a.wit").write_text("interface a { }")
    seen.add(wit_sha256(tmp_path))
    (tmp_path / "a.wit").rename(tmp_path / "b.wit")
    seen.add(wit_sha256(tmp_path))
    assert len(seen) == 3
    (tmp_path / "empty").mkdir()
    with pytest.raises(KitError, match="holds no WIT"):
        wit_sha256(tmp_path / "empty")
