"""Searching real folders with the pinned ripgrep."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import pytest
from gg_host.failures import ErrorCode, Failure
from gg_host.generated.types import SearchMatch
from gg_host.providers.call import Call
from gg_host.providers.files import FilesProvider
from gg_host.providers.ignores import anchored
from gg_host.providers.paths import Workspace

CALL = Call("files.search")


@pytest.fixture
def files(tmp_path: Path) -> FilesProvider:
    root = tmp_path / "workspace"
    root.mkdir()
    return FilesProvider(Workspace(root))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "workspace"


def put(root: Path, texts: dict[str, str | bytes]) -> None:
    for name, text in texts.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())


def paths(found: list[SearchMatch]) -> list[str]:
    return [match.path for match in found]


def test_matches_come_by_path_then_line_without_line_endings(files: FilesProvider, root: Path) -> None:
    put(
        root,
        {"b.txt": "needle 1\nhay\nneedle 2\r\n", "a/z.txt": "a needle", "a.txt": "needle", "a/b/c.txt": "needle\n"},
    )
    assert files.search(CALL, "needle", None, None) == [
        SearchMatch("a/b/c.txt", 1, "needle"),
        SearchMatch("a/z.txt", 1, "a needle"),
        SearchMatch("a.txt", 1, "needle"),
        SearchMatch("b.txt", 1, "needle 1"),
        SearchMatch("b.txt", 3, "needle 2"),
    ]
    assert files.search(CALL, "nothing at all", None, None) == []


def test_the_expression_is_rusts_and_is_tried_on_each_line(files: FilesProvider, root: Path) -> None:
    put(root, {"a.txt": "\ufeffAlpha beta\r\ngamma\n"})
    assert [match.line for match in files.search(CALL, r"^(?i)alpha\b.*\bbeta$", None, None)] == [1]
    assert [match.line for match in files.search(CALL, r"\p{Lowercase}{5}$", None, None)] == [2]
    assert files.search(CALL, r"beta\s+gamma", None, None) == []
    assert [match.line for match in files.search(CALL, "-e", None, None)] == []
    assert [match.line for match in files.search(CALL, "--version|gamma", None, None)] == [2]


@pytest.mark.parametrize(
    "query", ["(", "a{2", r"(?=a)", r"(a)\1", "[z-a]", "", "  \t", "a\nb", r"a\nb", "a\0b", "x" * 70_000]
)
def test_blank_and_malformed_expressions(files: FilesProvider, root: Path, query: str) -> None:
    put(root, {"a.txt": "text\n"})
    with pytest.raises(Failure) as failed:
        files.search(CALL, query, None, None)
    assert failed.value.code is ErrorCode.INVALID_ARGUMENT
    assert "--" not in failed.value.message


def test_an_expression_that_kills_backtracking_engines_is_quick(files: FilesProvider, root: Path) -> None:
    put(root, {"a.txt": "a" * 50_000 + "!\n"})
    started = time.monotonic()
    assert files.search(CALL, "(a+)+$", None, None) == []
    assert time.monotonic() - started < 5


def test_limits(files: FilesProvider, root: Path) -> None:
    put(root, {f"{number:03}.txt": "needle\nneedle\n" for number in range(150)})
    assert len(files.search(CALL, "needle", None, None)) == 50
    assert len(files.search(CALL, "needle", None, 3)) == 3
    assert len(files.search(CALL, "needle", None, 4_000_000_000)) == 200
    with pytest.raises(Failure) as failed:
        files.search(CALL, "needle", None, 0)
    assert failed.value.code is ErrorCode.INVALID_ARGUMENT


def test_a_long_line_is_cut_and_says_so(files: FilesProvider, root: Path) -> None:
    line = "é" * 150 + "needle" + "z" * 10_000
    put(root, {"a.txt": line + "\n", "b.txt": "y" * 200})
    assert files.search(CALL, "needle", None, None) == [
        SearchMatch("a.txt", 1, f"{line[:200]} ({len(line) - 200} more chars...)")
    ]
    assert files.search(CALL, "y", None, None) == [SearchMatch("b.txt", 1, "y" * 200)]


def test_ignore_files_count_outside_a_repository(files: FilesProvider, root: Path) -> None:
    put(
        root,
        {".gitignore": "*.log\n/build/\n", "a.log": "needle", "build/x.txt": "needle", "src/build/y.txt": "needle"},
    )
    put(root, {"src/.ignore": "skipped.txt\n", "src/skipped.txt": "needle", ".env": "needle"})
    assert paths(files.search(CALL, "needle", None, None)) == [".env", "src/build/y.txt"]


def test_ignore_files_above_the_searched_directory_count_and_those_above_the_workspace_do_not(
    files: FilesProvider, root: Path
) -> None:
    put(root.parent, {".gitignore": "*\n", ".ignore": "*\n"})
    put(
        root, {".gitignore": "*.log\nsrc/deep/anchored.txt\n", "src/.gitignore": "/deep/here.txt\nany.txt\n!keep.log\n"}
    )
    put(
        root,
        {
            f"src/deep/{name}": "needle"
            for name in ("a.log", "anchored.txt", "here.txt", "any.txt", "keep.log", "b.txt")
        },
    )
    expected = ["src/deep/b.txt", "src/deep/keep.log"]
    assert paths(files.search(CALL, "needle", None, None)) == expected
    assert paths(files.search(CALL, "needle", "src/deep", None)) == expected


def test_an_ignored_path_that_is_named_is_searched(files: FilesProvider, root: Path) -> None:
    put(root, {".gitignore": "vendor/\n*.log\n", "vendor/a.txt": "needle", "a.log": "needle"})
    assert paths(files.search(CALL, "needle", None, None)) == []
    assert paths(files.search(CALL, "needle", "vendor", None)) == ["vendor/a.txt"]
    assert paths(files.search(CALL, "needle", "a.log", None)) == ["a.log"]


@pytest.mark.parametrize(
    ("rule", "folder", "expected"),
    [
        ("*.log", "", "*.log"),
        ("*.log", "src/", "/src/**/*.log"),
        ("!keep/", "src/", "!/src/**/keep/"),
        ("/build", "src/", "/src/build"),
        ("a/b", "src/x/", "/src/x/a/b"),
        ("# note", "src/", ""),
        (r"\#file", "src/", r"/src/**/\#file"),
        ("x", "odd [dir]/", r"/odd\ \[dir\]/**/x"),
        ("x\r", "", "x"),
    ],
)
def test_rules_are_rewritten_to_the_root(rule: str, folder: str, expected: str) -> None:
    assert anchored(rule, folder) == expected


def test_git_and_files_with_a_nul_are_skipped(files: FilesProvider, root: Path) -> None:
    put(
        root,
        {
            ".git/config": "needle",
            "sub/.git/config": "needle",
            "late.bin": b"needle\n" * 100_000 + b"\0",
            "sub/a": "needle",
        },
    )
    put(root, {"early.bin": b"\0needle\n", "utf16.txt": "needle\n".encode("utf-16")})
    assert paths(files.search(CALL, "needle", None, None)) == ["sub/a"]
    assert files.search(CALL, "needle", ".git", None) == []
    assert files.search(CALL, "needle", "late.bin", None) == []


def test_one_file_a_link_and_odd_names(files: FilesProvider, root: Path) -> None:
    put(root, {"src/a.txt": "needle", "odd\nname:1": "needle", "-n": "needle"})
    (root / "link").symlink_to("src")
    (root / "src" / "file-link").symlink_to("a.txt")
    assert files.search(CALL, "needle", "src/a.txt", None) == [SearchMatch("src/a.txt", 1, "needle")]
    assert paths(files.search(CALL, "needle", "link", None)) == ["src/a.txt"]
    assert paths(files.search(CALL, "needle", "-n", None)) == ["-n"]
    assert paths(files.search(CALL, "needle", None, None)) == ["-n", "odd\nname:1", "src/a.txt"]
    with pytest.raises(Failure) as failed:
        files.search(CALL, "needle", "nothing", None)
    assert failed.value.code is ErrorCode.NOT_FOUND


def test_text_that_is_not_utf8_is_found_and_replaced(files: FilesProvider, root: Path) -> None:
    put(root, {"a.txt": b"caf\xe9 needle\n"})
    assert files.search(CALL, "needle", None, None) == [SearchMatch("a.txt", 1, "caf\ufffd needle")]


def test_the_deadline_ends_the_search_and_its_process(files: FilesProvider, root: Path) -> None:
    root.mkdir(exist_ok=True)
    with (root / "sparse").open("wb") as stream:
        stream.write(b"a\n")
        stream.truncate(1 << 40)
    started = time.monotonic()
    with pytest.raises(Failure) as failed:
        files.search(Call("files.search", time.monotonic() + 0.3), f"needle of {root}", "sparse", None)
    assert failed.value.code is ErrorCode.LIMIT_EXCEEDED
    assert time.monotonic() - started < 3
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert not [line for line in listed.splitlines() if f"regexp=needle of {root}" in line]
