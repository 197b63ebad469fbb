"""Damaged artifacts and cache entries, wrong TOML, a full disk: named, with the next step, and nothing half-made."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from gg_arm_kit import artifacts
from gg_arm_kit.cache import open_cache
from gg_arm_kit.errors import KitError
from gg_conformance.reproduce import SHARED, copy_tree, search_path
from gg_conformance.user import BUILD, GG, call, listing

RUN = (*GG, "run", "--arm", "javascript", "hello.js")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "hello.js").write_text('console.log("hello");')
    return tmp_path


@pytest.fixture
def cache(folder: Path) -> Path:
    """A cache with a copy of the built arm."""
    try:
        built = artifacts.load("javascript")
    except KitError as error:
        pytest.skip(f"{error.message}: {error.hint}")
    copy = folder / "cache"
    home = copy / "artifacts" / "javascript"
    home.mkdir(parents=True)
    copy.chmod(0o700)
    shutil.copytree(built.folder, home / built.folder.name)
    (home / "current").symlink_to(built.folder.name)
    return copy


@pytest.mark.parametrize("name", ["component.wasm", "manifest.json", "signatures.json", "arm.toml"])
@pytest.mark.parametrize("how", ["changed", "cut", "gone"])
def test_a_damaged_artifact_is_named(folder: Path, cache: Path, name: str, how: str) -> None:
    path = cache / "artifacts/javascript/current" / name
    data = path.read_bytes()
    path.unlink()
    if how != "gone":
        path.write_bytes(data[: len(data) // 2] if how == "cut" else bytes([data[0] ^ 1]) + data[1:])
    before = listing(cache / "artifacts")
    done = call(RUN, folder, {"GG_CACHE": str(cache)})
    lines = done.complaint()
    assert done.code == 2
    assert name in lines[0]
    assert "uild" in lines[1]
    assert done.out == ""
    assert listing(cache / "artifacts") == before


def test_a_planted_compiled_file_is_never_loaded(folder: Path, cache: Path) -> None:
    environment = {"GG_CACHE": str(cache)}
    assert call(RUN, folder, environment).code == 0
    planted = [path for path in (cache / "compiled").rglob("*") if path.is_file() and path.stat().st_size > 1000]
    assert planted
    for path in planted:
        path.chmod(0o600)
        path.write_bytes(b"\x7fELF" + bytes(path.stat().st_size - 4))
    done = call(RUN, folder, environment)
    assert done.code == 0, done.err
    assert "hello" in done.out
    done.complaint()


def test_a_full_disk_is_told(folder: Path, cache: Path) -> None:
    """The cache lies on a disk of 3 MiB, which holds no compiled component."""
    small = folder / "small"
    small.mkdir()
    script = 'mount -t tmpfs -o size=3m,mode=700 tmpfs small && cp -a cache/. small/ && GG_CACHE="$PWD/small" exec "$@"'
    command = ["unshare", "--map-root-user", "--mount", "sh", "-c", script, "sh"]
    if subprocess.run([*command, "true"], cwd=folder, capture_output=True, check=False).returncode != 0:
        pytest.skip("no file system of its own can be mounted here")
    done = call([*command, *RUN], folder)
    message, next_step = done.complaint()[-2:]
    assert done.code == 2
    assert message.startswith("gg: ")
    assert "is full" in message
    assert "Free some space" in next_step


def test_a_full_disk_during_a_build_is_told(folder: Path) -> None:
    shared = open_cache().root
    if not all((shared / name).is_dir() for name in SHARED):
        pytest.skip("nothing has been downloaded yet")
    small = folder / "small"
    small.mkdir()
    links = " && ".join(f'ln -s "{shared / name}" small/{name}' for name in SHARED)
    look = "; code=$?; ls -A small/temp small/artifacts 2>/dev/null; exit $code"
    script = f'mount -t tmpfs -o size=512k,mode=700 tmpfs small && {links} && GG_CACHE="$PWD/small" "$@"{look}'
    command = ["unshare", "--map-root-user", "--mount", "sh", "-c", script, "sh"]
    if subprocess.run([*command, "true"], cwd=folder, capture_output=True, check=False).returncode != 0:
        pytest.skip("no file system of its own can be mounted here")
    done = call([*command, *BUILD, "javascript"], folder)
    done.complaint()
    assert done.code == 2
    assert "is full" in done.err
    assert "Free some space" in done.err
    assert [line for line in done.out.split() if not line.endswith(":")] == []


@pytest.mark.parametrize(
    ("name", "text", "command"),
    [
        ("toolchains.lock", "schema = ", "gg_arm_kit.build_command javascript"),
        ("arms/javascript/arm.toml", "[arm\n", "gg_codegen generate"),
        ("wit/operations.toml", "[[operation]\n", "gg_codegen generate"),
        ("conformance/failure_table.toml", "= 1\n", "gg_conformance --html page.html"),
    ],
)
def test_wrong_toml_is_named_and_nothing_is_written(tmp_path: Path, name: str, text: str, command: str) -> None:
    copy_tree(tmp_path)
    (tmp_path / name).write_text(text)
    before = listing(tmp_path)
    environment = {"PYTHONPATH": search_path(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    done = call([GG[0], "-m", *command.split()], tmp_path, environment)
    assert done.code == 2
    lines = done.complaint()
    assert any(name.rpartition("/")[2] in line for line in lines)
    assert lines[-1].startswith("  ")
    assert "Mend" in lines[-1]
    assert listing(tmp_path) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_cache_is_told(folder: Path, cache: Path) -> None:
    cache.chmod(0o500)
    done = call(RUN, folder, {"GG_CACHE": str(cache)})
    cache.chmod(0o700)
    assert done.code == 2
    assert "cannot be" in done.complaint()[0]
