"""``./nox -s bench``: every figure against its goal, beside peers measured in the same run."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from gg_arm_kit import command, progress
from gg_arm_kit.cache import open_cache, write_atomically
from gg_arm_kit.errors import KitError
from gg_conformance.page import check_place
from rich.console import Console
from rich.table import Table

from gg_benchmarks import commands, peer_environment, programs, stock
from gg_benchmarks.model import Row

PeerFigures = dict[str, dict[str, float]]


def _of(peers: PeerFigures, figure: str, *names: str) -> dict[str, float]:
    return {name: peers[name][figure] for name in names if name in peers}


def rows(
    peers: PeerFigures, cold: bool
) -> list[tuple[str, str, float, Callable[[], float], Callable[[], dict[str, float]]]]:
    """Every row: id, unit, goal, how it is measured, how its peers are."""
    nobody: Callable[[], dict[str, float]] = dict

    def quick(figure: str) -> Callable[[], dict[str, float]]:
        return lambda: _of(peers, figure, "quickjs-rs")

    def snake(figure: str) -> Callable[[], dict[str, float]]:
        return lambda: _of(peers, figure, "pydantic-monty")

    listed: list[tuple[str, str, float, Callable[[], float], Callable[[], dict[str, float]]]] = [
        ("javascript.program", "ms", 0.25, lambda: programs.program_ms("javascript"), quick("program")),
        ("python.program", "ms", 1.0, lambda: programs.program_ms("python"), snake("program")),
        (
            "javascript.call.converters",
            "us",
            10,
            lambda: programs.converters_us("javascript"),
            lambda: {"wasmtime.component": stock.call_us("javascript")},
        ),
        ("javascript.call", "us", 14, lambda: programs.call_us("javascript"), quick("call")),
        ("python.call.converters", "us", 15, lambda: programs.converters_us("python"), nobody),
        ("python.call", "us", 19, lambda: programs.call_us("python"), snake("call")),
        ("typescript.prepare.cpu", "ms", 30, programs.prepare_cpu_ms, nobody),
        ("generate.unchanged.cpu", "s", 0.5, lambda: commands.generate_cpu_secs(False), nobody),
        ("generate.all.cpu", "s", 2, lambda: commands.generate_cpu_secs(True), nobody),
        ("table.built", "s", 10, commands.table_secs, nobody),
    ]
    if cold:
        listed.append(("table.from-nothing", "s", 360, commands.from_nothing_secs, nobody))
    return listed


def measure(
    listed: Sequence[tuple[str, str, float, Callable[[], float], Callable[[], dict[str, float]]]],
    shown: progress.Progress,
) -> list[Row]:
    """Measure each row; one that cannot be measured has its reason."""
    found = []
    for row_id, unit, goal, value, beside in listed:
        with shown.step(row_id):
            try:
                found.append(Row(row_id, unit, value(), goal, beside()))
            except (KitError, RuntimeError, OSError) as error:
                found.append(Row(row_id, unit, None, goal, reason=str(error)))
    return found


def show(found: Sequence[Row], console: Console) -> None:
    """Print the table."""
    table = Table("row", "value", "goal", "", "peers")
    for row in found:
        value = "-" if row.value is None else f"{row.value:.3g} {row.unit}"
        peers = ", ".join(f"{name} {figure:.3g} {row.unit}" for name, figure in row.peers.items())
        table.add_row(
            row.id, value, f"≤ {row.goal:g} {row.unit}", "holds" if row.holds else "MISSES", peers or row.reason
        )
    console.print(table)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command. Returns 0 when every goal is reached, 1 when one is missed.

    Raises:
        KitError: no row has that name, or the file cannot be written.
    """
    parser = argparse.ArgumentParser(
        prog="bench",
        description="Measure every figure against its goal, beside peers measured in the same run.",
        epilog="Exit codes: 0 every goal is reached; 1 one is missed; 2 bad input; 130 interrupted.",
    )
    parser.add_argument("row", nargs="*", help="only rows whose id starts so")
    parser.add_argument(
        "--cold", action="store_true", help="also measure everything from an empty cache (minutes, and downloads)"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the rows to this file")
    given = parser.parse_args(arguments)
    shown = progress.choose()
    if given.json:
        check_place(given.json)
    cache = open_cache()
    peers: PeerFigures = {}
    try:
        with shown.step("peers"):
            peers = peer_environment.figures(cache)
    except KitError as error:
        shown.note(str(error))
    listed = [row for row in rows(peers, given.cold) if not given.row or row[0].startswith(tuple(given.row))]
    if not listed:
        raise KitError(f"no row starts with {' or '.join(given.row)}", "Without a name every row is measured.")
    found = measure(listed, shown)
    show(found, Console(width=140))
    if given.json:
        text = json.dumps({"rows": [row.as_json() for row in found]}, indent=2) + "\n"
        write_atomically(given.json, text.encode())
    return 0 if all(row.holds for row in found) else 1


if __name__ == "__main__":
    sys.exit(command.run("bench", main))
