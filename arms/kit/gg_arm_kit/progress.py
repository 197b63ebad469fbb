"""How long work is shown: a line for each step with its time, a bar where counts are known, plain lines elsewhere."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from typing import Protocol, TextIO

from rich.console import Console
from rich.progress import BarColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import Progress as RichProgress
from rich.table import Column


class StepLine(Protocol):
    """One running step."""

    def reached(self, count: int) -> None:
        """Tell how much of the total is done, in the unit the total was given in."""
        ...


class Progress(Protocol):
    """Where steps are told."""

    def step(self, title: str, total: int | None = None) -> contextlib.AbstractContextManager[StepLine]:
        """Show a step while the block runs, and one line with its time at the end.

        Parameters:
            title: what is done, as a short phrase.
            total: what ``reached`` counts up to, in any unit; None where that is not known.
        """
        ...

    def note(self, text: str) -> None:
        """Show one line."""
        ...


class _Uncounted:
    def reached(self, count: int) -> None:
        pass


class QuietProgress:
    """Shows nothing."""

    @contextlib.contextmanager
    def step(self, title: str, total: int | None = None) -> Iterator[StepLine]:
        """See ``Progress``."""
        yield _Uncounted()

    def note(self, text: str) -> None:
        """See ``Progress``."""


class PlainProgress:
    """One line for each step when it has ended; for logs and pipes."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._given = stream

    @property
    def _stream(self) -> TextIO:
        return self._given or sys.stderr

    @contextlib.contextmanager
    def step(self, title: str, total: int | None = None) -> Iterator[StepLine]:
        """See ``Progress``."""
        start = time.monotonic()
        try:
            yield _Uncounted()
        except BaseException:
            self.note(f"{_took(start)}  {title}: not done")
            raise
        self.note(f"{_took(start)}  {title}")

    def note(self, text: str) -> None:
        """See ``Progress``."""
        print(text, file=self._stream, flush=True)


class TerminalProgress:
    """Running steps at the bottom of a terminal, ended ones as lines above."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console(stderr=True, highlight=False)
        self._running: RichProgress | None = None

    @contextlib.contextmanager
    def step(self, title: str, total: int | None = None) -> Iterator[StepLine]:
        """See ``Progress``."""
        start = time.monotonic()
        with self._shown() as bars:
            task = bars.add_task(title, total=total)
            try:
                yield _Bar(bars, task)
            except BaseException:
                self.note(f"{_took(start)}  {title}: not done")
                raise
            finally:
                bars.remove_task(task)
            self.note(f"{_took(start)}  {title}")

    def note(self, text: str) -> None:
        """See ``Progress``."""
        self._console.print(text, markup=False, soft_wrap=True)

    @contextlib.contextmanager
    def _shown(self) -> Iterator[RichProgress]:
        """The bars at the bottom; a step inside another joins those that are there."""
        if self._running is not None:
            yield self._running
            return
        title = Column(no_wrap=True, overflow="ellipsis")  # in a narrow terminal the title gives way, not the time
        time_column = TimeElapsedColumn(table_column=Column(no_wrap=True, min_width=7))
        columns = (time_column, TextColumn("{task.description}", markup=False, table_column=title), BarColumn(20))
        with RichProgress(*columns, console=self._console, transient=True) as bars:
            self._running = bars
            try:
                yield bars
            finally:
                self._running = None


class _Bar:
    def __init__(self, bars: RichProgress, task: TaskID) -> None:
        self._bars = bars
        self._task = task

    def reached(self, count: int) -> None:
        self._bars.update(self._task, completed=count)


def choose(quiet: bool = False) -> Progress:
    """The form that fits where standard error goes."""
    if quiet:
        return QuietProgress()
    return TerminalProgress() if sys.stderr.isatty() else PlainProgress()


def _took(start: float) -> str:
    return f"{time.monotonic() - start:7.1f} s"
