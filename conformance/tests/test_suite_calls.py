"""Many calls and many failures in one run."""

from __future__ import annotations

from gg_conformance import suites, trial
from gg_host import Host


def test_ten_thousand_calls_in_one_run(host: Host, arm: str) -> None:
    served = trial.providers()
    report = trial.run(host, arm, suites.text(arm, "calls/ten_thousand"), served=served)
    assert (report.outcome, report.logs) == ("progressed", ("done",)), trial.told(report)
    assert report.calls_count == 10_000
    assert [body for _, (_, body) in served["views"].calls] == [f"body {i}" for i in range(10_000)]


def test_a_hundred_thousand_failures_raised_and_caught(host: Host, arm: str) -> None:
    report = trial.run(host, arm, suites.text(arm, "calls/caught_failures"))
    assert (report.outcome, report.logs) == ("progressed", ("100000",)), trial.told(report)
    assert report.calls_count == 100_000
    assert len(report.refusals) + report.refusals_suppressed == 100_000
    assert {row.operation for row in report.refusals} == {"files.read_text_file"}
    # Failures that were let go are freed: a program that keeps 100,000 of them would take far more.
    assert report.peak_memory_bytes - trial.hello_bytes(host, arm) < 16 << 20
