"""A program that attacks what reports it. Attacks on the interpreter are data: conformance/suites/hostile/python."""

from __future__ import annotations

from typing import Any


def test_a_program_that_takes_the_reporter_apart_is_still_an_error(run: Any) -> None:
    program = """
import gc
for found in gc.get_objects():
    if type(found) is dict and "_report_error" in found:
        found["_message"] = found["_location"] = found["_sendable"] = None
raise ValueError("own")
"""
    report = run(program)
    assert report.outcome.value == "error"
