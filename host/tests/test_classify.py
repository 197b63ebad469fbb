"""What a run is filed as."""

from __future__ import annotations

from typing import Any

import pytest
from gg_host import ErrorCode, ErrorType, Outcome
from gg_host.classify import Verdict, classify
from gg_host.feedback import Feedback
from gg_host.generated.types import ErrorKind, ProgramError


def file(
    error: ProgramError | None = None,
    *,
    trapped: bool = False,
    stopped_by: str | None = None,
    faulted: bool = False,
    cancelled: bool = False,
    ending: bool = False,
    **told: Any,
) -> Verdict:
    feedback = Feedback()
    feedback.error = error
    for name, value in told.items():
        setattr(feedback, name, value)
    return classify(
        feedback, trapped=trapped, stopped_by=stopped_by, faulted=faulted, cancelled=cancelled, ending=ending
    )


def error(kind: ErrorKind = ErrorKind.OTHER, code: ErrorCode | None = None) -> ProgramError:
    return ProgramError(kind, code, "words", None)


@pytest.mark.parametrize("kind", list(ErrorKind))
@pytest.mark.parametrize("code", list(ErrorCode))
def test_the_code_decides_first(kind: ErrorKind, code: ErrorCode) -> None:
    wanted = ErrorType.UNKNOWN_NAME if code is ErrorCode.UNAVAILABLE else ErrorType.API_ERROR
    assert file(error(kind, code)) == Verdict(Outcome.ERROR, wanted)


@pytest.mark.parametrize(
    ("kind", "wanted"),
    [
        (ErrorKind.UNKNOWN_NAME, ErrorType.UNKNOWN_NAME),
        (ErrorKind.OTHER, ErrorType.THROW),
        (ErrorKind.API_FAILURE, ErrorType.THROW),
    ],
)
def test_without_a_code_the_kind_decides(kind: ErrorKind, wanted: ErrorType) -> None:
    assert file(error(kind)) == Verdict(Outcome.ERROR, wanted)


def test_a_program_that_returns_progresses_or_finishes() -> None:
    assert file() == Verdict(Outcome.PROGRESSED)
    assert file(ending=True) == Verdict(Outcome.FINISHED)


def test_an_error_or_a_ceiling_takes_an_ending_back() -> None:
    assert file(error(), ending=True).outcome is Outcome.ERROR
    assert file(trapped=True, ending=True).outcome is Outcome.ERROR
    assert file(trapped=True, stopped_by="timeout", ending=True).error_type is ErrorType.TIMEOUT


@pytest.mark.parametrize("status", [0, 3])
def test_an_exit_is_a_trap_whatever_its_status(status: int) -> None:
    assert file(trapped=True, exit_status=status) == Verdict(Outcome.ERROR, ErrorType.TRAP)


def test_out_of_memory_needs_a_death() -> None:
    assert file(out_of_memory=True) == Verdict(Outcome.PROGRESSED)
    assert file(trapped=True, out_of_memory=True).error_type is ErrorType.OUT_OF_MEMORY
    assert file(error(), out_of_memory=True).error_type is ErrorType.OUT_OF_MEMORY


def test_an_engine_told_that_its_time_is_over_times_out() -> None:
    assert file(error(), told_out_of_time=True).error_type is ErrorType.TIMEOUT
    assert file(error(code=ErrorCode.NOT_FOUND), told_out_of_time=True).error_type is ErrorType.API_ERROR
    assert file(told_out_of_time=True) == Verdict(Outcome.PROGRESSED)


def test_a_fault_of_the_host_beats_everything() -> None:
    assert file(error(), trapped=True, faulted=True, cancelled=True) == Verdict(Outcome.FATAL)


def test_cancelled_needs_a_guest_that_was_stopped() -> None:
    assert file(trapped=True, cancelled=True, stopped_by="cancelled") == Verdict(Outcome.CANCELLED)
    assert file(cancelled=True, ending=True) == Verdict(Outcome.FINISHED)


def test_a_trap_is_a_trap() -> None:
    assert file(trapped=True) == Verdict(Outcome.ERROR, ErrorType.TRAP)
