"""What a row says, how the figures are taken, and the form that machines read."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from gg_benchmarks import __main__ as command
from gg_benchmarks.model import Row, least_us_each, median_wall_ms
from gg_benchmarks.programs import TYPESCRIPT


@pytest.mark.parametrize(("value", "holds"), [(1.0, True), (2.0, True), (2.1, False), (None, False)])
def test_a_goal_is_reached_or_not(value: float | None, holds: bool) -> None:
    row = Row("x", "ms", value, 2.0, {"peer": 1.23456}, "" if value else "no compiler")
    assert row.holds is holds
    written = json.loads(json.dumps(row.as_json()))
    assert {"id", "unit", "value", "goal", "peers", "holds"} <= written.keys()
    assert written["peers"] == {"peer": 1.235}
    assert ("reason" in written) is (value is None)


def test_figures_are_of_the_work_and_not_of_what_surrounds_it() -> None:
    assert median_wall_ms(lambda: time.sleep(0.002), 3, pause_secs=0.01) >= 2.0
    assert least_us_each(lambda count: time.sleep(0.01 + count * 0.02), 5) == pytest.approx(20_000, rel=0.5)


def test_a_row_that_cannot_be_measured_has_its_reason(tmp_path: Path) -> None:
    from gg_arm_kit.progress import QuietProgress

    def fails() -> float:
        raise RuntimeError("nothing to measure")

    found = command.measure([("x", "ms", 1, fails, dict)], QuietProgress())
    assert [(row.value, row.holds, row.reason) for row in found] == [(None, False, "nothing to measure")]


def test_the_goals_of_the_foundation_are_all_there() -> None:
    listed = {row[0]: (row[1], row[2]) for row in command.rows({}, cold=True)}
    assert listed == listed | {
        "javascript.program": ("ms", 0.25),
        "python.program": ("ms", 1.0),
        "javascript.call.converters": ("us", 10),
        "javascript.call": ("us", 14),
        "python.call.converters": ("us", 15),
        "python.call": ("us", 19),
        "typescript.prepare.cpu": ("ms", 30),
        "generate.unchanged.cpu": ("s", 0.5),
        "generate.all.cpu": ("s", 2),
        "table.built": ("s", 10),
        "table.from-nothing": ("s", 360),
    }
    assert 28 <= len(TYPESCRIPT.splitlines()) <= 32
