"""A host runs programs of an arm and reports what they did."""

from __future__ import annotations

from gg_host import Grant, Host, Limits, Outcome

LIMITS = Limits(timeout_secs=5, max_memory_bytes=64 << 20)


def test_a_program_that_logs(build_guest, make_arm, host: Host, always) -> None:
    component = build_guest("(call $feedback.log (local.get $program) (local.get $program_size))")
    arm, artifact = make_arm(component)
    host.add(arm, artifact)
    report = host.run("text", "hello", grant=Grant(), limits=LIMITS, providers=always)
    assert report.outcome is Outcome.PROGRESSED, report.fault
    assert report.logs == ("hello",)
