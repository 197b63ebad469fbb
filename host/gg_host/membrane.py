"""The bracket around every operation: record, count, gate, body, failure class. There is no other way through."""

from __future__ import annotations

from collections.abc import Callable
from time import thread_time_ns
from typing import Any

from gg_host import abi
from gg_host.catalogue import Operation
from gg_host.failures import ErrorCode, Failure
from gg_host.generated import types
from gg_host.grant import EndingBound
from gg_host.run_state import EndingCall, current

HostFunction = Callable[[int, int, int, int, int, int, int], int]
"""Arguments and result of ``abi.CALLBACK``."""


def trap(reason: bytes) -> int:
    """An error for wasmtime that stops the guest."""
    return int(abi.new_error(reason))


def operation_function(
    operation: Operation,
    names: tuple[str, ...],
    lift: Callable[[int], tuple[Any, ...]],
    lower_ok: Callable[[int, Any], None],
    lower_err: Callable[[int, types.Failure], None],
) -> HostFunction:
    """The host function of one operation.

    Parameters:
        operation: its row.
        names: its parameters, for the record of an ending.
        lift: reads the arguments at an address.
        lower_ok: writes a result at an address.
        lower_err: writes a failure at an address.

    A failed operation is a returned WIT ``err``. Anything else that is raised on this side, ``BaseException`` included,
    is parked in the run and traps the guest: an exception that left this function would end the process.
    """
    operation_id, key = operation.id, operation.key
    ends, dispatches = isinstance(operation.binding, EndingBound), operation.dispatches

    def call(_data: int, _context: int, _type: int, arguments: int, _count: int, results: int, _results: int) -> int:
        entered = thread_time_ns()
        run = current.run
        run.handed = None
        try:
            run.open_call(operation)
            code: str | None = None
            message: str | None = None
            door = run.doors.get(operation_id) or run.door(operation)
            if run.cancelled.is_set():
                return trap(b"cancelled")
            if door.method is None:
                code, message = ErrorCode.UNAVAILABLE, run.refuse(operation)
            elif dispatches and run.time_is_spent():
                code, message = ErrorCode.LIMIT_EXCEEDED, "the time of the run is spent"
            else:
                lifted = lift(arguments)
                try:
                    value = door.method(door.call, *lifted)
                except Failure as failure:
                    code, message = failure.code, _scalar_text(failure.message)
                else:
                    run.handed = value
                    lower_ok(results, value)
                    if ends:
                        run.end_with(EndingCall(operation_id, dict(zip(names, lifted, strict=True))))
            if code is not None:
                lower_err(results, types.Failure(code, key, message))  # type: ignore[arg-type]
            run.close_call(operation, code, message)
            return 0
        except BaseException as error:
            run.park(operation_id, error)
            return trap(b"fault of the host")
        finally:
            run.host_ns += thread_time_ns() - entered

    return call


def _scalar_text(text: str) -> str:
    """``text`` with lone surrogates escaped: a file's name may hold bytes that are no UTF-8."""
    return text.encode(errors="backslashreplace").decode()
