"""What a run is filed as: one plain function over what the guest told and how it stopped."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gg_host.failures import ErrorCode
from gg_host.feedback import Feedback
from gg_host.generated.types import ErrorKind, ProgramError


class Outcome(StrEnum):
    """How a run came out. ``fatal`` is this side's own fault; ``cancelled`` was asked for."""

    PROGRESSED = "progressed"
    FINISHED = "finished"
    ERROR = "error"
    FATAL = "fatal"
    CANCELLED = "cancelled"


class ErrorType(StrEnum):
    """What a failed run is filed as; refusals of a compiler are filed by ``RefusalKind``."""

    API_ERROR = "program_api_error"
    UNKNOWN_NAME = "program_unknown_name"
    THROW = "program_throw"
    TIMEOUT = "sandbox_timeout"
    OUT_OF_MEMORY = "sandbox_out_of_memory"
    TRAP = "sandbox_trap"


@dataclass(frozen=True, slots=True)
class Verdict:
    """An outcome, and for an error its type."""

    outcome: Outcome
    error_type: ErrorType | None = None


def classify(
    feedback: Feedback, *, trapped: bool, stopped_by: str | None, faulted: bool, cancelled: bool, ending: bool
) -> Verdict:
    """File a run.

    Parameters:
        feedback: what the guest told.
        trapped: whether it died before it returned.
        stopped_by: ``timeout`` or ``cancelled`` when the host stopped it.
        faulted: whether this side broke.
        cancelled: whether the run was asked to stop.
        ending: whether the program asked for an ending.
    """
    if faulted:
        return Verdict(Outcome.FATAL)
    if trapped and (stopped_by == "cancelled" or cancelled):
        return Verdict(Outcome.CANCELLED)
    error = _error_type(feedback, trapped, stopped_by)
    if error is not None:
        return Verdict(Outcome.ERROR, error)
    return Verdict(Outcome.FINISHED if ending else Outcome.PROGRESSED)


def _error_type(feedback: Feedback, trapped: bool, stopped_by: str | None) -> ErrorType | None:
    if trapped and feedback.exit_status is not None:
        return ErrorType.TRAP
    if stopped_by == "timeout":
        return ErrorType.TIMEOUT
    failed = trapped or feedback.error is not None
    if failed and feedback.out_of_memory:
        return ErrorType.OUT_OF_MEMORY
    if feedback.error is not None:
        # An engine that was told its time is over stops its own loop, which reads as a throw without a code.
        if feedback.told_out_of_time and feedback.error.code is None:
            return ErrorType.TIMEOUT
        return _thrown(feedback.error)
    return ErrorType.TRAP if trapped else None


def _thrown(error: ProgramError) -> ErrorType:
    """The code decides first: it is the failure itself, whatever the language calls it."""
    if error.code is ErrorCode.UNAVAILABLE:
        return ErrorType.UNKNOWN_NAME
    if error.code is not None:
        return ErrorType.API_ERROR
    return ErrorType.UNKNOWN_NAME if error.kind is ErrorKind.UNKNOWN_NAME else ErrorType.THROW
