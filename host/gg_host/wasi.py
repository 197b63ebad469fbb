"""WASI for an arm whose runtime insists on it: nothing to reach, and the run's own clock, random numbers and exit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import wasmtime
from wasmtime import component as wit

from gg_host.feedback_functions import GuestExit
from gg_host.run_state import current

NANOSECONDS = 1_000_000_000


def _run() -> Any:
    return current.run


def _wall_now() -> Any:
    seconds, nanoseconds = divmod(_run().machine.clock_now(), NANOSECONDS)
    moment = wit.Record()
    moment.seconds, moment.nanoseconds = seconds, nanoseconds
    return moment


def _resolution() -> Any:
    moment = wit.Record()
    moment.seconds, moment.nanoseconds = 0, 1
    return moment


def _monotonic_now() -> int:
    return int(_run().machine.clock_now())


def _random_bytes(count: int) -> bytes:
    return bytes(_run().machine.random_bytes(min(count, 1 << 20)))


def _exit(status: Any) -> None:
    feedback = _run().feedback
    if feedback.exit_status is None:
        failed = getattr(status, "tag", status) == "err"
        feedback.exit_status = 1 if failed else 0
    raise GuestExit


SHADOWS: Mapping[str, Mapping[str, Callable[..., Any]]] = {
    "wasi:clocks/wall-clock": {"now": _wall_now, "resolution": _resolution},
    "wasi:clocks/monotonic-clock": {"now": _monotonic_now, "resolution": lambda: 1},
    "wasi:random/random": {"get-random-bytes": _random_bytes, "get-random-u64": lambda: int(_run().machine.random())},
    "wasi:random/insecure": {
        "get-insecure-random-bytes": _random_bytes,
        "get-insecure-random-u64": lambda: int(_run().machine.random()),
    },
    "wasi:random/insecure-seed": {
        "insecure-seed": lambda: (int(_run().machine.random()), int(_run().machine.random()))
    },
    "wasi:cli/exit": {"exit": _exit},
}
"""What the run answers in WASI's place, by interface without its version."""


def add(linker: wit.Linker, imports: Mapping[str, Any]) -> None:
    """Define WASI in ``linker``, shadowed under exactly the versions the component imports; another is never asked."""
    linker.allow_shadowing = True
    linker.add_wasip2()


def configuration() -> wasmtime.WasiConfig:
    """A configuration that gives nothing. A store without one aborts the process as soon as WASI is asked."""
    return wasmtime.WasiConfig()
