"""Reading, writing, editing and listing real files."""

from __future__ import annotations

import os
import socket
import stat
import threading
import time
from pathlib import Path

import pytest
from gg_host.failures import ErrorCode, Failure
from gg_host.generated.types import DirEntry, EntryKind, FileImage, FileReadImage, FileReadText, FileText
from gg_host.providers.call import Call
from gg_host.providers.files import DefaultCap, FilesProvider
from gg_host.providers.paths import Workspace

CALL = Call("files.read_file")
CAP = 256 * 1024


@pytest.fixture
def files(tmp_path: Path) -> FilesProvider:
    return FilesProvider(Workspace(tmp_path))


def read(files: FilesProvider, path: str, offset: int | None = None, limit: int | None = None) -> FileText:
    found = files.read_file(CALL, path, offset, limit)
    assert isinstance(found, FileReadText)
    return found.value


def code(failed: pytest.ExceptionInfo[Failure]) -> ErrorCode:
    return failed.value.code


@pytest.mark.parametrize(
    ("text", "offset", "limit", "expected"),
    [
        ("", None, None, FileText("", 0, 0, 0, False)),
        ("", 1, 5, FileText("", 0, 0, 0, False)),
        ("one", None, None, FileText("one", 1, 1, 1, False)),
        ("one\n", None, None, FileText("one\n", 1, 1, 1, False)),
        ("\n", None, None, FileText("\n", 1, 1, 1, False)),
        ("\n\n", 2, None, FileText("\n", 2, 2, 2, False)),
        ("one\ntwo\nthree", None, None, FileText("one\ntwo\nthree", 1, 3, 3, False)),
        ("one\ntwo\nthree\n", 2, None, FileText("two\nthree\n", 2, 3, 3, False)),
        ("one\ntwo\nthree\n", 2, 1, FileText("two\n", 2, 2, 3, False)),
        ("one\ntwo\nthree\n", 3, 2**32 - 1, FileText("three\n", 3, 3, 3, False)),
        ("one\r\ntwo\r\n", 1, 1, FileText("one\r\n", 1, 1, 2, False)),
        ("a\u2028b\fc\x85d\n", None, None, FileText("a\u2028b\fc\x85d\n", 1, 1, 1, False)),
    ],
)
def test_lines(
    files: FilesProvider, tmp_path: Path, text: str, offset: int | None, limit: int | None, expected: FileText
) -> None:
    (tmp_path / "a.txt").write_bytes(text.encode())
    assert read(files, "a.txt", offset, limit) == expected


def test_an_offset_past_the_end_names_the_length(files: FilesProvider, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\ntwo\n")
    with pytest.raises(Failure, match="has 2 lines; the offset 3 lies past the end") as failed:
        files.read_file(CALL, "a.txt", 3, None)
    assert code(failed) is ErrorCode.INVALID_ARGUMENT


@pytest.mark.parametrize(("offset", "limit"), [(0, None), (None, 0), (0, 0)])
def test_zero_is_no_line_and_no_limit(
    files: FilesProvider, tmp_path: Path, offset: int | None, limit: int | None
) -> None:
    (tmp_path / "a.txt").write_text("one\n")
    with pytest.raises(Failure) as failed:
        files.read_file(CALL, "a.txt", offset, limit)
    assert code(failed) is ErrorCode.INVALID_ARGUMENT


@pytest.mark.parametrize("character", ["a", "é", "€", "😀"])
@pytest.mark.parametrize("shift", range(4))
def test_the_cap_never_splits_a_character(files: FilesProvider, tmp_path: Path, character: str, shift: int) -> None:
    text = "x" * shift + character * (CAP // len(character.encode()) + 10)
    (tmp_path / "a.txt").write_text(text)
    found = read(files, "a.txt")
    assert found.byte_truncated
    assert text.startswith(found.contents)
    assert CAP - len(character.encode()) < len(found.contents.encode()) <= CAP


def test_a_range_of_a_large_file_is_whole_and_the_whole_file_is_counted(files: FilesProvider, tmp_path: Path) -> None:
    lines = [f"line {number} {'y' * (number % 90)}\n" for number in range(1, 60_001)]
    (tmp_path / "a.txt").write_text("".join(lines))
    assert read(files, "a.txt", 50_000, 3) == FileText("".join(lines[49_999:50_002]), 50_000, 50_002, 60_000, False)
    whole = read(files, "a.txt")
    assert whole.byte_truncated
    assert "".join(lines).startswith(whole.contents)
    assert lines[whole.last_line - 1].startswith(whole.contents.splitlines()[-1])


def test_exactly_the_cap_is_not_truncated(files: FilesProvider, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x" * CAP)
    assert not read(files, "a.txt").byte_truncated
    (tmp_path / "a.txt").write_text("x" * (CAP + 1))
    assert read(files, "a.txt").byte_truncated


def test_bytes_that_are_not_utf8_are_replaced_within_the_cap(files: FilesProvider, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"caf\xe9\nok\n")
    assert read(files, "a.txt").contents == "caf\ufffd\nok\n"
    (tmp_path / "b.txt").write_bytes(b"\xff" * CAP)
    found = read(files, "b.txt")
    assert found.byte_truncated
    assert len(found.contents.encode()) <= CAP


def test_the_default_cap_holds_only_without_a_limit(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("1\n2\n3\n4\n")
    files = FilesProvider(Workspace(tmp_path), DefaultCap(2))
    assert read(files, "a.txt") == FileText("1\n2\n", 1, 2, 4, False)
    assert read(files, "a.txt", 2) == FileText("2\n3\n", 2, 3, 4, False)
    assert read(files, "a.txt", 1, 3) == FileText("1\n2\n3\n", 1, 3, 4, False)
    with pytest.raises(ValueError, match="1 or more"):
        DefaultCap(0)


PICTURES = {
    "image/png": b"\x89PNG\r\n\x1a\n" + bytes(20),
    "image/jpeg": b"\xff\xd8\xff\xe0" + bytes(20),
    "image/gif": b"GIF89a" + bytes(20),
    "image/webp": b"RIFF\x10\0\0\0WEBPVP8 " + bytes(20),
}


@pytest.mark.parametrize("kind", PICTURES)
def test_a_picture_is_told_by_its_bytes_and_not_shown(files: FilesProvider, tmp_path: Path, kind: str) -> None:
    (tmp_path / "a.txt").write_bytes(PICTURES[kind])
    found = files.read_file(CALL, "a.txt", None, None)
    assert isinstance(found, FileReadImage)
    reason = found.value.not_shown_reason
    assert found.value == FileImage(kind, "a.txt", len(PICTURES[kind]), False, reason)
    assert reason is not None
    assert "views.open_file" in reason
    with pytest.raises(Failure, match="is a picture") as failed:
        files.read_text_file(CALL, "a.txt", None, None)
    assert code(failed) is ErrorCode.INVALID_ARGUMENT


def test_what_only_looks_like_a_picture_by_name_is_text(files: FilesProvider, tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"RIFF\x10\0\0\0WAVE")
    assert isinstance(files.read_file(CALL, "a.png", None, None), FileReadText)


def test_special_files_are_refused_without_blocking(files: FilesProvider, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    listening = socket.socket(socket.AF_UNIX)
    here = Path.cwd()
    os.chdir(tmp_path)  # the address of a socket is short
    try:
        listening.bind("socket")
    finally:
        os.chdir(here)
    started = time.monotonic()
    for name in ("pipe", "socket"):
        for attempt in (
            lambda name=name: files.read_file(CALL, name, None, None),
            lambda name=name: files.write_file(CALL, name, "x"),
            lambda name=name: files.edit_file(CALL, name, "a", "b"),
            lambda name=name: files.search(CALL, "a", name, None),
        ):
            with pytest.raises(Failure, match="regular file") as failed:
                attempt()
            assert code(failed) is ErrorCode.INVALID_ARGUMENT
    listening.close()
    assert time.monotonic() - started < 2
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


def test_a_directory_is_no_file(files: FilesProvider, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for attempt in (
        lambda: files.read_file(CALL, "folder", None, None),
        lambda: files.write_file(CALL, "folder", "x"),
        lambda: files.write_file(CALL, "new/", "x"),
        lambda: files.write_file(CALL, ".", "x"),
        lambda: files.edit_file(CALL, "folder", "a", "b"),
    ):
        with pytest.raises(Failure) as failed:
            attempt()
        assert code(failed) is ErrorCode.INVALID_ARGUMENT
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_writing_makes_parents_and_counts_bytes(files: FilesProvider, tmp_path: Path) -> None:
    assert files.write_file(CALL, "a/b/c.txt", "naïve 😀\n") == 12
    assert (tmp_path / "a" / "b" / "c.txt").read_text() == "naïve 😀\n"
    assert files.write_file(CALL, "a/b/c.txt", "") == 0
    assert (tmp_path / "a" / "b" / "c.txt").read_bytes() == b""
    assert [path.name for path in (tmp_path / "a" / "b").iterdir()] == ["c.txt"]


def test_a_new_file_gets_the_usual_mode_and_an_old_one_keeps_its_own(files: FilesProvider, tmp_path: Path) -> None:
    (tmp_path / "usual").touch()
    files.write_file(CALL, "new", "x")
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "usual").stat().st_mode
    (tmp_path / "script").write_text("old")
    (tmp_path / "script").chmod(0o751)
    files.write_file(CALL, "script", "new")
    assert stat.S_IMODE((tmp_path / "script").stat().st_mode) == 0o751
    files.edit_file(CALL, "script", "new", "newer")
    assert stat.S_IMODE((tmp_path / "script").stat().st_mode) == 0o751


def test_a_read_only_file_is_left_alone(files: FilesProvider, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("old")
    (tmp_path / "a.txt").chmod(0o444)
    with pytest.raises(Failure, match="read-only") as failed:
        files.write_file(CALL, "a.txt", "new")
    assert code(failed) is ErrorCode.IO_ERROR
    assert (tmp_path / "a.txt").read_text() == "old"


def test_writing_through_a_link_replaces_what_it_leads_to(files: FilesProvider, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real/a.txt")
    files.write_file(CALL, "link", "new")  # the link led nowhere until now
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real" / "a.txt").read_text() == "new"


def test_a_reader_sees_the_old_text_or_the_new_one(files: FilesProvider, tmp_path: Path) -> None:
    texts = {letter * 200_000 for letter in "ab"}
    (tmp_path / "a.txt").write_text("a" * 200_000)
    stop = threading.Event()

    def write() -> None:
        while not stop.is_set():
            for text in texts:
                files.write_file(CALL, "a.txt", text)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        seen = {(tmp_path / "a.txt").read_text() for _ in range(300)}
    finally:
        stop.set()
        writer.join()
    assert seen <= texts
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_a_write_that_fails_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = FilesProvider(Workspace(tmp_path))
    (tmp_path / "a.txt").write_text("old")

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(Failure, match="no space left") as failed:
        files.write_file(CALL, "a.txt", "new")
    assert code(failed) is ErrorCode.IO_ERROR
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]
    assert (tmp_path / "a.txt").read_text() == "old"


def test_editing_replaces_the_one_occurrence(files: FilesProvider, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes("é one\r\ntwo\r\n\xff".encode("latin-1"))
    files.edit_file(CALL, "a.txt", "one\r\n", "")
    assert (tmp_path / "a.txt").read_bytes() == b"\xe9 two\r\n\xff"


@pytest.mark.parametrize(("text", "old", "count"), [("ab ab ab", "ab", 3), ("aaa", "aa", 2), ("abab", "ab", 2)])
def test_an_edit_that_fits_in_several_places_counts_them(
    files: FilesProvider, tmp_path: Path, text: str, old: str, count: int
) -> None:
    (tmp_path / "a.txt").write_text(text)
    with pytest.raises(Failure, match=f"occurs {count} times") as failed:
        files.edit_file(CALL, "a.txt", old, "x")
    assert code(failed) is ErrorCode.CONFLICT
    assert (tmp_path / "a.txt").read_text() == text


@pytest.mark.parametrize(
    ("path", "old", "expected"),
    [
        ("a.txt", "absent", ErrorCode.NOT_FOUND),
        ("missing.txt", "text", ErrorCode.NOT_FOUND),
        ("a.txt", "", ErrorCode.INVALID_ARGUMENT),
    ],
)
def test_edits_that_fail(files: FilesProvider, tmp_path: Path, path: str, old: str, expected: ErrorCode) -> None:
    (tmp_path / "a.txt").write_text("some text")
    with pytest.raises(Failure) as failed:
        files.edit_file(CALL, path, old, "x")
    assert code(failed) is expected


def test_listing_is_sorted_and_follows_links_that_stay_inside(files: FilesProvider, tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "a.txt").touch()
    (tmp_path / ".hidden").touch()
    (tmp_path / "to-file").symlink_to("a.txt")
    (tmp_path / "to-folder").symlink_to("b")
    (tmp_path / "to-nothing").symlink_to("nothing")
    (tmp_path / "to-outside").symlink_to("/")
    os.mkfifo(tmp_path / "pipe")
    (Path(os.fsdecode(os.fsencode(tmp_path) + b"/bad-\xff"))).touch()
    kinds = {
        ".hidden": EntryKind.FILE,
        "a.txt": EntryKind.FILE,
        "b": EntryKind.DIRECTORY,
        "bad-\ufffd": EntryKind.FILE,
        "pipe": EntryKind.OTHER,
        "to-file": EntryKind.FILE,
        "to-folder": EntryKind.DIRECTORY,
        "to-nothing": EntryKind.OTHER,
        "to-outside": EntryKind.OTHER,
    }
    expected = [DirEntry(name, kind) for name, kind in kinds.items()]
    assert files.list_dir(CALL, None) == expected
    assert files.list_dir(CALL, ".") == expected
    assert files.list_dir(CALL, "b") == []
    assert files.list_dir(CALL, "to-folder") == []


@pytest.mark.parametrize(
    ("path", "expected"),
    [("", ErrorCode.INVALID_ARGUMENT), ("a.txt", ErrorCode.INVALID_ARGUMENT), ("nothing", ErrorCode.NOT_FOUND)],
)
def test_listings_that_fail(files: FilesProvider, tmp_path: Path, path: str, expected: ErrorCode) -> None:
    (tmp_path / "a.txt").touch()
    with pytest.raises(Failure) as failed:
        files.list_dir(CALL, path)
    assert code(failed) is expected


def test_a_long_read_stops_when_its_time_is_over_or_it_is_cancelled(files: FilesProvider, tmp_path: Path) -> None:
    with (tmp_path / "sparse").open("wb") as stream:
        stream.truncate(1 << 40)
    started = time.monotonic()
    with pytest.raises(Failure) as failed:
        files.read_file(Call("files.read_file", time.monotonic() + 0.2), "sparse", None, None)
    assert code(failed) is ErrorCode.LIMIT_EXCEEDED
    cancelled = Call("files.read_file")
    threading.Timer(0.2, cancelled.cancelled.set).start()
    with pytest.raises(Failure):
        files.read_file(cancelled, "sparse", None, None)
    assert time.monotonic() - started < 5
    with pytest.raises(Failure, match="at most") as failed:
        files.edit_file(CALL, "sparse", "a", "b")
    assert code(failed) is ErrorCode.LIMIT_EXCEEDED
