"""The cache folder: who may own it, and what is left when a process dies."""

from __future__ import annotations

import os
import signal
import stat
from pathlib import Path
from typing import Any

import pytest
from gg_arm_kit.cache import Cache, default_root, open_cache, write_atomically
from gg_arm_kit.errors import KitError


def test_it_is_made_private_whatever_the_umask(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        cache = open_cache(tmp_path / "a" / "cache")
        cache.folder("trees")
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "a" / "cache").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "a" / "cache" / "trees").stat().st_mode) == 0o700


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777])
def test_one_that_others_can_write_is_refused(tmp_path: Path, mode: int) -> None:
    root = tmp_path / "cache"
    root.mkdir()
    root.chmod(mode)
    with pytest.raises(KitError, match="written by other users") as caught:
        open_cache(root)
    assert str(root) in caught.value.message
    assert "GG_CACHE" in caught.value.hint


def test_one_of_another_user_is_refused(tmp_path: Path) -> None:
    root = tmp_path / "cache"
    root.mkdir(mode=0o700)
    try:
        os.chown(root, 12345, 12345)
    except PermissionError:
        pytest.skip("only root can give a folder to another user")
    with pytest.raises(KitError, match="belongs to user 12345"):
        open_cache(root)


def test_a_file_in_its_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("")
    with pytest.raises(KitError, match="cannot be used"):
        open_cache(tmp_path / "cache")


def test_gg_cache_must_be_absolute(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GG_CACHE", "some/folder")
    with pytest.raises(KitError, match="not an absolute path"):
        default_root()


def test_the_default_is_in_the_user_s_cache_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("GG_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_root() == tmp_path / "gg-arms"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert default_root() == tmp_path / "home" / ".cache" / "gg-arms"


def test_a_scratch_folder_is_gone_at_the_end_even_read_only(cache: Cache) -> None:
    with cache.scratch() as scratch:
        (scratch / "a" / "b").mkdir(parents=True)
        (scratch / "a" / "b" / "file").write_text("")
        (scratch / "a" / "b").chmod(0o500)
        (scratch / "a").chmod(0o500)
    assert list((cache.root / "temp").iterdir()) == []


def test_what_a_killed_process_left_is_swept_and_what_lives_is_not(cache: Cache, start: Any) -> None:
    program = """
import sys, time
from pathlib import Path
from gg_arm_kit.cache import Cache
with Cache(Path(sys.argv[1])).scratch() as scratch:
    (scratch / "half").write_text("half")
    print(scratch, flush=True)
    time.sleep(60)
"""
    child = start(program, cache.root)
    left = Path(child.stdout.readline().strip())
    with cache.scratch() as own:
        open_cache(cache.root)
        assert left.is_dir(), "its owner lives"
        os.kill(child.pid, signal.SIGKILL)
        child.communicate()
        assert (left / "half").is_file()
        open_cache(cache.root)
        assert not left.exists()
        assert own.is_dir(), "this process lives"
    assert list((cache.root / "temp").iterdir()) == []


def test_an_atomic_write_leaves_the_old_bytes_when_it_fails(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_atomically(path, b"old")
    with pytest.raises(TypeError):
        write_atomically(path, "text")  # type: ignore[arg-type]
    assert path.read_bytes() == b"old"
    write_atomically(path, b"new")
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]
    assert path.read_bytes() == b"new"
