"""The bracket around every call, seen from a guest."""

from __future__ import annotations

from typing import Any

import pytest
from gg_host import (
    ApiCall,
    ApiResult,
    EndingRole,
    ErrorCode,
    Failure,
    Grant,
    Host,
    Limits,
    LogLine,
    Outcome,
    ProgramReport,
    full_grant,
)

LIMITS = Limits(timeout_secs=10, max_memory_bytes=64 << 20)

# read_text_file("notes.md", none, none): a result lies at 200: tag, then the string or the failure record
READ = """(call $files.read-text-file (i32.const 100) (i32.const 8) (i32.const 0) (i32.const 0) (i32.const 0)
  (i32.const 0) (i32.const 200))"""
# log what came back: the text for a success, the failure's operation and message for a failure
LOG_ANSWER = """
(if (i32.eqz (i32.load8_u (i32.const 200)))
  (then (call $feedback.log (i32.load (i32.const 204)) (i32.load (i32.const 208))))
  (else
    (call $feedback.log (i32.load (i32.const 208)) (i32.load (i32.const 212)))
    (call $feedback.log (i32.load (i32.const 216)) (i32.load (i32.const 220)))))"""
DATA = {100: "notes.md"}
FINISH = "(call $session.finish (i32.const 100) (i32.const 8) (i32.const 300))"
THROW = """(call $feedback.report-error (i32.const 2) (i32.const 0) (i32.const 0) (i32.const 100) (i32.const 8)
  (i32.const 0) (i32.const 0) (i32.const 0))"""


class Session:
    def finish(self, call: Any, summary: str) -> None:
        if not summary.strip():
            raise Failure(ErrorCode.INVALID_ARGUMENT, "the summary is blank")

    def approve(self, call: Any) -> None: ...

    def request_changes(self, call: Any, items: list[str]) -> None: ...


class Reads:
    """Serves ``read_text_file`` with whatever it was given: a value, or an exception to raise."""

    def __init__(self, answer: Any = "contents") -> None:
        self.answer = answer
        self.calls: list[tuple[Any, ...]] = []

    def read_text_file(self, call: Any, path: str, offset: int | None, limit: int | None) -> Any:
        self.calls.append((path, offset, limit))
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


@pytest.fixture
def run(build_guest: Any, make_arm: Any, host: Host, always: dict[str, object]) -> Any:
    def go(body: str, answer: Any = "contents", grant: Grant | None = None, **options: Any) -> ProgramReport:
        host.add(*make_arm(build_guest(body, DATA)))
        providers = {**always, "files": answer if isinstance(answer, Reads) else Reads(answer), "session": Session()}
        options.setdefault("limits", LIMITS)
        return host.run("text", "", grant=full_grant() if grant is None else grant, providers=providers, **options)

    return go


def test_arguments_and_result_cross(run: Any) -> None:
    reads = Reads("first line\nsecond é 😀\0 line")
    report = run(READ + LOG_ANSWER, reads)
    assert report.logs == ("first line\nsecond é 😀\0 line",)
    assert reads.calls == [("notes.md", None, None)]
    assert [(call.operation, call.code) for call in report.calls] == [("files.read_text_file", None)]
    assert report.calls_count == 1


def test_a_failure_crosses_with_the_operation_key(run: Any) -> None:
    report = run(READ + LOG_ANSWER, Failure(ErrorCode.NOT_FOUND, "there is no notes.md"))
    assert report.outcome is Outcome.PROGRESSED
    assert report.logs == ("read_text_file", "there is no notes.md")
    assert [(call.code, call.message) for call in report.calls] == [("not-found", "there is no notes.md")]


def test_a_failure_message_with_a_lone_surrogate_is_escaped(run: Any) -> None:
    report = run(READ + LOG_ANSWER, Failure(ErrorCode.IO_ERROR, "name \udcff"))
    assert report.logs == ("read_text_file", "name \\udcff")


def test_a_refused_call_is_recorded_worded_and_never_reaches_the_provider(run: Any) -> None:
    reads = Reads()
    report = run(READ + LOG_ANSWER, reads, Grant())
    text = "`gg.files.readTextFile` is not available."
    assert report.logs == ("read_text_file", text)
    assert reads.calls == []
    assert [(refusal.operation, refusal.message) for refusal in report.refusals] == [("files.read_text_file", text)]
    assert [(call.operation, call.code) for call in report.calls] == [("files.read_text_file", "unavailable")]


def test_a_refused_ending_names_the_ones_the_agent_has(run: Any) -> None:
    report = run(FINISH, grant=Grant(ending=EndingRole.REVIEW))
    assert [refusal.message for refusal in report.refusals] == [
        "`gg.session.finish` is not available. Use `gg.session.approve` or `gg.session.requestChanges` instead."
    ]
    report = run(FINISH, grant=Grant())
    assert [refusal.message for refusal in report.refusals] == ["`gg.session.finish` is not available."]


def test_the_roster_describes_a_hundred_and_counts_the_rest(run: Any) -> None:
    loop = f"""(local.set $n (i32.const 130))
      (loop $more {READ} (br_if $more (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))"""
    report = run(loop, grant=Grant())
    assert (len(report.refusals), report.refusals_suppressed, report.calls_count) == (100, 30, 130)


def test_five_hundred_calls_are_described_and_all_are_counted(run: Any) -> None:
    loop = f"""(local.set $n (i32.const 700))
      (loop $more {READ} (br_if $more (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))"""
    report = run(loop)
    assert (len(report.calls), report.calls_count) == (500, 700)


def test_events_come_as_things_happen(run: Any) -> None:
    events: list[Any] = []

    class Watching(Reads):
        def read_text_file(self, *arguments: Any) -> str:
            assert events == [ApiCall("files.read_text_file", 1)]
            return "seen"

    run(READ + LOG_ANSWER, Watching(), on_event=events.append)
    assert events == [ApiCall("files.read_text_file", 1), ApiResult("files.read_text_file", 1, None), LogLine("seen")]
    events.clear()
    run(READ, grant=Grant(), on_event=events.append)
    assert events == [ApiCall("files.read_text_file", 1), ApiResult("files.read_text_file", 1, "unavailable")]


@pytest.mark.parametrize("error", [ValueError("watcher"), KeyboardInterrupt(), SystemExit(3)])
def test_a_watcher_that_raises_hurts_nothing(run: Any, error: BaseException) -> None:
    def watch(event: Any) -> None:
        raise error

    report = run(READ + LOG_ANSWER, on_event=watch)
    assert (report.outcome, report.logs) == (Outcome.PROGRESSED, ("contents",))


@pytest.mark.parametrize(
    "error", [ValueError("broken"), KeyboardInterrupt(), SystemExit(3), RecursionError("deep"), GeneratorExit()]
)
def test_anything_else_a_provider_raises_is_a_fault_of_the_host(run: Any, error: BaseException) -> None:
    report = run(READ + LOG_ANSWER, error)
    assert (report.outcome, report.error_type, report.band, report.text) == (Outcome.FATAL, None, None, "")
    assert f"files.read_text_file: {type(error).__name__}" in report.fault
    assert report.logs == ()


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (None, "must be a string, and is None"),
        (3, "must be a string, and is 3"),
        (b"bytes", "must be a string"),
        ("lone \ud800", "lone surrogate"),
    ],
)
def test_an_ill_formed_result_is_a_fault_that_names_operation_and_value(run: Any, answer: Any, words: str) -> None:
    report = run(READ + LOG_ANSWER, answer)
    assert report.outcome is Outcome.FATAL
    assert "files.read_text_file: IllFormedError: result" in report.fault
    assert words in report.fault


def test_a_failure_whose_code_is_no_code_is_a_fault(run: Any) -> None:
    report = run(READ + LOG_ANSWER, Failure("not-found", "a plain string"))  # type: ignore[arg-type]
    assert report.outcome is Outcome.FATAL
    assert "failure.code must be a ErrorCode" in report.fault


def test_a_dispatching_call_is_refused_when_the_time_of_the_run_is_spent(run: Any) -> None:
    report = run(READ + LOG_ANSWER, deadline=0.0)
    assert [(call.code, call.message) for call in report.calls] == [("limit-exceeded", "the time of the run is spent")]
    report = run(FINISH, grant=Grant(ending=EndingRole.STANDARD), deadline=0.0)
    assert report.outcome is Outcome.FINISHED


def test_the_last_ending_stands(run: Any) -> None:
    report = run(FINISH + FINISH, grant=Grant(ending=EndingRole.STANDARD))
    assert report.outcome is Outcome.FINISHED
    assert (report.ending.operation, report.ending.arguments) == ("session.finish", {"summary": "notes.md"})
    assert report.endings_replaced == 1


def test_a_refused_or_failed_ending_ends_nothing(run: Any) -> None:
    blank = FINISH.replace("(i32.const 8)", "(i32.const 0)")
    report = run(blank, grant=Grant(ending=EndingRole.STANDARD))
    assert (report.outcome, report.ending) == (Outcome.PROGRESSED, None)
    assert run(FINISH, grant=Grant()).outcome is Outcome.PROGRESSED


@pytest.mark.parametrize("death", [THROW, "(unreachable)", "(call $feedback.exit (i32.const 0))"])
def test_a_program_that_fails_loses_its_ending(run: Any, death: str) -> None:
    report = run(FINISH + death, grant=Grant(ending=EndingRole.STANDARD))
    assert (report.outcome, report.ending) == (Outcome.ERROR, None)
    assert report.calls[0].code is None
