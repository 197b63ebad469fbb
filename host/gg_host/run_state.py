"""The state of one run, and how a host function finds it: through the thread that runs the guest."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import thread_time_ns
from typing import Any

from gg_host.cancellation import Cancellation
from gg_host.catalogue import Catalogue, Operation
from gg_host.events import ApiCall, ApiResult, Event, EventSink, LogLine
from gg_host.faults import HostFaultError
from gg_host.feedback import Feedback
from gg_host.grant import EndingBound, Grant, permits
from gg_host.machine import Machine, RunningMachine
from gg_host.providers.call import Call

CALLS_KEPT = 500
"""Calls described in a report; all are counted."""
REFUSALS_KEPT = 100
FAILURE_BYTES = 512
"""Failure text kept for each described call."""
TIME_LEFT_MARGIN_NS = 20_000_000
"""``time-left`` answers 0 this long before the host stops the guest, so that an engine can stop its own loop first:
two ticks of the epoch."""


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One call as a report shows it; ``code`` and ``message`` are None for a success."""

    operation: str
    code: str | None = None
    message: str | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """A call that was refused before it ran, and what the program was told."""

    operation: str
    message: str


@dataclass(frozen=True, slots=True)
class EndingCall:
    """The ending a program asked for: the operation and its arguments by name."""

    operation: str
    arguments: Mapping[str, Any]


class Door:
    """Where calls of one operation go in one run: to a provider's method, or nowhere when they are refused."""

    __slots__ = ("call", "method")

    def __init__(self, method: Callable[..., Any] | None, call: Call) -> None:
        self.method = method
        self.call = call


class RunState:
    """What one run may do and what it has done. Used by the thread that runs the guest; ``cancel`` by any.

    Parameters:
        grant: what is permitted, already narrowed by what is served.
        providers: one object for each namespace.
        catalogue: every operation.
        spell: the program's own fully-qualified spelling of an operation.
        machine: clock and random numbers.
        cpu_limit_ns: processor time the guest may use.
        deadline: when the run's time is spent for calls that dispatch work, in seconds of ``time.monotonic``.
        on_event: told of events.
    """

    __slots__ = (
        "calls",
        "calls_count",
        "cancelled",
        "catalogue",
        "cpu_limit_ns",
        "cpu_started_ns",
        "deadline",
        "doors",
        "ending",
        "endings_replaced",
        "fault",
        "feedback",
        "grant",
        "handed",
        "host_ns",
        "machine",
        "on_event",
        "providers",
        "refusals",
        "refusals_suppressed",
        "spell",
        "stopped_by",
    )

    def __init__(
        self,
        grant: Grant,
        providers: Mapping[str, object],
        catalogue: Catalogue,
        spell: Callable[[Operation], str],
        machine: Machine,
        cpu_limit_ns: int,
        deadline: float | None = None,
        on_event: EventSink | None = None,
    ) -> None:
        self.grant = grant
        self.providers = providers
        self.catalogue = catalogue
        self.spell = spell
        self.machine = RunningMachine(machine)
        self.feedback = Feedback()
        self.cpu_limit_ns = cpu_limit_ns
        self.cpu_started_ns = 0
        self.deadline = deadline
        self.host_ns = 0
        self.on_event = on_event
        self.cancelled = Cancellation()
        self.calls: list[CallRecord] = []
        self.calls_count = 0
        self.refusals: list[Refusal] = []
        self.refusals_suppressed = 0
        self.ending: EndingCall | None = None
        self.endings_replaced = 0
        self.fault: HostFaultError | None = None
        self.handed: object = None  # what the guest was given last, until it calls again; see gg_host.handed
        self.stopped_by: str | None = None
        self.doors: dict[str, Door] = {}

    # -- the bracket's parts --------------------------------------------------------------------------------------

    def open_call(self, operation: Operation) -> None:
        """Count a call and tell of it."""
        self.calls_count += 1
        if self.on_event is not None:
            self._emit(ApiCall(operation.id, self.calls_count))

    def close_call(self, operation: Operation, code: str | None, message: str | None) -> None:
        """Record how the call ended and tell of it."""
        if len(self.calls) < CALLS_KEPT:
            if message is not None:
                message = message.encode()[:FAILURE_BYTES].decode(errors="ignore")
            self.calls.append(CallRecord(operation.id, code, message))
        if self.on_event is not None:
            self._emit(ApiResult(operation.id, self.calls_count, code))

    def door(self, operation: Operation) -> Door:
        """Decide, once for each operation of a run, where its calls go."""
        method = None
        if permits(self.grant, operation):
            method = getattr(self.providers[operation.namespace], operation.key)
        call = Call(operation.id, self.deadline if operation.dispatches else None, self.cancelled)
        door = self.doors[operation.id] = Door(method, call)
        return door

    def refuse(self, operation: Operation) -> str:
        """Put a refused call on the roster and word the refusal."""
        message = f"`{self.spell(operation)}` is not available."
        if isinstance(operation.binding, EndingBound):
            instead = [f"`{self.spell(other)}`" for other in self.catalogue.endings(self.grant.ending)]
            if instead:
                message += f" Use {' or '.join(instead)} instead."
        if len(self.refusals) < REFUSALS_KEPT:
            self.refusals.append(Refusal(operation.id, message))
        else:
            self.refusals_suppressed += 1
        return message

    def time_is_spent(self) -> bool:
        """Whether the run's deadline has passed."""
        return self.deadline is not None and time.monotonic() >= self.deadline

    def end_with(self, ending: EndingCall) -> None:
        """Take note of an ending; the last one stands."""
        if self.ending is not None:
            self.endings_replaced += 1
        self.ending = ending

    def log(self, line: str) -> None:
        """Keep a line of the log and tell of it."""
        kept = self.feedback.log.add(line)
        if self.on_event is not None:
            self._emit(LogLine(kept))

    def _emit(self, event: Event) -> None:
        """Hand an event over. Whatever the receiver raises is dropped: the run must not be hurt by who watches it."""
        try:  # noqa: SIM105  a context manager costs as much as the rest of the call's record
            self.on_event(event)  # type: ignore[misc]  # callers have looked
        except BaseException:  # noqa: S110
            pass

    # -- time -----------------------------------------------------------------------------------------------------

    def start_clock(self) -> None:
        """Begin to charge processor time to the guest; called on the thread that runs it."""
        self.host_ns = 0
        self.cpu_started_ns = thread_time_ns()

    def guest_ns(self) -> int:
        """Processor time the guest has used, without host calls; called on the thread that runs it."""
        return thread_time_ns() - self.cpu_started_ns - self.host_ns

    def time_left(self) -> int:
        """Nanoseconds of processor time an engine may still use before it should stop by itself."""
        margin = min(TIME_LEFT_MARGIN_NS, self.cpu_limit_ns // 10)
        left = max(0, self.cpu_limit_ns - margin - self.guest_ns())
        if left == 0:
            self.feedback.told_out_of_time = True
        return left

    def park(self, where: str, error: BaseException) -> None:
        """Keep the first fault of this side; the guest is trapped for it."""
        if self.fault is None:
            self.fault = HostFaultError(where, error)


class _CurrentRun(threading.local):
    run: RunState


current = _CurrentRun()
"""``current.run`` is the run whose guest this thread is inside of."""
