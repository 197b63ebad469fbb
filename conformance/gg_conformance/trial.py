"""One program of a suite, run with what the suite gives it."""

from __future__ import annotations

from functools import cache
from typing import Any

from gg_host import Grant, Host, Limits, Machine, ProgramReport
from gg_host.catalogue import load_catalogue
from gg_host.generated.operations import OPERATIONS

from gg_conformance.samples import answers
from gg_conformance.suites import text

LIMITS = Limits(timeout_secs=30.0, max_memory_bytes=512 * 1024 * 1024)
MACHINE = Machine(start_ns=1_700_000_000_000_000_000, seed=7)


class Provider:
    """Serves every operation of one namespace by a sample of what it gives, and keeps each call.

    Parameters:
        namespace: the interface.
    """

    def __init__(self, namespace: str) -> None:
        self.calls: list[tuple[str, tuple[Any, ...]]] = []
        for row in OPERATIONS:
            if row.interface == namespace:
                setattr(self, row.method, self._method(row.id, answers().get(row.id)))

    def _method(self, operation: str, answer: Any) -> Any:
        def serve(_call: Any, *arguments: Any) -> Any:
            self.calls.append((operation, arguments))
            return answer

        return serve


@cache
def _namespaces() -> tuple[str, ...]:
    return tuple(row.namespace for row in load_catalogue().operations.values())


def providers() -> dict[str, Provider]:
    """A provider for each namespace that has an operation."""
    return {name: Provider(name) for name in dict.fromkeys(_namespaces())}


def run(
    host: Host,
    arm: str,
    program: str,
    *,
    grant: Grant | None = None,
    limits: Limits = LIMITS,
    served: dict[str, Any] | None = None,
    machine: Machine = MACHINE,
) -> ProgramReport:
    """Run a program; without more said it is granted nothing and every namespace is served by ``Provider``."""
    data = program.encode("utf-8", errors="surrogateescape")
    given = served if served is not None else providers()
    return host.run(arm, data, grant=grant or Grant(), limits=limits, providers=given, machine=machine)


def told(report: ProgramReport) -> str:
    """What a failed test shows of a report."""
    lines = [f"{report.outcome} {report.error_type or ''}", report.text, report.fault or "", *report.logs[-20:]]
    return "\n".join(line for line in lines if line)


@cache
def hello_bytes(host: Host, arm: str) -> int:
    """Memory of the smallest program of an arm, in bytes."""
    report = run(host, arm, text(arm, "hello"))
    assert report.ok, told(report)
    return report.peak_memory_bytes
