"""A report for a person: first what the model would read, unchanged, then what its operator is told."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import indent
from typing import TYPE_CHECKING

from gg_host.cli.show import show_table, show_text

if TYPE_CHECKING:
    from gg_host.report import ProgramReport, Times

_CALLS_SHOWN = 40
"""Lines of a table that a person reads; ``--json`` has all that the report keeps."""


def show_report(report: ProgramReport) -> None:
    """Print ``report`` on standard output."""
    if report.text:
        show_text(report.text)
        show_text("")
    filed = f" ({report.error_type})" if report.error_type else ""
    where = f" at {report.location}" if report.location else ""
    show_text(f"{report.arm}: {report.outcome}{filed}{where}")
    if report.fault:
        show_text(report.fault)
    if report.ending:
        show_text(f"ended with {report.ending.operation}{_replaced(report.endings_replaced)}")
    calls = [(one.operation, one.code or "ok", one.message or "") for one in report.calls[:_CALLS_SHOWN]]
    show_table(_counted("calls", len(calls), report.calls_count), ("operation", "result", "message"), calls)
    refusals = [(one.operation, one.message) for one in report.refusals[:_CALLS_SHOWN]]
    total = len(report.refusals) + report.refusals_suppressed
    show_table(_counted("refused", len(refusals), total), ("operation", "the program was told"), refusals)
    show_table("views", ("kind", "heading", "bytes"), [_view(view) for view in report.views])
    _show_lines("log", list(report.logs), report.logs_suppressed)
    _show_lines("stderr", report.stderr.splitlines(), 0)
    _show_lines("deferred", list(report.deferred), 0)
    show_text("")
    show_text(", ".join(_times(report.times)) + f"; peak memory {report.peak_memory_bytes:,} bytes")


def _replaced(count: int) -> str:
    return f" ({count} earlier {'ending' if count == 1 else 'endings'} replaced)" if count else ""


def _counted(what: str, shown: int, total: int) -> str:
    return f"{what}: {total}" + (f" (first {shown})" if shown < total else "")


def _view(view: object) -> tuple[str, str, str]:
    body = getattr(view, "body", None)
    content = body.encode() if isinstance(body, str) else getattr(view, "data", b"")
    kind = type(view).__name__.removesuffix("View").lower()
    return kind, str(getattr(view, "heading", "")), f"{len(content):,}"


def _show_lines(title: str, lines: list[str], dropped: int) -> None:
    if lines:
        show_text("")
        show_text(f"{title}" + (f" ({dropped} earlier lines dropped)" if dropped else ""))
        for line in lines:
            show_text(indent(line.rstrip("\n"), "  "))


def _times(times: Times) -> Iterator[str]:
    named = (
        ("prepare", times.prepare),
        ("compile", times.cranelift),
        ("instantiate", times.instantiate),
        ("run", times.run),
        ("of it guest CPU", times.guest_cpu),
        ("calls", times.host_calls),
    )
    for name, nanoseconds in named:
        if nanoseconds or name in ("run", "of it guest CPU"):
            yield f"{name} {nanoseconds / 1e6:.2f} ms"
