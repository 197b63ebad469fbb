"""What a guest had to allocate for what it was given, and whether that is what it died of."""

from __future__ import annotations

from typing import Any

import pytest
from gg_host import Grant, Host, Limits
from gg_host.generated.types import FileReadText, FileText
from gg_host.handed import died_of, size_of

TEXT = FileText("é" * 100, 1, 1, 1, False)


@pytest.mark.parametrize(
    ("value", "size"),
    [("", 0), ("aé\U0001f600", 7), ([], 0), ([1, 2, 3], 3), (["ab", "c"], 5), (None, 0), (7, 0), (("ab", []), 2)],
)
def test_sizes_are_the_least_a_guest_needs(value: object, size: int) -> None:
    assert size_of(value) == size


def test_records_and_cases_count_what_they_hold() -> None:
    assert size_of(FileReadText(TEXT)) == 200


def test_only_what_cannot_have_fitted_is_told() -> None:
    assert died_of("x" * 100, "wasm `unreachable` instruction executed", 950, 1000)
    assert not died_of("x" * 50, "wasm `unreachable` instruction executed", 950, 1000)
    assert not died_of("x" * 100, "wasm trap: call stack exhausted", 950, 1000)


@pytest.mark.parametrize(
    ("asks", "filed"), [("", "sandbox_out_of_memory"), ("(call $feedback.note-return)", "sandbox_trap")]
)
def test_a_guest_that_went_on_had_memory_for_it(
    build_guest: Any, make_arm: Any, host: Host, always: Any, asks: str, filed: str
) -> None:
    host.add(*make_arm(build_guest(f"{asks} unreachable")))
    report = host.run("text", "x" * 5_000, grant=Grant(), limits=Limits(5, 65536 + 4_000), providers=always)
    assert report.error_type == filed
