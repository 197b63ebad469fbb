"""Time, memory, stack and the machine: every ceiling measured on real guests."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest
from gg_arm_kit.errors import KitError
from gg_host import Grant, Host, Limits, Machine, Outcome, ProgramReport, full_grant
from gg_host.machine import CLOCK_STEP_NS
from gg_host.sandbox import Sandbox

SPIN = "(loop $for_ever (br $for_ever))"
THROW = """(call $feedback.report-error (i32.const 2) (i32.const 0) (i32.const 0) (i32.const 100) (i32.const 8)
  (i32.const 0) (i32.const 0) (i32.const 0))"""
READ = """(call $files.read-text-file (i32.const 100) (i32.const 8) (i32.const 0) (i32.const 0) (i32.const 0)
  (i32.const 0) (i32.const 200))"""
DATA = {100: "anything"}
ROOMY = 256 << 20


@pytest.fixture
def run(build_guest: Any, make_arm: Any, host: Host, always: dict[str, object]) -> Any:
    def go(
        body: str, *, secs: float = 20, memory: int = ROOMY, guest: dict[str, Any] | None = None, **options: Any
    ) -> ProgramReport:
        host.add(*make_arm(build_guest(body, DATA, **(guest or {}))))
        options.setdefault("grant", Grant())
        options.setdefault("providers", always)
        return host.run("text", "", limits=Limits(secs, memory), **options)

    return go


@pytest.mark.parametrize(
    ("secs", "memory", "words"),
    [
        (0, 1, "timeout_secs is 0"),
        (-1, 1, "timeout_secs is -1"),
        (float("nan"), 1, "timeout_secs is nan"),
        (float("inf"), 1, "timeout_secs is inf"),
        (True, 1, "timeout_secs is True"),
        (1, 0, "max_memory_bytes is 0"),
        (1, 5e8, "max_memory_bytes is 500000000.0"),
        (1, True, "max_memory_bytes is True"),
        ("1", "2", "timeout_secs is '1'.*max_memory_bytes is '2'"),
    ],
)
def test_a_limit_that_cannot_be_kept_is_refused_by_name(secs: Any, memory: Any, words: str) -> None:
    with pytest.raises(KitError, match=words):
        Limits(secs, memory)


@pytest.mark.parametrize("secs", [0.05, 0.3])
def test_a_loop_is_stopped_in_time(run: Any, secs: float) -> None:
    report = run(SPIN, secs=secs)
    assert (report.outcome, report.error_type) == (Outcome.ERROR, "sandbox_timeout")
    assert f"{secs:g} seconds" in report.text
    overshoot = report.times.guest_cpu / 1e9 - secs
    assert 0 <= overshoot <= 0.1


def test_time_in_calls_is_not_charged(run: Any, always: dict[str, object]) -> None:
    class Slow:
        def read_text_file(self, *_: object) -> str:
            until = time.thread_time() + 0.15
            while time.thread_time() < until:  # uses the processor, as a hard search would
                pass
            time.sleep(0.15)
            return "slow"

    report = run(READ + READ, secs=0.2, grant=full_grant(), providers={**always, "files": Slow()})
    assert report.outcome is Outcome.PROGRESSED
    assert report.times.host_calls >= 0.3e9
    assert report.times.guest_cpu < 0.2e9


def test_an_engine_that_stops_itself_near_the_end_is_a_timeout(run: Any) -> None:
    own_stop = f"(loop $more (br_if $more (i64.ne (call $feedback.time-left) (i64.const 0)))) {THROW}"
    report = run(own_stop, secs=0.2)
    assert (report.outcome, report.error_type) == (Outcome.ERROR, "sandbox_timeout")
    assert report.text.startswith("Runtime error\n----\nanything\n")  # the engine's words first
    assert report.times.guest_cpu < 0.2e9


def test_a_throw_with_time_left_is_a_throw(run: Any) -> None:
    report = run(f"(drop (call $feedback.time-left)) {THROW}")
    assert report.error_type == "program_throw"


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_dead_ticker_is_noticed_while_a_guest_runs(run: Any, host: Host) -> None:
    ticker = host._sandbox.ticker  # the one thread that the limits hang on
    real = ticker._engine
    died = threading.Event()

    class Dying:
        def increment_epoch(self) -> None:
            ticker._engine = real
            died.set()
            raise SystemExit  # ends the thread, in silence

    ticker._engine = Dying()  # type: ignore[assignment]
    report = run(SPIN, secs=0.1)
    assert died.is_set()
    assert report.error_type == "sandbox_timeout"


def test_a_loop_is_cancelled_from_another_thread(
    build_guest: Any, make_arm: Any, host: Host, always: dict[str, object]
) -> None:
    host.add(*make_arm(build_guest(SPIN, DATA)))
    run = host.start("text", "", grant=Grant(), limits=Limits(60, ROOMY), providers=always)
    time.sleep(0.2)
    assert not run.done
    began = time.monotonic()
    run.cancel()
    report = run.result()
    assert (report.outcome, report.error_type, report.text) == (Outcome.CANCELLED, None, "")
    assert time.monotonic() - began < 5


def test_a_waiting_call_is_told_of_the_cancellation(
    build_guest: Any, make_arm: Any, host: Host, always: dict[str, object]
) -> None:
    entered = threading.Event()

    class Waits:
        def read_text_file(self, call: Any, *_: object) -> str:
            entered.set()
            assert call.cancelled.wait(30)
            return "late"

    host.add(*make_arm(build_guest(READ + SPIN, DATA)))
    providers = {**always, "files": Waits()}
    run = host.start("text", "", grant=full_grant(), limits=Limits(60, ROOMY), providers=providers)
    assert entered.wait(30)
    run.cancel()
    assert run.result(30).outcome is Outcome.CANCELLED


def test_memory_grows_to_the_limit_and_no_further(run: Any) -> None:
    grow = """(loop $more (br_if $more (i32.ne (memory.grow (i32.const 1)) (i32.const -1))))
      (call $feedback.out-of-memory) (unreachable)"""
    report = run(grow, memory=10 << 20)
    assert (report.outcome, report.error_type) == (Outcome.ERROR, "sandbox_out_of_memory")
    assert str(10 << 20) in report.text
    assert report.peak_memory_bytes == 10 << 20


def test_a_survived_denial_is_no_error(run: Any) -> None:
    report = run("(drop (memory.grow (i32.const 60000))) (call $feedback.out-of-memory)", memory=1 << 20)
    assert report.outcome is Outcome.PROGRESSED
    assert report.peak_memory_bytes == 1 << 16


@pytest.mark.parametrize("pages", [1, 2, 3, 5, 100, 1000])
def test_the_peak_is_what_the_guest_grew_to(run: Any, pages: int) -> None:
    for _ in range(3):  # the second and third instance are measured at a hole that is known
        report = run(f"(drop (memory.grow (i32.const {pages})))")
        assert report.peak_memory_bytes == (1 + pages) << 16


def test_a_limit_below_the_floor_is_refused_with_that_number(
    build_guest: Any, make_arm: Any, host: Host, always: dict[str, object]
) -> None:
    host.add(*make_arm(build_guest("", DATA), floor=3 << 20))
    with pytest.raises(KitError, match=f"needs {3 << 20} at least"):
        host.run("text", "", grant=Grant(), limits=Limits(1, (3 << 20) - 1), providers=always)


def test_a_limit_below_the_guest_itself_is_refused(run: Any) -> None:
    with pytest.raises(KitError, match="less than a Text guest takes"):
        run("", memory=1 << 20, guest={"pages": 100})


def test_start_code_is_under_the_limits_too(run: Any) -> None:
    """It runs while the instance is made: a hang there must not hang the host."""
    start = f"(func $start {SPIN}) (start $start)"
    report = run("", secs=0.2, guest={"start": start})
    assert report.error_type == "sandbox_timeout"


RECURSE = """(func $deeper (param $n i32) (result i32)
  (i32.add (i32.const 1) (call $deeper (i32.add (local.get $n) (i32.const 1)))))"""


def test_an_exhausted_stack_is_a_trap_with_these_words(run: Any) -> None:
    report = run("(drop (call $deeper (i32.const 0)))", guest={"functions": RECURSE})
    assert (report.outcome, report.error_type) == (Outcome.ERROR, "sandbox_trap")
    assert "call stack exhausted" in report.text
    assert run("").outcome is Outcome.PROGRESSED  # the thread is as good as before


@pytest.mark.parametrize(
    ("address", "words"), [(0xFFFF_FFF0, "call stack exhausted"), (0x7000_0000, "out of bounds memory access")]
)
def test_a_fault_just_below_4_gib_is_an_exhausted_shadow_stack(run: Any, address: int, words: str) -> None:
    report = run(f"(i32.store (i32.const {address}) (i32.const 1))")
    assert report.error_type == "sandbox_trap"
    assert words in report.text


@pytest.mark.parametrize("status", [0, 1, 3, -1])
def test_an_exit_files_the_same_whatever_its_status(run: Any, status: int) -> None:
    report = run(f"(call $feedback.exit (i32.const {status})) (unreachable)")
    assert (report.outcome, report.error_type, report.location) == (Outcome.ERROR, "sandbox_trap", None)
    assert f"exited with status {status}" in report.text


def test_the_clock_and_the_random_numbers_can_be_given_again(run: Any) -> None:
    body = """(local.set $n (i32.const 3))
      (loop $more
        (i64.store (i32.const 400) (call $feedback.random)) (i64.store (i32.const 408) (call $feedback.clock-now))
        (local.set $i (i32.const 0))
        (loop $bits  ;; each bit as a letter, so that the number can be logged
          (i32.store8 (i32.add (i32.const 500) (local.get $i))
            (i32.add (i32.const 48) (i32.and (i32.const 1)
              (i32.shr_u (i32.load8_u (i32.add (i32.const 400) (i32.shr_u (local.get $i) (i32.const 3))))
                (i32.and (local.get $i) (i32.const 7))))))
          (br_if $bits (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 128))))
        (call $feedback.log (i32.const 500) (i32.const 128))
        (br_if $more (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))"""
    first = run(body)
    again = run(body, machine=Machine(first.clock_start_ns, first.seed))
    other = run(body, machine=Machine(first.clock_start_ns, first.seed ^ 1))
    assert first.logs == again.logs
    assert len(first.logs) == 3
    clocks = [int(line[64:][::-1], 2) for line in first.logs]
    assert clocks == [first.clock_start_ns + step * CLOCK_STEP_NS for step in range(3)]
    assert [line[:64] for line in other.logs] != [line[:64] for line in first.logs]
    assert len({line[:64] for line in first.logs}) == 3
    assert abs(first.clock_start_ns - time.time_ns()) < 600e9


@pytest.mark.parametrize("machine", [{"start_ns": -1}, {"seed": 2**64}])
def test_a_machine_that_cannot_be_is_refused(machine: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=next(iter(machine))):
        Machine(**machine)


def test_closing_twice_is_as_good_as_once() -> None:
    with Host() as host:
        host.close()
    assert isinstance(host._sandbox, Sandbox)
    with pytest.raises(RuntimeError, match="closed"):
        host._sandbox.submit(lambda: None)
