"""An ending stands when the program that asked for it ends well; the last one counts."""

from __future__ import annotations

import pytest
from gg_conformance import suites, trial
from gg_host import EndingRole, Host, Limits, ProgramReport, full_grant
from gg_host.providers.session import Finished, SessionProvider


def ended(host: Host, arm: str, program: str, seconds: float = 30.0) -> tuple[ProgramReport, SessionProvider]:
    session = SessionProvider()
    limits = Limits(timeout_secs=seconds, max_memory_bytes=trial.LIMITS.max_memory_bytes)
    served = {**trial.providers(), "session": session}
    del served["files"]  # reads nothing serves are refused, which the program catches
    grant = full_grant(EndingRole.STANDARD)
    return trial.run(host, arm, suites.text(arm, program), grant=grant, limits=limits, served=served), session


def test_an_uncaught_error_takes_it_back(host: Host, arm: str) -> None:
    report, _ = ended(host, arm, "endings/thrown")
    assert (report.outcome, report.error_type, report.ending) == ("error", "program_throw", None), trial.told(report)
    assert "it was not" in report.text
    assert [call.code for call in report.calls] == [None]


def test_a_ceiling_takes_it_back(host: Host, arm: str) -> None:
    report, _ = ended(host, arm, "endings/ceiling", seconds=0.5)
    assert (report.outcome, report.error_type, report.ending) == ("error", "sandbox_timeout", None), trial.told(report)
    assert [call.code for call in report.calls] == [None]


def test_a_caught_failure_leaves_it(host: Host, arm: str) -> None:
    report, session = ended(host, arm, "endings/caught")
    assert report.outcome == "finished", trial.told(report)
    assert [line.lower() for line in report.logs] == ["unavailable", "true"]
    assert report.ending is not None
    assert (report.ending.operation, dict(report.ending.arguments)) == ("session.finish", {"summary": "all is done"})
    assert session.ending == Finished("all is done")


def test_the_last_call_counts(host: Host, arm: str) -> None:
    report, session = ended(host, arm, "endings/last")
    assert report.outcome == "finished", trial.told(report)
    assert report.ending is not None and report.ending.arguments["summary"] == "third"
    assert report.endings_replaced == 2
    assert report.logs == ("unavailable", "statements after an ending run")
    assert session.ending == Finished("third")


@pytest.mark.parametrize("program", ["endings/thrown", "endings/ceiling"])
def test_a_lost_ending_is_lost_for_its_provider_too(host: Host, arm: str, program: str) -> None:
    _, session = ended(host, arm, program, seconds=0.5)
    assert session.ending is None
