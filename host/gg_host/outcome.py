"""From what a run left behind to its report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gg_arm_kit.facts import ArmFacts
from gg_arm_kit.seam import LocationMap, Refused

from gg_host import messages
from gg_host.classify import ErrorType, Outcome, Verdict, classify
from gg_host.limits import Limits
from gg_host.machine import Machine
from gg_host.messages import Band
from gg_host.report import ProgramReport, Times
from gg_host.run_state import RunState
from gg_host.sandbox import Execution
from gg_host.traps import Trap, read_trap


def refused_report(facts: ArmFacts, refused: Refused, machine: Machine, times: Times) -> ProgramReport:
    """The report of a program that its own language refused; nothing of it ran."""
    return ProgramReport(
        arm=facts.id,
        outcome=Outcome.ERROR,
        error_type=refused.kind.value,
        band=Band.COMPILER_ERROR,
        text=messages.compiler_error(refused),
        location=str(refused.location) if refused.location is not None else None,
        times=times,
        clock_start_ns=machine.start_ns,
        seed=machine.seed,
    )


def run_report(
    facts: ArmFacts,
    run: RunState,
    execution: Execution,
    limits: Limits,
    machine: Machine,
    locations: LocationMap,
    times: Times,
    views: tuple[Any, ...],
) -> ProgramReport:
    """The report of a program that ran."""
    feedback = run.feedback
    if execution.too_small or execution.denied:
        feedback.out_of_memory = True
    verdict = classify(
        feedback,
        trapped=execution.trap is not None,
        stopped_by=run.stopped_by,
        faulted=run.fault is not None,
        cancelled=run.cancelled.is_set(),
        ending=run.ending is not None,
    )
    stderr = feedback.stderr.text()
    text, location = "", None
    if verdict.outcome is Outcome.ERROR:
        text, location = _told(verdict, facts, run, execution, limits, locations, stderr)
    finished = verdict.outcome is Outcome.FINISHED
    return ProgramReport(
        arm=facts.id,
        outcome=verdict.outcome,
        error_type=verdict.error_type.value if verdict.error_type is not None else None,
        band=Band.RUNTIME_ERROR if verdict.outcome is Outcome.ERROR else None,
        text=text,
        location=location,
        ending=run.ending if finished else None,
        endings_replaced=run.endings_replaced,
        calls=tuple(run.calls),
        calls_count=run.calls_count,
        refusals=tuple(run.refusals),
        refusals_suppressed=run.refusals_suppressed,
        views=views,
        logs=feedback.log.lines(),
        logs_suppressed=feedback.log.suppressed,
        stderr=stderr,
        deferred=tuple(feedback.deferred),
        module_errors=tuple(feedback.module_errors),
        fault=run.fault.details() if run.fault is not None else None,
        times=times,
        peak_memory_bytes=execution.peak_memory_bytes,
        clock_start_ns=machine.start_ns,
        seed=machine.seed,
    )


def _told(
    verdict: Verdict,
    facts: ArmFacts,
    run: RunState,
    execution: Execution,
    limits: Limits,
    locations: LocationMap,
    stderr: str,
) -> tuple[str, str | None]:
    """The message for the model and the place in it."""
    feedback = run.feedback
    words: list[str] = []
    where = ceiling = None
    trap: Trap | None = None
    if feedback.error is not None:
        words.append(feedback.error.message)
        where = feedback.error.location
    elif execution.trap is not None:
        trap = read_trap(execution.trap.text, facts.program_file)
        where = trap.places[0] if trap.places else None
    match verdict.error_type:
        case ErrorType.TIMEOUT:
            ceiling = messages.timeout_words(limits.timeout_secs)
        case ErrorType.OUT_OF_MEMORY:
            ceiling = messages.out_of_memory_words(limits.max_memory_bytes)
        case ErrorType.TRAP if feedback.exit_status is not None:
            words = [messages.exit_words(feedback.exit_status)]
            where = None
        case ErrorType.TRAP if trap is not None:
            words.append(trap.text)
        case _:
            pass
    text = messages.runtime_error("\n".join(words), where, stderr, locations, ceiling)
    return text, messages.place_of(where, facts.program_file, locations)


def take_back_ending(providers: Mapping[str, object], report: ProgramReport) -> None:
    """Let the provider of ``session`` forget an ending that the program lost by failing."""
    revoke = getattr(providers.get("session"), "revoke", None)
    if report.ending is None and callable(revoke):
        revoke()


def views_of(providers: Mapping[str, object]) -> tuple[Any, ...]:
    """The views that the provider of ``views`` tells; none when it does not."""
    opened = getattr(providers.get("views"), "opened", None)
    return tuple(opened() if callable(opened) else opened or ())
