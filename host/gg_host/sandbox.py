"""Runs guests: on worker threads only, each in a fresh store, its limits armed before anything of it executes."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import wasmtime

from gg_host.catalogue import Catalogue
from gg_host.grant import Grant
from gg_host.guests import Guest, shared_engine
from gg_host.handed import died_of
from gg_host.instance import GuestTrap
from gg_host.machine import Machine
from gg_host.ready import ReadyInstances
from gg_host.run_state import RunState, current
from gg_host.ticker import Ticker
from gg_host.workers import WorkerPool

MAKING_CPU_NS = 10_000_000_000
"""Time that the start code of a component may take when an instance is made ahead."""
_MEMORY_REFUSED = "exceeds memory limits"


@dataclass(frozen=True, slots=True)
class Execution:
    """How a guest's run went: the trap if it died, times in nanoseconds, and whether its first memory was too large.

    ``denied``: it died of a value it was given and had no memory for.
    """

    trap: GuestTrap | None
    guest_cpu_ns: int
    instantiate_ns: int
    run_ns: int
    peak_memory_bytes: int = 0
    too_small: bool = False
    denied: bool = False


class Sandbox:
    """Owns the threads, the ticker and the instances made ahead."""

    def __init__(self, catalogue: Catalogue) -> None:
        maker = RunState(Grant(), {}, catalogue, lambda operation: operation.id, Machine(0, 0), MAKING_CPU_NS)
        self._ready = ReadyInstances(maker)
        self.ticker = Ticker(shared_engine())
        self._pool = WorkerPool(self._when_idle)

    def submit(self, job: Callable[[], None]) -> None:
        """Run ``job``, which must not raise, on a worker thread. Guests may be executed there and nowhere else."""
        self._pool.submit(job)

    def execute(
        self,
        guest: Guest,
        run: RunState,
        max_memory_bytes: int,
        arguments: Sequence[Any],
        module: wasmtime.Module | None = None,
        made_ahead: bool = True,
    ) -> tuple[Execution, Callable[[], None]]:
        """Run a guest to its end on this worker thread.

        Parameters:
            guest: the component.
            run: the state of the run; its processor time is counted from here.
            max_memory_bytes: limit on linear memory.
            arguments: of the export ``run``.
            module: the program, for a component that imports it.
            made_ahead: whether an instance made ahead may be used and another is wanted for the next run.

        Returns:
            How it went, and what to call afterwards to free the store.
        """
        ahead = made_ahead and module is None
        instance = self._ready.take(guest, max_memory_bytes) if ahead else None
        current.run = run
        self.ticker.enter()
        began = time.perf_counter_ns()
        run.start_clock()
        try:
            if instance is None:
                try:
                    instance = guest.instance(max_memory_bytes, module)
                except wasmtime.WasmtimeError as error:
                    text = str(error)
                    spent = time.perf_counter_ns() - began
                    self._ready.forget(guest, max_memory_bytes)
                    failed = Execution(GuestTrap(text), run.guest_ns(), spent, 0, too_small=_MEMORY_REFUSED in text)
                    return failed, _nothing
            entered = time.perf_counter_ns()
            run.handed = arguments
            trap = instance.call_run(arguments)
            guest_ns = run.guest_ns()
            run_ns = time.perf_counter_ns() - entered
        except BaseException:
            if instance is not None:
                instance.close()
            raise
        finally:
            self.ticker.leave()
        size = instance.memory_bytes()
        denied = trap is not None and died_of(run.handed, trap.text, size, max_memory_bytes)
        return Execution(trap, guest_ns, instance.instantiate_ns, run_ns, size, denied=denied), instance.close

    def _when_idle(self) -> None:
        self.ticker.enter()  # an instance's start code is stopped like any other
        try:
            while self._ready.make_one():
                pass
        except Exception:  # noqa: S110  work ahead is a convenience: the run that needs it will tell
            pass
        finally:
            self.ticker.leave()

    def close(self) -> None:
        """Wait for runs that are going on, then end every thread and free every instance."""
        self._ready.stop()
        self._pool.close()
        self._ready.close()
        self.ticker.close()


def _nothing() -> None:
    """There is no store to free."""
