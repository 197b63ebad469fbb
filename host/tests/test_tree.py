"""``files.tree`` over real folders."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from gg_host.failures import ErrorCode, Failure
from gg_host.providers.call import Call
from gg_host.providers.files import FilesProvider
from gg_host.providers.paths import Workspace

CALL = Call("files.tree")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a/b/c/deep.txt", "a/one.txt", "a/b/two.txt", "z.txt", ".hidden/x", "build/out.o", ".git/config"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    (tmp_path / ".gitignore").write_text("build/\n*.log\n")
    (tmp_path / "a" / "noise.log").write_text("x")
    return tmp_path


@pytest.fixture
def files(folder: Path) -> Iterator[FilesProvider]:
    with Workspace(folder) as workspace:
        yield FilesProvider(workspace)


def failure_of(files: FilesProvider, *arguments: object) -> Failure:
    with pytest.raises(Failure) as caught:
        files.tree(CALL, *arguments)
    return caught.value


def test_two_levels_without_what_is_ignored(files: FilesProvider) -> None:
    assert files.tree(CALL, None, None).splitlines() == [
        ".gitignore",
        ".hidden/",
        "  x",
        "a/",
        "  b/ (2 entries not walked)",
        "  one.txt",
        "z.txt",
    ]


def test_one_level(files: FilesProvider) -> None:
    assert files.tree(CALL, None, 1).splitlines() == [
        ".gitignore",
        ".hidden/ (1 entry not walked)",
        "a/ (2 entries not walked)",
        "z.txt",
    ]


def test_below_a_directory_the_rules_above_it_hold(files: FilesProvider) -> None:
    assert files.tree(CALL, "a", 10).splitlines() == ["b/", "  c/", "    deep.txt", "  two.txt", "one.txt"]
    assert files.tree(CALL, "a", 4_000_000_000) == files.tree(CALL, "a", 10)


def test_an_empty_directory_and_a_repository_s_own_are_empty(files: FilesProvider, folder: Path) -> None:
    (folder / "empty").mkdir()
    assert files.tree(CALL, "empty", None) == ""
    assert files.tree(CALL, ".git", None) == ""


@pytest.mark.parametrize(
    ("path", "depth", "code"),
    [
        ("missing", None, ErrorCode.NOT_FOUND),
        ("z.txt", None, ErrorCode.INVALID_ARGUMENT),
        ("", None, ErrorCode.INVALID_ARGUMENT),
        ("..", None, ErrorCode.INVALID_ARGUMENT),
        (None, 0, ErrorCode.INVALID_ARGUMENT),
    ],
)
def test_what_is_refused(files: FilesProvider, path: str | None, depth: int | None, code: ErrorCode) -> None:
    assert failure_of(files, path, depth).code is code


def test_links_are_not_followed(files: FilesProvider, folder: Path, tmp_path_factory) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret.txt").write_text("x")
    (folder / "a" / "out").symlink_to(outside)
    (folder / "a" / "link.txt").symlink_to("../z.txt")
    text = files.tree(CALL, None, 10)
    assert "secret" not in text
    assert "out" not in text
    assert "link.txt" not in text


def test_a_cut_result_says_so_and_keeps_both_bounds(files: FilesProvider, folder: Path) -> None:
    many = folder / "many"
    many.mkdir()
    for number in range(1500):
        (many / f"f{number:04}").touch()
    lines = files.tree(CALL, "many", 1).split("\n")
    assert len(lines) == 1000
    assert lines[-1] == "(501 more lines cut)"
    wide = folder / "wide"
    wide.mkdir()
    for number in range(200):
        (wide / f"{number:03}{'ü' * 100}").touch()
    text = files.tree(CALL, "wide", None)
    assert len(text.encode()) <= 16 * 1024
    shown = text.split("\n")
    assert shown[-1] == f"({200 - len(shown) + 1} more lines cut)"


def test_a_line_break_in_a_name_makes_no_line(files: FilesProvider, folder: Path) -> None:
    (folder / "a\nb").touch()
    assert "a\\nb" in files.tree(CALL, None, 1).splitlines()
