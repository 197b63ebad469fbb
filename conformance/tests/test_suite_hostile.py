"""Programs that try to harm: the host lives, files them right, and nothing of them is seen by the next program."""

from __future__ import annotations

from functools import cache

import pytest
from gg_arm_kit import registry
from gg_arm_kit.errors import KitError
from gg_conformance import suites, trial
from gg_conformance.suites import Hostile
from gg_host import Host, Limits

LEAST = 20
TIMEOUT_SECS = 3.0
"""Of guest CPU: a deep recursion through the interpreter takes 0.8 s on a busy machine, and is no loop."""
MODEL_READS_BYTES = 256 * 1024
PROGRAMS = [(arm, program) for arm in registry.available() for program in suites.hostile(arm)]


@cache
def clean(host: Host, arm: str) -> tuple[str, ...]:
    """What a program sees of the world; asked for the first time before anything hostile ran in that arm."""
    return world(host, arm)


def world(host: Host, arm: str) -> tuple[str, ...]:
    report = trial.run(host, arm, suites.text(arm, "hostile_check"))
    assert report.outcome == "progressed", trial.told(report)
    assert len(report.logs) >= 3
    return report.logs


def test_there_are_enough(arm: str) -> None:
    assert len(suites.hostile(arm)) >= LEAST


@pytest.mark.parametrize(
    ("of", "program"), [pytest.param(of, program, id=f"{of}-{program.name}") for of, program in PROGRAMS]
)
def test_a_hostile_program(host: Host, of: str, program: Hostile) -> None:
    before = clean(host, of)
    limits = Limits(timeout_secs=TIMEOUT_SECS, max_memory_bytes=trial.hello_bytes(host, of) + (64 << 20))
    if program.outcome == "unreadable":
        with pytest.raises(KitError, match=program.says or ""):
            trial.run(host, of, program.text, limits=limits)
    else:
        report = trial.run(host, of, program.text, limits=limits)
        assert (report.outcome, report.error_type) == (program.outcome, program.error_type), trial.told(report)
        assert program.says is None or program.says in report.text, trial.told(report)
        assert len(report.text.encode()) <= MODEL_READS_BYTES
        assert report.fault is None
        assert "planted" not in str(report.calls)
    assert world(host, of) == before
