"""Instances made ahead while the host is idle. Each is used once; its limits are armed again when it runs."""

from __future__ import annotations

import contextlib
import threading
from collections import OrderedDict

import wasmtime

from gg_host.guests import Guest
from gg_host.instance import Instance
from gg_host.run_state import RunState, current

KEPT = 2
"""Ready instances for each component and memory limit."""
KEYS = 8
"""Pairs of component and memory limit that instances are kept for; the one unused for longest gives way."""

_Key = tuple[int, int]


class ReadyInstances:
    """Keeps a few instances ready for what ran last.

    Parameters:
        maker: a run without any grant, under which a component's own start code runs when an instance is made ahead.
    """

    def __init__(self, maker: RunState) -> None:
        self._maker = maker
        self._guard = threading.Lock()
        self._shelves: OrderedDict[_Key, tuple[Guest, list[Instance]]] = OrderedDict()
        self._closed = False

    def take(self, guest: Guest, max_memory_bytes: int) -> Instance | None:
        """A ready instance with exactly that limit, or None. Either way one will be made for next time."""
        key = (id(guest), max_memory_bytes)
        with self._guard:
            if self._closed:
                return None
            shelf = self._shelves.get(key)
            if shelf is None:
                shelf = self._shelves[key] = (guest, [])
                dropped = self._shelves.popitem(last=False)[1][1] if len(self._shelves) > KEYS else []
            else:
                dropped = []
                self._shelves.move_to_end(key)
            found = shelf[1].pop() if shelf[1] else None
        for instance in dropped:
            instance.close()
        return found

    def make_one(self) -> bool:
        """Make one instance where one is missing; True when more may be missing."""
        with self._guard:
            wanted = next(
                (
                    (key, guest)
                    for key, (guest, made) in reversed(self._shelves.items())
                    if len(made) < KEPT and not self._closed
                ),
                None,
            )
        if wanted is None:
            return False
        key, guest = wanted
        current.run = self._maker
        self._maker.start_clock()
        try:
            instance = guest.instance(key[1])
            instance.warm()
        except wasmtime.WasmtimeError:  # the run that needs it will tell
            with self._guard:
                self._shelves.pop(key, None)
            return False
        with self._guard:
            shelf = self._shelves.get(key)
            if shelf is not None and len(shelf[1]) < KEPT and not self._closed:
                shelf[1].append(instance)
                return True
        instance.close()
        return False

    def forget(self, guest: Guest, max_memory_bytes: int) -> None:
        """Make no more of these: one could not be made for a run."""
        with self._guard:
            _, dropped = self._shelves.pop((id(guest), max_memory_bytes), (guest, []))
        for instance in dropped:
            instance.close()

    def stop(self) -> None:
        """Make no more at all, and stop the one being made."""
        with self._guard:
            self._closed = True
        self._maker.cancelled.set()

    def close(self) -> None:
        """Free every instance."""
        with self._guard:
            self._closed = True
            instances = [instance for _, made in self._shelves.values() for instance in made]
            self._shelves.clear()
        for instance in instances:
            with contextlib.suppress(wasmtime.WasmtimeError):
                instance.close()
