"""Runs beside and after each other: none sees another, nothing is left over, and one can be had again."""

from __future__ import annotations

import gc
import os
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from gg_conformance import suites, trial
from gg_host import Host, Machine, ProgramReport

CONCURRENT = 16
WARM_UP = 200
WINDOWS = 5
WINDOW_RUNS, LEAST_WINDOW_RUNS = 360, 80
SECONDS = 15.0
"""A slow arm on a busy machine may stop each window after its share of this with the least number of runs, but where
GG_LONG is set."""
GROWTH_BYTES_EACH = 4_500
"""What a run may add to resident memory: a store that is not freed takes a hundred times as much."""
NOISE_BYTES = 2 << 20
"""What the allocator and the pages of instances made ahead move to and fro, whatever the number of runs."""
SETTLING_SECS = 0.2
"""After this long the host has made again what it keeps ready, so that as much is kept at each look."""


def resident_bytes() -> int:
    """Resident memory of this process, as Linux tells it."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def test_sixteen_programs_at_once_do_not_see_each_other(host: Host, arm: str) -> None:
    def one(number: int) -> tuple[str, ProgramReport, trial.Provider]:
        marker = f"<marker {number:04}>"
        served = trial.providers()
        machine = Machine(start_ns=number, seed=number)
        program = suites.text(arm, "marker", marker=marker)
        return marker, trial.run(host, arm, program, served=served, machine=machine), served["views"]

    with ThreadPoolExecutor(CONCURRENT) as threads:
        for marker, report, views in threads.map(one, range(3 * CONCURRENT)):
            text = marker * 50
            assert report.logs == (marker, f"{len(text)} {marker}"), trial.told(report)
            assert views.calls == [("views.open_text", (marker, f"{text}{i}")) for i in range(20)]


def settled_bytes() -> int:
    """Resident memory once nothing is going on."""
    gc.collect()
    time.sleep(SETTLING_SECS)
    return resident_bytes()


def test_thousands_of_runs_leave_nothing_behind(host: Host, arm: str) -> None:
    program, served = suites.text(arm, "hello"), trial.providers()

    def run() -> None:
        report = trial.run(host, arm, program, served=served)
        assert report.logs == ("hello",), trial.told(report)

    for _ in range(WARM_UP):
        run()
    growth: list[float] = []
    for _ in range(WINDOWS):
        before, done = settled_bytes(), 0
        until = float("inf") if os.environ.get("GG_LONG") else time.monotonic() + SECONDS / WINDOWS
        while done < WINDOW_RUNS and (done < LEAST_WINDOW_RUNS or time.monotonic() < until):
            run()
            done += 1
        growth.append((settled_bytes() - before) / max(GROWTH_BYTES_EACH * done, NOISE_BYTES))
    # What leaks grows in every window; what is kept and freed again does not.
    assert statistics.median(growth) < 1, growth


def test_a_run_can_be_had_again_by_its_machine(host: Host, arm: str) -> None:
    program = suites.text(arm, "replay")
    first = trial.run(host, arm, program, machine=Machine())
    assert first.outcome == "progressed", trial.told(first)
    machine = Machine(start_ns=first.clock_start_ns, seed=first.seed)
    again = trial.run(host, arm, program, machine=machine)
    assert again.logs == first.logs
    other_seed = trial.run(host, arm, program, machine=Machine(first.clock_start_ns, first.seed ^ 1))
    assert other_seed.logs[0] != first.logs[0]
    assert other_seed.logs[1] == first.logs[1]
    other_clock = trial.run(host, arm, program, machine=Machine(first.clock_start_ns + 10**9, first.seed))
    assert other_clock.logs[0] == first.logs[0]
    assert other_clock.logs[1] != first.logs[1]
