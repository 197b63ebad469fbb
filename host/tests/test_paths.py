"""Paths stay in the workspace: by their text, through links, and while somebody swaps directories for links."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from gg_arm_kit.errors import KitError
from gg_host.failures import ErrorCode, Failure
from gg_host.providers.call import Call
from gg_host.providers.files import FilesProvider
from gg_host.providers.paths import Workspace

CALL = Call("files.read_file")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    inside = tmp_path / "workspace"
    (inside / "src").mkdir(parents=True)
    (inside / "src" / "a.txt").write_text("inside\n")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "a.txt").write_text("secret\n")
    return inside


def code_of(path: str, folder: Path) -> ErrorCode:
    with Workspace(folder) as workspace, pytest.raises(Failure) as failed:
        FilesProvider(workspace).read_text_file(CALL, path, None, None)
    return failed.value.code


@pytest.mark.parametrize(
    "path",
    [
        "../outside/a.txt",
        "src/../../outside/a.txt",
        "src/../../workspace/src/a.txt",
        "..",
        "/etc/passwd",
        "//etc/passwd",
        "",
        "a\0b",
        "x" * 5000,
        "x" * 300,
    ],
)
def test_paths_that_lead_out_or_are_malformed(folder: Path, path: str) -> None:
    assert code_of(path, folder) is ErrorCode.INVALID_ARGUMENT


def test_an_absolute_path_of_a_neighbour_whose_name_starts_alike_is_outside(folder: Path) -> None:
    neighbour = folder.with_name("workspace-2")
    neighbour.mkdir()
    (neighbour / "a.txt").write_text("secret")
    assert code_of(str(neighbour / "a.txt"), folder) is ErrorCode.INVALID_ARGUMENT


@pytest.mark.parametrize("path", ["src/a.txt", "./src//a.txt", "src/../src/./a.txt", "ABSOLUTE/src/a.txt"])
def test_paths_that_stay_inside(folder: Path, path: str) -> None:
    with Workspace(folder) as workspace:
        text = FilesProvider(workspace).read_text_file(CALL, path.replace("ABSOLUTE", str(folder)), None, None)
    assert text == "inside\n"


@pytest.mark.parametrize("missing", ["nothing", "nothing/a.txt", "src/a.txt/b", "src/a.txt/"])
def test_missing_paths(folder: Path, missing: str) -> None:
    assert code_of(missing, folder) is ErrorCode.NOT_FOUND


@pytest.mark.parametrize(
    "target", ["src/a.txt", "./src/../src/a.txt", "ABSOLUTE/src/a.txt", "second", "src-link/a.txt"], ids=str
)
def test_links_that_stay_inside_are_followed(folder: Path, target: str) -> None:
    (folder / "second").symlink_to("src/a.txt")
    (folder / "src-link").symlink_to("src", target_is_directory=True)
    (folder / "link").symlink_to(target.replace("ABSOLUTE", str(folder)))
    with Workspace(folder) as workspace:
        assert FilesProvider(workspace).read_text_file(CALL, "link", None, None) == "inside\n"


@pytest.mark.parametrize("target", ["../outside/a.txt", "OUTSIDE/a.txt", "../outside", "src/../../outside/a.txt"])
def test_links_that_lead_out_are_refused_for_every_operation(folder: Path, target: str) -> None:
    (folder / "link").symlink_to(target.replace("OUTSIDE", str(folder.parent / "outside")))
    assert code_of("link", folder) is ErrorCode.INVALID_ARGUMENT
    assert code_of("link/a.txt", folder) is ErrorCode.INVALID_ARGUMENT
    with Workspace(folder) as workspace:
        files = FilesProvider(workspace)
        for attempt in (
            lambda: files.write_file(CALL, "link", "x"),
            lambda: files.write_file(CALL, "link/new.txt", "x"),
            lambda: files.edit_file(CALL, "link", "secret", "x"),
            lambda: files.list_dir(CALL, "link"),
            lambda: files.search(CALL, "secret", "link", None),
        ):
            with pytest.raises(Failure) as failed:
                attempt()
            assert failed.value.code is ErrorCode.INVALID_ARGUMENT
    assert (folder.parent / "outside" / "a.txt").read_text() == "secret\n"
    assert [path.name for path in (folder.parent / "outside").iterdir()] == ["a.txt"]


def test_links_that_go_round_are_refused(folder: Path) -> None:
    (folder / "a").symlink_to("b")
    (folder / "b").symlink_to("a")
    assert code_of("a", folder) is ErrorCode.INVALID_ARGUMENT


def test_a_workspace_reached_through_a_link_understands_both_spellings(folder: Path) -> None:
    alias = folder.with_name("alias")
    alias.symlink_to(folder)
    with Workspace(alias) as workspace:
        files = FilesProvider(workspace)
        assert files.read_text_file(CALL, f"{alias}/src/a.txt", None, None) == "inside\n"
        assert files.read_text_file(CALL, f"{folder}/src/a.txt", None, None) == "inside\n"


def test_a_workspace_that_is_missing_or_a_file_is_told(folder: Path) -> None:
    with pytest.raises(KitError, match="does not exist"):
        Workspace(folder / "nothing")
    with pytest.raises(KitError, match="is not a folder"):
        Workspace(folder / "src" / "a.txt")


def test_no_descriptor_is_left_open(folder: Path) -> None:
    (folder / "link").symlink_to("../outside")
    before = len(list(Path("/proc/self/fd").iterdir()))
    with Workspace(folder) as workspace:
        files = FilesProvider(workspace)
        for path in ("src/a.txt", "src", "link/a.txt", "nothing/x", "..", "src/../src/a.txt"):
            for operation in (files.read_text_file, lambda call, path, *_: files.list_dir(call, path)):
                with contextlib.suppress(Failure):
                    operation(CALL, path, None, None)
    assert len(list(Path("/proc/self/fd").iterdir())) == before


SWAPPER = """
import ctypes, os, select, sys
libc = ctypes.CDLL(None, use_errno=True)
first, second = os.fsencode(sys.argv[1]), os.fsencode(sys.argv[2])
count = 0
while not select.select([0], [], [], 0)[0]:
    for _ in range(64):
        if libc.renameat2(-100, first, -100, second, 2):  # RENAME_EXCHANGE
            sys.exit(os.strerror(ctypes.get_errno()))
        count += 1
print(count)
"""
"""Exchanges two names until its input is closed, as fast as the machine can, then prints how often."""


def raced(swapped: Path, link: Path, attempts: list[Callable[[], object]], rounds: int) -> tuple[set[str], int]:
    """What ``attempts`` gave while two names were exchanged under them, and how often they were."""
    seen: set[str] = set()
    swapper = subprocess.Popen(
        [sys.executable, "-c", SWAPPER, str(swapped), str(link)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        for _ in range(rounds):
            for attempt in attempts:
                try:
                    seen.add(str(attempt()))
                except Failure as failure:
                    seen.add(failure.code)
    finally:
        swaps, _ = swapper.communicate("")
    assert swapper.returncode == 0
    return seen, int(swaps)


def assert_stayed_inside(folder: Path, seen: set[str], swaps: int) -> None:
    assert swaps > 5000
    assert "inside\n" in seen, "nothing was ever read, so this proves nothing"
    assert ErrorCode.INVALID_ARGUMENT in seen, "the link was never met, so this proves nothing"
    assert not [text for text in seen if "secret" in text]
    assert [path.name for path in (folder.parent / "outside").iterdir()] == ["a.txt"]
    assert (folder.parent / "outside" / "a.txt").read_text() == "secret\n"


@pytest.mark.parametrize("name", ["src", "deep/src"])
def test_a_directory_swapped_for_a_link_thousands_of_times_never_leads_out(folder: Path, name: str) -> None:
    swapped = folder / name
    if "/" in name:
        swapped.parent.mkdir()
        (folder / "src").rename(swapped)
    (folder / "link").symlink_to(folder.parent / "outside")
    with Workspace(folder) as workspace:
        files = FilesProvider(workspace)
        attempts: list[Callable[[], object]] = [
            lambda: files.read_text_file(CALL, f"{name}/a.txt", None, None),
            lambda: files.write_file(CALL, f"{name}/made.txt", "x"),
        ]
        seen, swaps = raced(swapped, folder / "link", attempts, 4000)
    assert_stayed_inside(folder, seen, swaps)


def test_a_file_swapped_for_a_link_thousands_of_times_never_leads_out(folder: Path) -> None:
    (folder / "link").symlink_to(folder.parent / "outside" / "a.txt")
    with Workspace(folder) as workspace:
        files = FilesProvider(workspace)
        attempts: list[Callable[[], object]] = [lambda: files.read_text_file(CALL, "src/a.txt", None, None)]
        seen, swaps = raced(folder / "src" / "a.txt", folder / "link", attempts, 12_000)
    assert_stayed_inside(folder, seen, swaps)


def test_a_search_below_a_directory_that_is_swapped_finds_nothing_outside(folder: Path) -> None:
    for number in range(100):  # ripgrep takes long enough over these to be led out
        (folder / "src" / f"{number:03}.txt").write_text("inside\n")
        (folder.parent / "outside" / f"{number:03}.txt").write_text("secret\n")
    (folder / "link").symlink_to(folder.parent / "outside")
    with Workspace(folder) as workspace:
        files = FilesProvider(workspace)
        attempts: list[Callable[[], object]] = [
            lambda: {match.text for match in files.search(CALL, "inside|secret", None, 200)}
        ]
        seen, swaps = raced(folder / "src", folder / "link", attempts, 40)
    assert swaps > 1000
    assert str({"inside"}) in seen
    assert not [text for text in seen if "secret" in text]
