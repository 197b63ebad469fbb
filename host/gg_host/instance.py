"""One store with one instance: made for one run, armed before anything of the guest executes, entered once."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import wasmtime
from wasmtime import _bindings
from wasmtime import _ffi as ffi

from gg_host import abi
from gg_host.linker import GuestLinker
from gg_host.memory_meter import meter
from gg_host.run_state import current

MAX_TABLE_ELEMENTS = 10_000_000
"""Elements of a guest's tables, 8 bytes each; the largest arm has some ten thousand."""

_CALLBACK = _bindings._wasmtime_store_epoch_deadline_callback.argtypes[1]
_NO_FINALIZER = ctypes.cast(0, _bindings._wasmtime_store_epoch_deadline_callback.argtypes[3])


@_CALLBACK  # type: ignore[untyped-decorator,unused-ignore]
def _at_tick(_context: Any, _data: Any, delta: Any, _kind: Any) -> int:
    """Called on the guest's thread at each tick of the epoch: let it go on, or end it."""
    try:
        run = current.run
        if run.cancelled.is_set():
            run.stopped_by = "cancelled"
            return int(abi.new_error(b"cancelled"))
        if run.guest_ns() >= run.cpu_limit_ns:
            run.stopped_by = "timeout"
            return int(abi.new_error(b"time limit"))
        delta[0] = 1
    except BaseException:
        return int(abi.new_error(b"fault of the host"))
    return 0


@dataclass(frozen=True, slots=True)
class GuestTrap:
    """How a guest died: wasmtime's text, the whole chain of causes."""

    text: str


class Instance:
    """A guest that has not run yet.

    Parameters:
        linker: the component's.
        max_memory_bytes: the limit on linear memory, in force from before the instance is made.
        fixed: whether the component is the arm's own; False for one that is a program.

    Raises:
        wasmtime.WasmtimeError: the component cannot be instantiated; among other reasons its first memory may be
            larger than the limit.
    """

    def __init__(self, linker: GuestLinker, max_memory_bytes: int, fixed: bool = True) -> None:
        began = time.perf_counter_ns()
        self.linker = linker
        self.max_memory_bytes = max_memory_bytes
        self.store = wasmtime.Store(linker.engine)
        self._entered = False
        self._arm()
        if fixed:
            self._make_fixed()
        else:  # start code of a program may run long: nobody is kept waiting for it
            self._instance = linker.linker.instantiate(self.store, linker.component)
            with meter.guard:
                self._bases = meter.locate(None)
                self._sizes = meter.sizes(self._bases)
        self._run = self._instance.get_func(self.store, "run")
        self.instantiate_ns = time.perf_counter_ns() - began

    def _make_fixed(self) -> None:
        linker = self.linker
        with meter.guard:
            known = linker.memory_sizes
            if known is None:
                meter.look()
            self._instance = linker.linker.instantiate(self.store, linker.component)
            self._bases = meter.locate(None if known is None else len(known))
            if known is None:
                sized = sorted(zip(meter.sizes(self._bases), self._bases, strict=True), reverse=True)
                known = linker.memory_sizes = tuple(size for size, _ in sized)
            self._bases = meter.in_order(self._bases, known)
            self._sizes = known

    def _arm(self) -> None:
        self.store.set_limits(memory_size=self.max_memory_bytes, table_elements=MAX_TABLE_ELEMENTS)
        ffi.wasmtime_store_epoch_deadline_callback(self.store.ptr(), _at_tick, None, _NO_FINALIZER)
        self.store.set_epoch_deadline(1)

    def call_run(self, arguments: Sequence[Any]) -> GuestTrap | None:
        """Call the export ``run`` for ``current.run``; None when the guest returned by itself."""
        self._arm()
        self._entered = True
        text = self.linker.run.call(self.store, self._run, arguments)
        return GuestTrap(text) if text is not None else None

    def warm(self) -> None:
        """Touch ahead the memory that runs are known to use."""
        if self._bases:
            self.linker.warm.touch(self._bases[0])

    def memory_bytes(self) -> int:
        """Size of the guest's linear memory, which never shrinks."""
        return meter.size(self._bases, self._sizes)

    def close(self) -> None:
        """Free the store and everything in it."""
        if self._entered and self._bases:
            self.linker.warm.learn(self._bases[0], self._sizes[0])
        with meter.guard:  # its addresses are free for another the moment they are given back
            self.store.close()
            meter.release(self._bases)
