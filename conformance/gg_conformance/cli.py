"""``./nox -s table``: build the arms, drive every cell, print the table."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click
from gg_arm_kit import progress, registry, source
from gg_arm_kit.build_command import build
from gg_arm_kit.command import clicked
from gg_arm_kit.errors import KitError
from gg_arm_kit.kit import Kit

from gg_conformance import drive, fix, page, show
from gg_conformance.judge import Result, Status
from gg_conformance.model import Cell, Shape, read_table

EXIT_CODES = "Exit codes: 0 every driven cell passes; 1 a cell differs or is unavailable; 2 bad input; 130 interrupted."


@click.command(context_settings={"help_option_names": ["-h", "--help"]}, epilog=EXIT_CODES)
@click.argument("arms", nargs=-1, metavar="[ARM]...")
@click.option(
    "--shape",
    "shapes",
    multiple=True,
    type=click.Choice([shape.value for shape in Shape]),
    help="Only this shape; may be given again.",
)
@click.option(
    "--json",
    "json_file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the cells to this file as JSON; - for standard output.",
)
@click.option(
    "--html",
    "html_file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where the page goes.  [default: table.html of the repository]",
)
@click.option(
    "--fix",
    "rewrite",
    is_flag=True,
    help="Rewrite `says` and `at` of cells that are filed right but read otherwise; read the diff.",
)
def command(
    arms: tuple[str, ...], shapes: tuple[str, ...], json_file: Path | None, html_file: Path | None, rewrite: bool
) -> None:
    """Build the arms that are in the repository, drive every failure cell through the real host and print the table."""
    cells = select(read_table(), arms, shapes)
    to_stdout = json_file is not None and str(json_file) == "-"
    for file in (html_file, None if to_stdout else json_file):
        if file is not None:
            page.check_place(file)
    console = show.console(stderr=to_stdout)
    kit = Kit(progress=progress.choose())
    built, unavailable = build_arms(kit, {cell.arm for cell in cells})
    driven = sum(cell.arm in built for cell in cells)
    with kit.progress.step("drive the cells", total=driven) as bar:
        results = drive.drive_all(cells, built, unavailable, bar.reached)
    titles = drive.titles()
    show.print_table(console, results, titles)
    console.print(write_page(html_file, page.render(results, titles)), style="dim", highlight=False, soft_wrap=True)
    if json_file is not None:
        text = json.dumps({"cells": [result.as_json() for result in results]}, indent=2, ensure_ascii=False) + "\n"
        if to_stdout:
            click.echo(text, nl=False)
        else:
            page.write(json_file, text)
    if rewrite:
        for line in fix.rewrite(results):
            console.print(line, markup=False, highlight=False)
    sys.exit(exit_code(results))


def write_page(asked: Path | None, text: str) -> str:
    """Write the page and tell where it is. Only one that was asked for must be written: a checkout may be read-only.

    Raises:
        KitError: the page that was asked for cannot be written.
    """
    place = asked or source.root() / "table.html"
    try:
        page.write(place, text)
    except KitError as error:
        if asked is not None:
            raise
        return f"The page of each cell was not written: {error.message}; --html names another file."
    return f"Each cell in full: {place}"


def build_arms(kit: Kit, wanted: set[str]) -> tuple[list[str], dict[str, str]]:
    """Build the wanted arms that are in the repository.

    Returns:
        The ids of those that are built, and the reason for each that should be and cannot.
    """
    built, unavailable = [], {}
    for status in registry.statuses():
        if status.id not in wanted or status.state is registry.State.NOT_BUILT:
            continue
        try:
            build(kit, registry.find(status.id))
            built.append(status.id)
        except KitError as error:
            unavailable[status.id] = str(error)
    return built, unavailable


def select(cells: list[Cell], arms: tuple[str, ...], shapes: tuple[str, ...]) -> list[Cell]:
    """The cells that were asked for.

    Raises:
        KitError: an arm's name is not in the table.
    """
    known = list(dict.fromkeys(cell.arm for cell in cells))
    for arm_id in arms:
        if arm_id not in known:
            raise KitError(f"there is no arm {arm_id!r}", f"The arms are: {', '.join(known)}.")
    return [cell for cell in cells if (not arms or cell.arm in arms) and (not shapes or cell.shape.value in shapes)]


def exit_code(results: list[Result]) -> int:
    """0 when nothing differs and nothing that should run here is unavailable."""
    return 1 if any(result.status in (Status.DIFFERS, Status.UNAVAILABLE) for result in results) else 0


def main() -> int:
    """The command's work. Returns its exit code."""
    return clicked(command, "table")
