"""Calls into a guest: arguments lowered, the export called, everything freed."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Sequence
from typing import Any

import wasmtime

from gg_host import abi

KEPT = 64
"""Lowered lists that are kept: each is the operations of one grant, lowered once for all runs under it."""


class Export:
    """An exported function without a result.

    Parameters:
        lowers: for each parameter its converter, called with an address and a value.
    """

    def __init__(self, lowers: Sequence[Callable[[int, Any], None]]) -> None:
        self._lowers = lowers
        self._kept: dict[tuple[Any, ...], ctypes.Array[ctypes.c_char]] = {}
        self._guard = threading.Lock()

    def call(self, store: wasmtime.Store, function: Any, values: Sequence[Any]) -> str | None:
        """Call the export on this thread.

        Parameters:
            store: holds the instance.
            function: the instance's own function.
            values: arguments; a tuple is a list that is the same in many calls, and is lowered once.

        Returns:
            None when the guest returned, else wasmtime's text of the trap.
        """
        count = len(self._lowers)
        memory = ctypes.create_string_buffer(abi.VALUE_BYTES * count)
        address = ctypes.addressof(memory)
        owned = []
        try:
            for index, (lower, value) in enumerate(zip(self._lowers, values, strict=True)):
                place = address + index * abi.VALUE_BYTES
                kept = self._lowered(lower, value) if type(value) is tuple else None
                if kept is not None:
                    ctypes.memmove(place, kept, abi.VALUE_BYTES)  # lent: the call only reads it
                else:
                    lower(place, value)
                    owned.append(place)
            error = abi.call_function(ctypes.byref(function._func), store._context(), address, count, None, 0)
            return str(wasmtime.WasmtimeError._from_ptr(error)) if error else None
        finally:
            for place in owned:
                abi.delete_value(place)

    def _lowered(self, lower: Callable[[int, Any], None], value: tuple[Any, ...]) -> ctypes.Array[ctypes.c_char] | None:
        """A value that stays for the life of this object; None when there are too many already."""
        found = self._kept.get(value)
        if found is None:
            with self._guard:
                if len(self._kept) >= KEPT:
                    return None
                made = ctypes.create_string_buffer(abi.VALUE_BYTES)
                lower(ctypes.addressof(made), value)
                found = self._kept.setdefault(value, made)
        return found

    def __del__(self) -> None:
        for made in self._kept.values():
            abi.delete_value(ctypes.addressof(made))
