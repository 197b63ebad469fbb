"""The functions of the interface ``feedback``. They are the guest's own time: nothing here is charged to the host."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from gg_host.feedback import MESSAGE_BYTES, NOTES, ModuleError, cut
from gg_host.generated.types import ProgramError
from gg_host.membrane import HostFunction, trap
from gg_host.run_state import RunState, current


class GuestExitError(Exception):
    """The guest asked to be stopped; not a fault."""


def _note_return(run: RunState) -> None:
    run.feedback.returned = True


def _report_deferred(run: RunState, note: str) -> None:
    if len(run.feedback.deferred) < NOTES:
        run.feedback.deferred.append(cut(note, MESSAGE_BYTES))


def _report_error(run: RunState, error: ProgramError) -> None:
    if run.feedback.error is None:
        location = None if error.location is None else cut(error.location, MESSAGE_BYTES)
        run.feedback.error = ProgramError(error.kind, error.code, cut(error.message, MESSAGE_BYTES), location)


def _report_module_error(run: RunState, name: str, message: str) -> None:
    if len(run.feedback.module_errors) < NOTES:
        run.feedback.module_errors.append(ModuleError(cut(name, 1024), cut(message, MESSAGE_BYTES)))


def _stderr(run: RunState, text: str) -> None:
    run.feedback.stderr.write(text.encode())


def _exit(run: RunState, status: int) -> None:
    run.feedback.exit_status = status
    raise GuestExitError


def _out_of_memory(run: RunState) -> None:
    run.feedback.out_of_memory = True


BODIES: Mapping[str, Callable[..., Any]] = {
    "log": RunState.log,
    "note-return": _note_return,
    "report-deferred": _report_deferred,
    "report-error": _report_error,
    "report-module-error": _report_module_error,
    "stderr": _stderr,
    "exit": _exit,
    "clock-now": lambda run: run.machine.clock_now(),
    "random": lambda run: run.machine.random(),
    "out-of-memory": _out_of_memory,
    "time-left": RunState.time_left,
}
"""The body of every function of the interface, by its WIT name; each takes the run and the function's parameters."""


def feedback_function(
    name: str,
    body: Callable[..., Any],
    lift: Callable[[int], tuple[Any, ...]],
    lower: Callable[[int, Any], None] | None,
) -> HostFunction:
    """The host function of one feedback function. A guest that is being cancelled stops at its next call."""

    def call(_data: int, _context: int, _type: int, arguments: int, _count: int, results: int, _results: int) -> int:
        run = current.run
        run.handed = None  # it had memory for that: it goes on
        try:
            if run.cancelled.is_set():
                return trap(b"cancelled")
            value = body(run, *lift(arguments))
            if lower is not None:
                lower(results, value)
            return 0
        except GuestExitError:
            return trap(b"exit")
        except BaseException as error:
            run.park(f"feedback.{name}", error)
            return trap(b"fault of the host")

    return call
