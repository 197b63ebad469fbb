"""Tree hashes and seals: every change is seen, a copy is recognised, links stay inside."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from gg_arm_kit import trees
from gg_arm_kit.cache import remove_tree
from gg_arm_kit.errors import KitError


@pytest.fixture
def envelope(tmp_path: Path) -> Path:
    content = tmp_path / "envelope" / trees.CONTENT
    (content / "folder").mkdir(parents=True)
    (content / "folder" / "file").write_text("12345")
    (content / "tool").write_text("#!/bin/sh\n")
    (content / "tool").chmod(0o755)
    (content / "link").symlink_to("folder/file")
    return tmp_path / "envelope"


def open_up(envelope: Path) -> Path:
    content = envelope / trees.CONTENT
    for path in (content, content / "folder", content / "folder" / "file"):
        path.chmod(0o700)
    return content


def test_a_sealed_folder_checks_and_is_read_only(envelope: Path) -> None:
    tree = trees.seal(envelope)
    assert trees.check(envelope) == tree == trees.tree_sha256(envelope / trees.CONTENT)
    assert (envelope / trees.CONTENT / "folder" / "file").stat().st_mode & 0o777 == 0o444
    assert (envelope / trees.CONTENT / "tool").stat().st_mode & 0o777 == 0o555


def test_a_change_that_keeps_size_and_time_is_seen(envelope: Path) -> None:
    trees.seal(envelope)
    path = open_up(envelope) / "folder" / "file"
    before = path.stat()
    path.write_text("54321")
    path.chmod(0o444)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_mtime_ns == before.st_mtime_ns
    assert trees.check(envelope) is None


@pytest.mark.parametrize("damage", ["extra", "missing", "renamed", "executable", "relinked", "seal", "no seal"])
def test_each_damage_is_seen(envelope: Path, damage: str) -> None:
    trees.seal(envelope)
    content = open_up(envelope)
    match damage:
        case "extra":
            (content / "folder" / "planted").write_text("")
        case "missing":
            (content / "folder" / "file").unlink()
        case "renamed":
            (content / "folder" / "file").rename(content / "folder" / "other")
        case "executable":
            (content / "folder" / "file").chmod(0o555)
        case "relinked":
            (content / "link").unlink()
            (content / "link").symlink_to("tool")
        case "seal":
            (envelope / trees.SEAL).write_text("[]")
        case "no seal":
            (envelope / trees.SEAL).unlink()
    assert trees.check(envelope) is None


def test_a_copy_elsewhere_is_recognised_by_its_hash_and_sealed_anew(envelope: Path, tmp_path: Path) -> None:
    tree = trees.seal(envelope)
    copy = tmp_path / "copy"
    shutil.copytree(envelope, copy, symlinks=True)
    stale = (copy / trees.SEAL).read_bytes()
    assert trees.check(copy) == tree
    assert (copy / trees.SEAL).read_bytes() != stale
    assert trees.check(copy) == tree


@pytest.mark.parametrize("target", ["/etc/passwd", "../../outside", "folder/../../../outside"])
def test_a_link_that_leads_outside_is_refused_by_name(envelope: Path, target: str) -> None:
    (envelope / trees.CONTENT / "bad").symlink_to(target)
    with pytest.raises(KitError, match="bad: a link that leads out"):
        trees.seal(envelope)


def test_what_is_no_file_is_refused(envelope: Path) -> None:
    os.mkfifo(envelope / trees.CONTENT / "pipe")
    with pytest.raises(KitError, match="pipe: neither a file"):
        trees.seal(envelope)


def test_another_boot_means_a_full_hash(envelope: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = trees.seal(envelope)
    monkeypatch.setattr(trees, "boot", lambda: "another")
    hashed: list[Path] = []
    whole = trees.tree_sha256

    def counted(folder: Path) -> str:
        hashed.append(folder)
        return whole(folder)

    monkeypatch.setattr(trees, "tree_sha256", counted)
    assert trees.check(envelope) == tree
    assert len(hashed) == 1
    assert trees.check(envelope) == tree
    assert len(hashed) == 1, "the second check is cheap again"


def test_the_hash_knows_no_place_and_no_time(envelope: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(envelope / trees.CONTENT, other, symlinks=True)
    os.utime(other / "tool", (1, 1))
    assert trees.tree_sha256(other) == trees.tree_sha256(envelope / trees.CONTENT)


def test_a_read_only_tree_can_be_removed(envelope: Path) -> None:
    trees.seal(envelope)
    remove_tree(envelope)
    assert not envelope.exists()
