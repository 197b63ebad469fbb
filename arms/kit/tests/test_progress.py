"""Progress: lines with times, a bar on a terminal, nothing when quiet."""

from __future__ import annotations

import io
import re
import sys

import pytest
from gg_arm_kit.progress import PlainProgress, Progress, QuietProgress, TerminalProgress, choose
from rich.console import Console


def test_plain_lines_have_a_time_and_tell_a_failure() -> None:
    stream = io.StringIO()
    plain = PlainProgress(stream)
    with plain.step("outer"), plain.step("inner", total=10) as line:
        line.reached(5)
    with pytest.raises(ValueError, match="no"), plain.step("bad"):
        raise ValueError("no")
    plain.note("a [note]")
    lines = stream.getvalue().splitlines()
    assert [re.sub(r" *\d+\.\d s  ", "T ", line) for line in lines] == [
        "T inner",
        "T outer",
        "T bad: not done",
        "a [note]",
    ]


def terminal() -> tuple[TerminalProgress, io.StringIO]:
    stream = io.StringIO()
    return TerminalProgress(Console(file=stream, force_terminal=True, width=100)), stream


def test_a_terminal_shows_lines_for_ended_steps_and_brackets_as_they_are() -> None:
    shown, stream = terminal()
    with shown.step("outer [a]"):
        with shown.step("inner", total=100) as line:
            line.reached(50)
            shown.note("between [b]")
        with pytest.raises(ValueError, match="no"), shown.step("bad"):
            raise ValueError("no")
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", stream.getvalue())
    for part in (r"s  outer \[a\]", r"s  inner", r"between \[b\]", r"s  bad: not done"):
        assert re.search(part, text), part


def test_a_terminal_has_its_cursor_back_after_an_interrupt() -> None:
    shown, stream = terminal()
    with pytest.raises(KeyboardInterrupt), shown.step("step"):
        raise KeyboardInterrupt
    text = stream.getvalue()
    assert "\x1b[?25l" in text, "hidden while the bar runs"
    assert text.rindex("\x1b[?25h") > text.rindex("\x1b[?25l")


def test_the_form_fits_the_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert isinstance(choose(), PlainProgress)
    assert isinstance(choose(quiet=True), QuietProgress)
    monkeypatch.setattr(sys, "stderr", Terminal())
    assert isinstance(choose(), TerminalProgress)


def test_quiet_shows_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    quiet: Progress = QuietProgress()
    with quiet.step("step", total=1) as line:
        line.reached(1)
    quiet.note("note")
    assert capsys.readouterr() == ("", "")
