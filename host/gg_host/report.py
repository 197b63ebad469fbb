"""The one frozen record of a run: what the model reads, and what its operator is told."""

from __future__ import annotations

import base64
import dataclasses
import enum
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gg_host.classify import Outcome
from gg_host.feedback import ModuleError
from gg_host.run_state import CallRecord, EndingCall, Refusal


@dataclass(frozen=True, slots=True)
class Times:
    """Where the time of a run went, in nanoseconds.

    Parameters:
        guest_cpu: processor time of the guest, which ``timeout_secs`` limits.
        host_calls: processor time inside calls to operations.
        prepare: wall time of the arm's preparation; 0 when it was at hand.
        cranelift: wall time of compiling a program's own WebAssembly; 0 for a text.
        instantiate: wall time of making the instance, also when it was made ahead.
        run: wall time from entering the guest to its end.
    """

    guest_cpu: int = 0
    host_calls: int = 0
    prepare: int = 0
    cranelift: int = 0
    instantiate: int = 0
    run: int = 0


@dataclass(frozen=True, slots=True)
class ProgramReport:
    """What one program did.

    Parameters:
        arm: id of the language.
        outcome: how it came out.
        error_type: what it is filed as; None unless ``outcome`` is ``error``.
        band: heading of ``text``; None when the model is told nothing.
        text: what the model reads, empty when nothing.
        location: where the error is, in the model's own file; None when the language gives no place.
        ending: the ending that stands; None when there was none or the program lost it.
        endings_replaced: endings that a later one took the place of.
        calls: the first 500 calls; ``calls_count`` counts all.
        refusals: the first 100 refused calls; ``refusals_suppressed`` counts the rest.
        views: the views the turn's provider holds, when it tells them.
        logs: the last lines logged; ``logs_suppressed`` counts the dropped ones.
        stderr: first and last 4 KiB.
        deferred: failures nobody observed.
        module_errors: modules that failed to load.
        fault: for ``fatal``, what broke on this side; for the operator only.
        times: where the time went.
        peak_memory_bytes: linear memory at the end, which is its largest; 0 when the guest never ran.
        clock_start_ns, seed: the machine; a run with the same machine can be replayed.
    """

    arm: str
    outcome: Outcome
    error_type: str | None = None
    band: str | None = None
    text: str = ""
    location: str | None = None
    ending: EndingCall | None = None
    endings_replaced: int = 0
    calls: tuple[CallRecord, ...] = ()
    calls_count: int = 0
    refusals: tuple[Refusal, ...] = ()
    refusals_suppressed: int = 0
    views: tuple[Any, ...] = ()
    logs: tuple[str, ...] = ()
    logs_suppressed: int = 0
    stderr: str = ""
    deferred: tuple[str, ...] = ()
    module_errors: tuple[ModuleError, ...] = ()
    fault: str | None = None
    times: Times = Times()
    peak_memory_bytes: int = 0
    clock_start_ns: int = 0
    seed: int = 0

    @property
    def ok(self) -> bool:
        """Whether the program did its work."""
        return self.outcome in (Outcome.PROGRESSED, Outcome.FINISHED)

    def to_json(self) -> dict[str, Any]:
        """The report as plain dictionaries, lists, strings and numbers."""
        return {field.name: _plain(getattr(self, field.name)) for field in dataclasses.fields(self)}


def _plain(value: object) -> Any:
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(item) for item in value]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
        return {"type": type(value).__name__, **fields} if type(value).__module__.endswith("records") else fields
    return str(value)
