"""Drive cells through the real toolchain, the real component and the real host."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from gg_arm_kit import source
from gg_arm_kit.errors import KitError
from gg_arm_kit.facts import read_facts
from gg_host import EndingRole, Grant, Host, Limits, ProgramReport, full_grant
from gg_host.providers import workspace_providers

from gg_conformance.judge import Result, Seen, Status, judge
from gg_conformance.model import Cell

# Generous: a cell must end by its own fault, never by a ceiling.
LIMITS = Limits(timeout_secs=30.0, max_memory_bytes=512 * 1024 * 1024)


def grant() -> Grant:
    """The gate's scope: every capability and operation, no ending."""
    return full_grant(ending=EndingRole.NONE)


def see(report: ProgramReport, seconds: float) -> Seen:
    """What a cell's judge needs of a report."""
    location = report.location
    return Seen(
        filed_as=report.error_type or "nothing",
        band=report.band,
        text=report.text,
        location=str(location) if location is not None else None,
        seconds=seconds,
        record=report.to_json(),
    )


def drive(host: Host, cell: Cell) -> Result:
    """Run one cell of an arm that is built, in an empty workspace of its own.

    Raises:
        KitError: the arm's compiler or the host could not finish.
    """
    with tempfile.TemporaryDirectory(prefix="gg-cell-") as folder:
        start = time.perf_counter()
        report = host.run(
            cell.arm, cell.source(), grant=grant(), limits=LIMITS, providers=workspace_providers(Path(folder))
        )
        return judge(cell, see(report, time.perf_counter() - start))


def drive_all(
    cells: Iterable[Cell],
    built: Sequence[str],
    unavailable: dict[str, str],
    reached: Callable[[int], None] = lambda _: None,
) -> list[Result]:
    """Drive every cell; arms without an artifact are counted, never passed.

    Parameters:
        cells: rows to drive, in order.
        built: ids of the arms whose artifacts are current.
        unavailable: arm id to the reason that it cannot be built on this machine.
        reached: told after each cell that was driven how many there have been.
    """
    results: list[Result] = []
    driven = 0
    with Host() as host:
        for cell in cells:
            if cell.arm in unavailable:
                result = Result(cell, Status.UNAVAILABLE, unavailable[cell.arm])
            elif cell.arm not in built:
                result = Result(cell, Status.NOT_BUILT, "the arm is not in the repository yet")
            else:
                try:
                    result = drive(host, cell)
                except KitError as error:
                    result = Result(cell, Status.DIFFERS, str(error))
                driven += 1
                reached(driven)
            results.append(result)
    return results


def titles() -> dict[str, str]:
    """Every arm's title by its id, in the table's order."""
    facts = sorted((read_facts(source.arm(arm) / "arm.toml") for arm in source.arm_ids()), key=lambda f: f.order)
    return {fact.id: fact.title for fact in facts}
