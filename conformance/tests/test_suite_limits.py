"""Every limit holds, by how much it is overshot, and what is told when it is reached."""

from __future__ import annotations

import time

import pytest
from gg_arm_kit.errors import KitError
from gg_conformance import suites, trial
from gg_conformance.model import read_table
from gg_host import Host, Limits, full_grant

OVERSHOOT_NS = 100_000_000
GENEROUS = 512 << 20
PAGE = 65536


def limits(seconds: float = 30.0, memory: int = GENEROUS) -> Limits:
    return Limits(timeout_secs=seconds, max_memory_bytes=memory)


@pytest.mark.parametrize("program", ["limits/cpu_loop", "limits/cpu_in_one_call"])
@pytest.mark.parametrize("seconds", [0.2, 0.75])
def test_a_program_that_never_ends_is_stopped_within_a_tenth_of_a_second(
    host: Host, arm: str, program: str, seconds: float
) -> None:
    trial.hello_bytes(host, arm)
    report = trial.run(host, arm, suites.text(arm, program), limits=limits(seconds))
    assert report.error_type == "sandbox_timeout", trial.told(report)
    assert f"its {seconds:g} seconds" in report.text
    # The engine may stop its own loop a little before, so that it can tell where the program was.
    early = min(20_000_000, seconds * 1e8)
    assert seconds * 1e9 - early <= report.times.guest_cpu <= seconds * 1e9 + OVERSHOOT_NS


@pytest.mark.parametrize("program", ["limits/memory", "limits/memory_at_once"])
@pytest.mark.parametrize("room", [16 << 20, 100 << 20])
def test_memory_that_is_not_there_is_filed_as_such(host: Host, arm: str, program: str, room: int) -> None:
    limit = trial.hello_bytes(host, arm) + room
    report = trial.run(host, arm, suites.text(arm, program), limits=limits(memory=limit))
    assert report.error_type == "sandbox_out_of_memory", trial.told(report)
    assert f"its {limit} bytes" in report.text
    # The limit holds for each memory; a component may have a page for its own use beside the language's memory.
    assert report.peak_memory_bytes <= limit + PAGE


@pytest.mark.parametrize(("program", "logs"), [("memory_for_a_result", ("full",)), ("memory_for_the_program", ())])
def test_memory_that_is_not_there_for_what_the_host_gives_is_filed_as_such(
    host: Host, arm: str, program: str, logs: tuple[str, ...]
) -> None:
    class Skills:
        def read_skill(self, call: object, name: str) -> str:
            return name * (1 << 20)  # eight bytes times a million

    text = suites.text(arm, f"limits/{program}", filler="x" * (8 << 20))
    served = {**trial.providers(), "skills": Skills()}
    memory = limits(memory=trial.hello_bytes(host, arm) + (6 << 20))
    report = trial.run(host, arm, text, limits=memory, served=served, grant=full_grant())
    assert report.error_type == "sandbox_out_of_memory", trial.told(report)
    assert report.logs == logs


def test_memory_that_is_not_there_can_be_caught(host: Host, arm: str) -> None:
    limit = trial.hello_bytes(host, arm) + (32 << 20)
    report = trial.run(host, arm, suites.text(arm, "limits/memory_caught"), limits=limits(memory=limit))
    assert (report.outcome, report.logs) == ("progressed", ("caught", "went on")), trial.told(report)


def test_a_limit_below_the_floor_is_refused_before_the_run(host: Host, arm: str) -> None:
    floor = host.arm(arm).facts.memory_floor_bytes
    assert floor > 0, f"measure it and put it into arms/{arm}/arm.toml"
    served = trial.providers()
    with pytest.raises(KitError, match=str(floor)):
        trial.run(host, arm, suites.text(arm, "hello"), limits=limits(memory=floor - 1), served=served)
    report = trial.run(host, arm, suites.text(arm, "hello"), limits=limits(memory=floor))
    assert report.logs == ("hello",), trial.told(report)


def test_the_floor_is_no_larger_than_it_need_be(host: Host, arm: str) -> None:
    assert host.arm(arm).facts.memory_floor_bytes <= trial.hello_bytes(host, arm) + (8 << 20)


def test_recursion_without_an_end_is_the_tables_cell(host: Host, arm: str) -> None:
    cell = next(cell for cell in read_table() if cell.arm == arm and cell.shape == "d")
    for memory in (GENEROUS, 1 << 30):
        report = trial.run(host, arm, cell.source().decode(), limits=limits(memory=memory))
        assert report.error_type == cell.filed_as, trial.told(report)


@pytest.mark.parametrize(("program", "status"), [("limits/exit_zero", 0), ("limits/exit_three", 3)])
def test_an_exit_is_filed_the_same_whatever_its_status(host: Host, arm: str, program: str, status: int) -> None:
    report = trial.run(host, arm, suites.text(arm, program))
    assert (report.outcome, report.error_type) == ("error", "sandbox_trap"), trial.told(report)
    assert f"status {status}" in report.text
    assert report.logs == ("before",)


def test_a_sleep_returns_at_once_and_moves_the_runs_clock(host: Host, arm: str) -> None:
    program = suites.text(arm, "limits/sleep")
    began = time.monotonic()
    report = trial.run(host, arm, program)
    assert time.monotonic() - began < 10
    assert (report.outcome, [line.lower() for line in report.logs]) == ("progressed", ["true true"]), trial.told(report)
