"""Many runs: at once, one after another, and none disturbing another."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from gg_host import ErrorCode, Failure, Grant, Host, Limits, Outcome, full_grant
from gg_host.guests import shared_engine
from gg_host.run_state import current

LIMITS = Limits(timeout_secs=20, max_memory_bytes=64 << 20)
READ = """(call $files.read-text-file (local.get $program) (local.get $program_size) (i32.const 0) (i32.const 0)
  (i32.const 0) (i32.const 0) (i32.const 200))"""
LOG_ANSWER = """
(if (i32.eqz (i32.load8_u (i32.const 200)))
  (then (call $feedback.log (i32.load (i32.const 204)) (i32.load (i32.const 208))))
  (else (call $feedback.log (i32.load (i32.const 216)) (i32.load (i32.const 220)))))"""
MANY_READS = f"""(local.set $n (i32.const 50))
  (loop $more {READ} (br_if $more (local.tee $n (i32.sub (local.get $n) (i32.const 1))))) {LOG_ANSWER}"""


class Marked:
    """Answers with the path; some paths fail, some break."""

    def read_text_file(self, call: Any, path: str, *_: object) -> str:
        match path.partition("-")[0]:
            case "fail":
                raise Failure(ErrorCode.CONFLICT, f"marker {path}")
            case "break":
                raise RuntimeError(f"marker {path}")
        return f"marker {path}"


@pytest.fixture
def loaded(build_guest: Any, make_arm: Any, host: Host, always: dict[str, object]) -> tuple[Host, dict[str, object]]:
    host.add(*make_arm(build_guest(MANY_READS)))
    return host, {**always, "files": Marked()}


def test_sixteen_runs_at_once_do_not_mix(loaded: tuple[Host, dict[str, object]]) -> None:
    host, providers = loaded
    programs = [f"{kind}-{number}" for number in range(32) for kind in ("good", "fail", "break")]

    def one(program: str) -> Any:
        return host.run("text", program, grant=full_grant(), limits=LIMITS, providers=providers)

    with ThreadPoolExecutor(16) as pool:
        reports = dict(zip(programs, pool.map(one, programs), strict=True))
    for program, report in reports.items():
        if program.startswith("break"):
            assert report.outcome is Outcome.FATAL
            assert f"RuntimeError: marker {program}\n" in report.fault
            assert report.calls_count == 1
        else:
            assert report.outcome is Outcome.PROGRESSED
            assert report.logs == (f"marker {program}",)
            assert report.calls_count == 50


def test_nothing_of_a_run_is_left_for_the_next(build_guest: Any, make_arm: Any, host: Host, always: Any) -> None:
    body = """(if (i32.eqz (i32.load (i32.const 900))) (then (call $feedback.log (local.get $program) (i32.const 1))))
      (i32.store (i32.const 900) (i32.const 1)) (drop (memory.grow (i32.const 3)))"""
    host.add(*make_arm(build_guest(body)))
    for _ in range(20):
        report = host.run("text", "fresh", grant=Grant(), limits=LIMITS, providers=always)
        assert report.logs == ("f",)
        assert report.peak_memory_bytes == 4 << 16


def test_guests_run_on_threads_of_their_own_only(loaded: tuple[Host, dict[str, object]]) -> None:
    host, providers = loaded
    seen = []

    class Where:
        def read_text_file(self, *_: object) -> str:
            seen.append((threading.current_thread().name, current.run is not None))
            return ""

    before = threading.stack_size()
    host.run("text", "x", grant=full_grant(), limits=LIMITS, providers={**providers, "files": Where()})
    assert set(seen) == {("gg-guest", True)}
    assert threading.stack_size() == before
    assert not hasattr(current, "run")


def test_instances_are_made_ahead_and_used_once(loaded: tuple[Host, dict[str, object]]) -> None:
    host, providers = loaded
    ready = host._sandbox._ready
    host.run("text", "x", grant=Grant(), limits=LIMITS, providers=providers)

    def made() -> list[Any]:
        return [instance for _, shelf in ready._shelves.values() for instance in shelf]

    until = time.monotonic() + 20
    while len(made()) < 2 and time.monotonic() < until:
        time.sleep(0.01)
    first = made()
    assert len(first) == 2
    host.run("text", "x", grant=Grant(), limits=LIMITS, providers=providers)
    while len(made()) < 2 and time.monotonic() < until:
        time.sleep(0.01)
    assert len(set(first) - set(made())) == 1
    # another limit never takes an instance armed with this one
    small = Limits(timeout_secs=20, max_memory_bytes=1 << 20)
    host.run("text", "x", grant=Grant(), limits=small, providers=providers)
    assert {instance.max_memory_bytes for _, shelf in ready._shelves.values() for instance in shelf} <= {
        64 << 20,
        1 << 20,
    }


def test_memory_stays_flat_over_two_thousand_runs(loaded: tuple[Host, dict[str, object]]) -> None:
    host, providers = loaded

    def resident() -> int:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * 4096

    kinds = ["good-1", "fail-1", "break-1"]

    def runs(count: int) -> None:
        for number in range(count):
            host.run("text", kinds[number % 3], grant=full_grant(), limits=LIMITS, providers=providers)

    runs(300)
    before, maps = resident(), len(Path("/proc/self/maps").read_bytes().splitlines())
    runs(2000)
    assert resident() - before < 16 << 20
    assert len(Path("/proc/self/maps").read_bytes().splitlines()) - maps < 50


def test_there_is_one_engine_in_a_process() -> None:
    assert shared_engine() is shared_engine()


def test_closing_a_host_ends_what_runs_and_every_thread(build_guest: Any, make_arm: Any, always: Any) -> None:
    host = Host()
    host.add(*make_arm(build_guest("(loop $for_ever (br $for_ever))")))
    run = host.start("text", "", grant=Grant(), limits=Limits(60, 1 << 20), providers=always)
    time.sleep(0.1)
    host.close()
    assert run.result(10).outcome is Outcome.CANCELLED
    names = [thread.name for thread in threading.enumerate()]
    assert [worker.thread.is_alive() for worker in host._sandbox._pool._all] == [False]
    assert names.count("gg-ticker") == 0 or host._sandbox.ticker._thread not in threading.enumerate()
