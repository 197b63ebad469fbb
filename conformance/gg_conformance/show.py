"""The table for a person: the seed's layout, each cell marked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from gg_conformance.judge import Result, Status
from gg_conformance.model import Shape

MARKS = {
    Status.PASS: ("✓", "green"),
    Status.DIFFERS: ("✗", "bold red"),
    Status.UNAVAILABLE: ("?", "yellow"),
    Status.NOT_BUILT: ("·", "dim"),
}


LOG_COLUMNS = 160
"""Width where output is no terminal, so that no cell of the whole table is folded in a log."""


def console(stderr: bool) -> Console:
    """The console the table goes to."""
    found = Console(stderr=stderr)
    return found if found.is_terminal else Console(stderr=stderr, width=LOG_COLUMNS)


def _cell(result: Result | None) -> Text:
    if result is None:
        return Text("")
    mark, style = MARKS[result.status]
    words = result.cell.expected
    if result.status is Status.DIFFERS and result.seen is not None and result.seen.filed_as != result.cell.filed_as:
        words = f"{result.seen.filed_as}, wants {words}"
    return Text(f"{mark} {words}", style=style)


def summary(results: Sequence[Result]) -> str:
    """One line of counts, every status named."""
    counts = Counter(result.status for result in results)
    return f"{len(results)} cells: " + ", ".join(f"{counts[status]} {status.value}" for status in Status)


def print_table(console: Console, results: Sequence[Result], titles: dict[str, str]) -> None:
    """Print the grid, the reasons of every cell that is no plain pass, and the counts."""
    shapes = [shape for shape in Shape if any(result.cell.shape is shape for result in results)]
    by_place = {(result.cell.arm, result.cell.shape): result for result in results}
    table = Table(title="What each arm files each failure shape as", title_justify="left", expand=False)
    table.add_column("Arm", no_wrap=True)
    for shape in shapes:
        table.add_column(f"({shape.value}) {shape.heading}", overflow="fold")
    for arm, title in titles.items():
        if any(result.cell.arm == arm for result in results):
            table.add_row(title, *(_cell(by_place.get((arm, shape))) for shape in shapes))
    console.print(table)
    for result in results:
        if result.reason and result.status is not Status.NOT_BUILT:
            console.print(
                f"{MARKS[result.status][0]} {titles.get(result.cell.arm, result.cell.arm)} ({result.cell.shape.value}) "
                f"{result.status.value}: {result.reason}",
                markup=False,
                highlight=False,
            )
    console.print("  ".join(f"{mark} {status.value}" for status, (mark, _) in MARKS.items()), style="dim")
    console.print(summary(results), highlight=False)
