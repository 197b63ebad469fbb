"""Views of texts and files: what is recorded, what replaces what, and every cap."""

from __future__ import annotations

from pathlib import Path

import pytest
from gg_host.failures import ErrorCode, Failure
from gg_host.generated.types import FileReadImage, FileReadText
from gg_host.providers.call import Call
from gg_host.providers.files import DefaultCap, FilesProvider
from gg_host.providers.paths import Workspace
from gg_host.providers.records import FileView, PictureView, TextView, TurnViews
from gg_host.providers.views import FileViewsProvider, ViewsProvider

CALL = Call("views.open_text")
PNG = b"\x89PNG\r\n\x1a\n"


class NoPages:
    def open_page(self, name: str) -> None:
        raise Failure(ErrorCode.NOT_FOUND, name)


@pytest.fixture
def turn() -> TurnViews:
    return TurnViews()


@pytest.fixture
def views(turn: TurnViews, tmp_path: Path) -> FileViewsProvider:
    return FileViewsProvider(turn, NoPages(), FilesProvider(Workspace(tmp_path)))


def test_texts_stand_in_the_order_they_were_first_opened(views: ViewsProvider, turn: TurnViews) -> None:
    views.open_text(CALL, "a", "1")
    views.open_text(CALL, "b", "")
    views.open_text(CALL, "a", "2")
    assert turn.views == (TextView("a", "2"), TextView("b", ""))


def test_the_caps_of_a_text(views: ViewsProvider, turn: TurnViews) -> None:
    views.open_text(CALL, "é" * 100, "é" * 32_768)
    for label, body, words in (
        ("", "x", "label is empty"),
        ("é" * 100 + "x", "x", "the label has 201 bytes; at most 200"),
        ("a", "é" * 32_768 + "x", "the body has 65,537 bytes; at most 65,536"),
    ):
        with pytest.raises(Failure, match=words) as failed:
            views.open_text(CALL, label, body)
        assert failed.value.code is (ErrorCode.LIMIT_EXCEEDED if label else ErrorCode.INVALID_ARGUMENT)
    assert len(turn.views) == 1


def test_all_texts_of_a_turn_have_8_mib(views: ViewsProvider, turn: TurnViews) -> None:
    body = "x" * 65_536
    for number in range(128):
        views.open_text(CALL, str(number), body)
    with pytest.raises(Failure, match="8,388,609 bytes; at most 8,388,608") as failed:
        views.open_text(CALL, "one more", "x")
    assert failed.value.code is ErrorCode.LIMIT_EXCEEDED
    views.open_text(CALL, "0", "smaller")
    views.open_text(CALL, "one more", "x")
    assert len(turn.views) == 129


def test_a_file_is_read_and_shown(views: FileViewsProvider, turn: TurnViews, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\ntwo\nthree\n")
    found = views.open_file(CALL, "a.txt", 2, None, None)
    assert isinstance(found, FileReadText)
    assert found.value.contents == "two\nthree\n"
    assert turn.views == (FileView("a.txt", 2, None, 2, 3, 3, "two\nthree\n"),)
    assert turn.views[0].heading == "File: a.txt:2-3"


def test_the_same_region_is_replaced_and_another_is_added(
    views: FileViewsProvider, turn: TurnViews, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("one\ntwo\n")
    views.open_file(CALL, "a.txt", None, None, None)
    views.open_file(CALL, "a.txt", 2, 1, None)
    (tmp_path / "a.txt").write_text("1\n2\n")
    views.open_file(CALL, "a.txt", 1, None, None)  # line 1 is where a read starts anyway
    assert [view.body for view in turn.views if isinstance(view, FileView)] == ["1\n2\n", "two\n"]


def test_an_empty_file_is_shown_by_its_path(views: FileViewsProvider, turn: TurnViews, tmp_path: Path) -> None:
    (tmp_path / "a.txt").touch()
    views.open_file(CALL, "a.txt", None, None, None)
    assert turn.views[0].heading == "File: a.txt"


def test_long_lines_are_cut_in_the_view_alone(views: FileViewsProvider, turn: TurnViews, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(("é" * 10 + "\r\nshort\n" + "z" * 6).encode())
    found = views.open_file(CALL, "a.txt", None, None, 5)
    assert isinstance(found, FileReadText)
    assert found.value.contents == "é" * 10 + "\r\nshort\n" + "z" * 6
    assert isinstance(turn.views[0], FileView)
    assert turn.views[0].body == "ééééé (5 more chars...)\r\nshort\nzzzzz (1 more chars...)"


@pytest.mark.parametrize("characters", [0, 65_537])
def test_line_lengths_out_of_range(views: FileViewsProvider, tmp_path: Path, characters: int) -> None:
    (tmp_path / "a.txt").touch()
    with pytest.raises(Failure, match="65,536") as failed:
        views.open_file(CALL, "a.txt", None, None, characters)
    assert failed.value.code is ErrorCode.INVALID_ARGUMENT


def test_a_view_of_more_than_65536_bytes_is_refused_with_its_size(
    views: FileViewsProvider, turn: TurnViews, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("x" * 65_537)
    (tmp_path / "large.txt").write_text("x" * 400_000)
    for name, size in (("a.txt", "65,537"), ("large.txt", "400,000")):
        with pytest.raises(Failure, match=f"{size} bytes; at most 65,536") as failed:
            views.open_file(CALL, name, None, None, None)
        assert failed.value.code is ErrorCode.LIMIT_EXCEEDED
    assert turn.views == ()
    views.open_file(CALL, "a.txt", None, None, 65_000)
    assert len(turn.views) == 1


def test_lines_of_a_file_larger_than_one_read_are_cut_before_the_cap(
    views: FileViewsProvider, turn: TurnViews, tmp_path: Path
) -> None:
    lines = [f"{number} " + "é" * 50_000 + "\r\n" for number in range(20)]
    (tmp_path / "a.txt").write_bytes(("".join(lines) + "end").encode())
    found = views.open_file(CALL, "a.txt", 2, None, 10)
    assert isinstance(found, FileReadText)
    assert found.value.byte_truncated
    expected = [f"{line[:10]} ({len(line) - 12} more chars...)\r\n" for line in lines[1:]]
    assert isinstance(turn.views[0], FileView)
    assert turn.views[0].body == "".join(expected) + "end"
    views.open_file(CALL, "a.txt", 3, 2, 10)
    assert isinstance(turn.views[1], FileView)
    assert turn.views[1].body == "".join(expected[1:3])
    (tmp_path / "many.txt").write_text("y" * 100 + "\n" + "x\n" * 200_000)
    with pytest.raises(Failure, match="also with its lines cut") as failed:
        views.open_file(CALL, "many.txt", None, None, 10)
    assert failed.value.code is ErrorCode.LIMIT_EXCEEDED


def test_the_configured_line_cap_holds_for_a_view(turn: TurnViews, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("1\n2\n3\n")
    views = FileViewsProvider(turn, NoPages(), FilesProvider(Workspace(tmp_path), DefaultCap(2)))
    views.open_file(CALL, "a.txt", None, None, None)
    assert isinstance(turn.views[0], FileView)
    assert turn.views[0].body == "1\n2\n"


def test_a_picture_is_shown_up_to_8_mib(views: FileViewsProvider, turn: TurnViews, tmp_path: Path) -> None:
    data = PNG + bytes(8 * 1024 * 1024 - len(PNG))
    (tmp_path / "fits.png").write_bytes(data)
    (tmp_path / "large.png").write_bytes(data + b"\0")
    found = views.open_file(CALL, "fits.png", None, None, None)
    assert isinstance(found, FileReadImage)
    assert (found.value.shown, found.value.not_shown_reason, found.value.bytes) == (True, None, len(data))
    large = views.open_file(CALL, "large.png", None, None, None)
    assert isinstance(large, FileReadImage)
    assert not large.value.shown
    assert large.value.not_shown_reason == "the picture has 8,388,609 bytes; at most 8,388,608 are shown"
    assert turn.views == (PictureView("fits.png", "image/png", data),)


def test_a_run_without_files_does_not_serve_open_file() -> None:
    assert not hasattr(ViewsProvider(TurnViews(), NoPages()), "open_file")
