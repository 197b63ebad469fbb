"""The ``gg-codegen`` command."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click
from gg_arm_kit import command

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gg_codegen.generating import Result

FRESH, STALE, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130

_EXIT_CODES = f"""
\b
Exit codes:
  {FRESH}    everything generated is as it should be
  {STALE}    --check: something is stale, missing or untracked; or, under CI, a layer could not be checked
  {BAD_INPUT}    an input is wrong, or a file cannot be written; nothing is left half-written
  {INTERRUPTED}  interrupted
"""


@click.group(epilog=_EXIT_CODES)
def cli() -> None:
    """Write every SDK and documentation catalogue from wit/ and the arms' spelling."""


@cli.command(epilog=_EXIT_CODES)
@click.option("--check", "only_check", is_flag=True, help="Write nothing; name each file that is not as it should be.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
@click.option(
    "--root",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=None,
    help="The repository's folder, when it is not the one around this program.",
)
def generate(only_check: bool, as_json: bool, root: Path | None) -> None:
    """Write what is generated, where it changed, and remove what nothing generates any more."""
    from gg_arm_kit import source

    from gg_codegen import generating

    root = root.resolve() if root is not None else source.root()
    work = generating.check if only_check else generating.generate
    result = work(root, lambda text: click.echo(f"{text} ...", err=True))
    failing_layer = only_check and bool(result.unchecked) and _under_ci()
    stale = bool(result.difference) or failing_layer
    if as_json:
        made = {"written": result.written, "removed": result.removed, "unchecked": result.unchecked}
        click.echo(json.dumps({"status": "stale" if stale else "fresh", **asdict(result.difference), **made}, indent=1))
    else:
        for line in _lines(result):
            click.echo(line)
        if failing_layer:
            click.echo(
                "Under CI every layer is checked: install cargo, or give this job the project's cache.", err=True
            )
        elif stale:
            click.echo("Run `./nox -s generate`, then add and commit what it wrote.", err=True)
    if stale:
        sys.exit(STALE)


def main() -> NoReturn:
    """Run the command; an error a person can mend is one message, never a traceback."""
    sys.exit(command.run("gg-codegen", lambda: command.clicked(cli, "gg-codegen")))


def _lines(result: Result) -> Iterator[str]:
    difference = result.difference
    yield from (f"missing: {path}" for path in difference.missing)
    yield from (f"stale: {path}" for path in difference.stale)
    yield from (f"untracked: {path} (nothing generates it)" for path in difference.unknown)
    yield from (f"untracked: {path} (git does not track it)" for path in difference.uncommitted)
    yield from (f"written: {path}" for path in result.written)
    yield from (f"removed: {path}" for path in result.removed)
    yield from (f"not checked: {layer}" for layer in result.unchecked)


def _under_ci() -> bool:
    return os.environ.get("CI", "").lower() not in ("", "0", "false", "no")
