"""The commands of ``gg``, each imported when it is called, and how every error is told."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Sequence

import click
from gg_arm_kit.command import clicked, told
from gg_arm_kit.errors import KitError

EPILOG = """\b
Exit codes:
  0    the command did its work; for run, the program did its own
  1    run: the program failed, and the message says how
  2    something given is wrong, and the message says what to do
  3    run: the host itself failed, which is not the program's fault
  130  interrupted (143 when ended by SIGTERM)"""

_COMMANDS = {
    "run": ("gg_host.cli.run", "Run one program under a grant and tell what it did."),
    "arms": ("gg_host.cli.arms", "List the languages: built or not, versions, what is not confined here."),
    "operations": ("gg_host.cli.operations", "List the operations, or tell everything about one."),
    "docs": ("gg_host.cli.docs", "Show a page of a language's documentation."),
    "search": ("gg_host.cli.search", "Search a language's documentation."),
}


class _Commands(click.Group):
    """Knows its commands by name; the module of one is imported when that one is needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command = importlib.import_module(_COMMANDS[cmd_name][0]).command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, brief) for name, (_, brief) in _COMMANDS.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in _COMMANDS and not name.startswith("-"):
            raise KitError(
                f"there is no command {name!r}", near(name, _COMMANDS) or f"Commands: {', '.join(_COMMANDS)}."
            )
        return super().resolve_command(ctx, args)


@click.group(cls=_Commands, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    callback=lambda *given: _version(given[2]),
    expose_value=False,
    help="Show the version.",
)
def gg() -> None:
    """Run programs of models against a typed SDK, in WebAssembly, under a grant.

    Nothing is granted unless it is asked for. Every command takes --json.
    """


def _version(asked: bool) -> None:
    if asked:
        from importlib import metadata  # costs a third of the start

        try:
            click.echo(f"gg {metadata.version('gg-host')}")
        except metadata.PackageNotFoundError:
            click.echo("gg, from a checkout")
        raise click.exceptions.Exit(0)


def near(wanted: str, names: Iterable[str]) -> str:
    """``Did you mean ...?`` for a name that is not known; empty when nothing is near."""
    import difflib

    from gg_host.docs.names import did_you_mean, suggestions

    known = list(names)
    return did_you_mean(suggestions(wanted, known) or difflib.get_close_matches(wanted, known)).strip()


def run_command(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code; every error is one message on standard error."""
    try:
        return clicked(gg, "gg", arguments)
    except BaseException as error:
        return told("gg", error)
