"""Showing things to a person or as JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence

import click
from gg_arm_kit.command import printable

_PLAIN_WIDTH = 120
"""Width of tables where standard output is no terminal."""


def show_json(value: object) -> None:
    """Print ``value`` as JSON on standard output; in ASCII to a terminal, which obeys more than JSON must escape."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=sys.stdout.isatty()))


def safe(text: str) -> str:
    """``text`` with the characters that a terminal obeys written out; unchanged where output is no terminal."""
    return printable(text, sys.stdout)


def show_text(text: str) -> None:
    """Print ``text``, ending in a line break."""
    click.echo(safe(text), nl=not text.endswith("\n"))


def show_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a small table under ``title``; nothing when it has no rows."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title or None, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*(Text(safe(cell)) for cell in row))
    if table.row_count:
        if sys.stdout.isatty():
            Console().print(table)
            return
        plain = Console(width=_PLAIN_WIDTH, no_color=True)
        with plain.capture() as shown:
            plain.print(table)
        lines = [line.rstrip() for line in shown.get().splitlines()]
        click.echo("\n".join(lines).strip("\n"))
