"""``gg run``: one program under a grant."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click
from gg_arm_kit.command import DEFECT, INTERRUPTED
from gg_arm_kit.errors import KitError

from gg_host.generated.types import EndingRole

if TYPE_CHECKING:
    from gg_host.grant import Grant
    from gg_host.limits import Limits
    from gg_host.report import ProgramReport

TIMEOUT_SECONDS = 30.0
MEMORY_BYTES = 256 * 1024 * 1024
"""Limits of the command alone; the Python interface has no defaults. The values are those programs of models are
commonly given."""
_CANCEL_SECONDS = 10.0
"""How long an interrupted run has to end: a tick for the guest, a command's tree for the host."""


@click.command(
    epilog="Exit codes: 0 the program did its work; 1 it failed; 2 something given is wrong; 3 the host failed; "
    "130 interrupted."
)
@click.argument("file", metavar="FILE")
@click.option("--arm", "arm_id", required=True, metavar="ARM", help="The program's language; `gg arms` lists them.")
@click.option("--workspace", default=".", metavar="DIR", help="Folder that paths are relative to.  [default: .]")
@click.option(
    "--allow",
    multiple=True,
    metavar="OP,...",
    help="Grant these operations and the capabilities that buy them; `gg operations` lists them. Can be repeated.",
)
@click.option("--all", "everything", is_flag=True, help="Grant every operation but the endings.")
@click.option(
    "--ending",
    type=click.Choice([role.value for role in EndingRole]),
    default=EndingRole.NONE.value,
    show_default=True,
    help="Which ending calls are granted.",
)
@click.option(
    "--timeout-secs",
    type=float,
    default=TIMEOUT_SECONDS,
    show_default=True,
    metavar="S",
    help="Processor time of the program, seconds; calls are not charged.",
)
@click.option(
    "--memory-bytes",
    type=int,
    default=MEMORY_BYTES,
    show_default=True,
    metavar="N",
    help="Linear memory of the program, bytes.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the whole report as JSON.")
def command(
    file: str,
    arm_id: str,
    workspace: str,
    allow: tuple[str, ...],
    everything: bool,
    ending: str,
    timeout_secs: float,
    memory_bytes: int,
    as_json: bool,
) -> int:
    """Run the program in FILE (- for standard input) and tell what it did.

    Nothing is granted unless --allow, --all or --ending asks for it. Standard output gets what the model would read,
    then calls, refusals, views, logs and times; standard error gets the limits and the grant. A granted shell.shell
    runs commands as you, and is not confined to the workspace.
    """
    from gg_host.catalogue import load_catalogue
    from gg_host.cli.choices import check_arm
    from gg_host.cli.granting import granted
    from gg_host.cli.report import show_report
    from gg_host.cli.show import show_json
    from gg_host.limits import Limits
    from gg_host.providers import workspace_providers

    check_arm(arm_id)
    program = _read(file)
    names = [name.strip() for one in allow for name in one.split(",") if name.strip()]
    given = granted(load_catalogue(), names, everything, EndingRole(ending))
    limits = Limits(timeout_secs, memory_bytes)
    for name in given.unserved:
        click.echo(f"gg: {name} is not served by this command and stays refused", err=True)
    providers = workspace_providers(workspace)

    def header() -> None:
        _show_header(arm_id, limits, given.grant, workspace, everything)

    report, interrupted = _run(arm_id, program, given.grant, limits, providers, header)
    if as_json:
        show_json(report.to_json())
    else:
        show_report(report)
    if interrupted:
        return INTERRUPTED
    if report.outcome == "fatal":
        return DEFECT
    return 0 if report.ok else 1


def _read(file: str) -> bytes:
    if file == "-":
        data, name = sys.stdin.buffer.read(), "standard input"
    else:
        name = file
        try:
            data = Path(file).read_bytes()
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise KitError(
                f"the program {file} cannot be read: {reason}", "Name a file you may read, or - for stdin."
            ) from error
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise KitError(
            f"the program in {name} is not UTF-8: byte {data[error.start]:#04x} in line {line}", "Save it as UTF-8."
        ) from error
    return data


def _show_header(arm_id: str, limits: Limits, grant: Grant, workspace: str, everything: bool) -> None:
    operations = "every operation" if everything else ", ".join(sorted(grant.operations)) or "nothing"
    click.echo(
        f"{arm_id}: {limits.timeout_secs:g} s of processor time, {limits.max_memory_bytes:,} bytes of memory,"
        f" workspace {workspace}, ending {grant.ending.value}\ngranted: {operations}",
        err=True,
    )


def _run(
    arm_id: str,
    program: bytes,
    grant: Grant,
    limits: Limits,
    providers: dict[str, object],
    header: Callable[[], None],
) -> tuple[ProgramReport, bool]:
    """The report, and whether the run was interrupted. Ctrl-C cancels the run, which still ends in order."""
    from gg_host.host import Host

    with Host() as host:
        run = host.start(arm_id, program, grant=grant, limits=limits, providers=providers)
        header()  # now that nothing given is wrong: an error is told alone
        try:
            return run.result(), False
        except KeyboardInterrupt:
            run.cancel()
            click.echo("gg: interrupted", err=True)
            try:
                return run.result(_CANCEL_SECONDS), True
            except TimeoutError:
                raise KeyboardInterrupt from None
