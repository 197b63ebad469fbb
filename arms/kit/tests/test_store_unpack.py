"""Hostile and damaged archives are refused, each by its name and the offending one."""

from __future__ import annotations

import io
import tarfile
import zipfile
from pathlib import Path

import pytest
from gg_arm_kit.errors import KitError
from gg_arm_kit.unpack import unpack


def make_zip(path: Path, *names: str, data: bytes = b"data") -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            info = zipfile.ZipInfo("placeholder")
            info.filename, info.compress_type = name, zipfile.ZIP_DEFLATED
            archive.writestr(info, data)
    return path


def make_tar(path: Path, *members: tarfile.TarInfo) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for member in members:
            archive.addfile(member, io.BytesIO(b"x" * member.size))
    return path


def member(
    name: str, kind: bytes = tarfile.REGTYPE, link: str = "", size: int = 0, mode: int = 0o644
) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.size, info.mode = kind, link, size, mode
    return info


@pytest.mark.parametrize("name", ["../out", "/out", "a/../../out", "a\\..\\out"])
def test_a_zip_name_that_leads_outside_is_refused(tmp_path: Path, name: str) -> None:
    archive = make_zip(tmp_path / "a.whl", "fine", name)
    with pytest.raises(KitError, match=r"a\.whl: holds the name"):
        unpack(archive, tmp_path / "out")
    assert not (tmp_path.parent / "out").exists()


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_name_that_comes_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(KitError, match="twice"):
        unpack(make_zip(tmp_path / "a.whl", "name", "name"), tmp_path / "out")
    with pytest.raises(KitError, match="twice"):
        unpack(make_tar(tmp_path / "a.tgz", member("name"), member("./name")), tmp_path / "out2")


def test_a_zip_link_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.whl"
    with zipfile.ZipFile(path, "w") as archive:
        info = zipfile.ZipInfo("link")
        info.external_attr = 0o120777 << 16
        archive.writestr(info, "/etc/passwd")
    with pytest.raises(KitError, match="link is neither"):
        unpack(path, tmp_path / "out")


@pytest.mark.parametrize(
    "bad",
    [
        member("../out"),
        member("/out"),
        member("link", tarfile.SYMTYPE, "/etc/passwd"),
        member("link", tarfile.SYMTYPE, "../../etc"),
        member("link", tarfile.LNKTYPE, "/etc/passwd"),
        member("device", tarfile.CHRTYPE),
        member("pipe", tarfile.FIFOTYPE),
    ],
    ids=lambda info: f"{info.name}-{info.linkname}",
)
def test_a_hostile_tar_member_is_refused(tmp_path: Path, bad: tarfile.TarInfo) -> None:
    with pytest.raises(KitError, match=r"a\.tar\.gz"):
        unpack(make_tar(tmp_path / "a.tar.gz", member("fine"), bad), tmp_path / "out")


def test_a_bomb_is_stopped(tmp_path: Path) -> None:
    bomb = make_zip(tmp_path / "a.whl", "big", data=bytes(10_000_000))
    assert bomb.stat().st_size < 100_000
    with pytest.raises(KitError, match="more than 1000000 bytes"):
        unpack(bomb, tmp_path / "out", ceiling_bytes=1_000_000)
    assert sum(path.stat().st_size for path in (tmp_path / "out").rglob("*")) <= 1_000_000
    tar = make_tar(tmp_path / "a.tgz", member("big", size=2_000_000))
    with pytest.raises(KitError, match="more than 1000000 bytes"):
        unpack(tar, tmp_path / "out2", ceiling_bytes=1_000_000)


@pytest.mark.parametrize("name", ["a.whl", "a.tar.gz", "a.tgz"])
def test_a_damaged_archive_is_an_error_of_its_name(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"nothing of the kind")
    with pytest.raises(KitError, match=f"{name}: not a sound archive"):
        unpack(tmp_path / name, tmp_path / "out")


def test_a_truncated_tar_is_an_error(tmp_path: Path) -> None:
    whole = make_tar(tmp_path / "whole.tgz", member("a", size=100_000)).read_bytes()
    (tmp_path / "a.tgz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(KitError, match="not a sound archive"):
        unpack(tmp_path / "a.tgz", tmp_path / "out")


def test_modes_links_and_dropped_files(tmp_path: Path) -> None:
    archive = make_tar(
        tmp_path / "a.tgz",
        member("top", tarfile.DIRTYPE, mode=0o755),
        member("top/tool", mode=0o755, size=3),
        member("top/plain", size=3),
        member("top/link", tarfile.SYMTYPE, "tool"),
        member("top/other/deep/header.h", size=3),
    )
    unpack(archive, tmp_path / "out", drop=["top/other/*"])
    assert (tmp_path / "out/top/tool").stat().st_mode & 0o100
    assert not (tmp_path / "out/top/plain").stat().st_mode & 0o100
    assert (tmp_path / "out/top/link").resolve() == (tmp_path / "out/top/tool").resolve()
    assert not (tmp_path / "out/top/other").exists()


def test_an_unknown_kind_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.rar").write_bytes(b"")
    with pytest.raises(KitError, match="no archive of a known kind"):
        unpack(tmp_path / "a.rar", tmp_path / "out")
