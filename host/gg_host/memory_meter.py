"""How large a guest's linear memory has grown. wasmtime does not tell, so it is read off this process's own memory map.

wasmtime reserves more than 4 GiB of addresses for each memory and makes only the memory's own size accessible. The
reservations of a new instance are those that were not there before. Their place is read from ``/proc/self/maps`` at
first; as the kernel hands the same holes out again and again, it is found afterwards by asking at the holes known. A
linear memory never shrinks, so its size at the end is its largest.
"""

from __future__ import annotations

import ctypes
import os
import re
import threading
from pathlib import Path

RESERVED_BYTES = 4 << 30
"""Least size of a memory's reservation, guards included."""
PAGE_BYTES = 65536
HOLES = 32
"""Holes that are remembered; each costs a look when an instance is made."""
_MAPS = Path("/proc/self/maps")
_LINE = re.compile(rb"^([0-9a-f]+)-([0-9a-f]+) (\S)(\S)", re.MULTILINE)

_libc = ctypes.PyDLL(None)  # a write of one byte to memory: the interpreter's lock may stay
_libc.pwrite.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_long]
_libc.pwrite.restype = ctypes.c_ssize_t


class MemoryMeter:
    """Finds the memories of instances and measures them. One for a process: it must see every instance made.

    Making an instance and ``locate``, freeing one and ``release`` happen under ``guard``: so what is new belongs to
    that instance.
    """

    def __init__(self) -> None:
        self.guard = threading.Lock()
        self._live: set[int] = set()
        self._holes: set[int] = set()
        self._foreign: set[int] = set()
        self._sink = os.memfd_create("gg-probe", os.MFD_CLOEXEC)

    def look(self) -> None:
        """Take note of every memory that is there, so that the next ``locate`` finds only newer ones."""
        self._foreign = self._reservations() - self._live

    def locate(self, count: int | None) -> tuple[int, ...]:
        """Addresses of the memories made since the last call; none when they cannot be told for sure.

        Parameters:
            count: how many an instance of this component is known to have; None when it is not known yet.
        """
        found = {hole for hole in self._holes if self._readable(hole)} if count is not None else set()
        if count is None or len(found) != count:
            there = self._reservations()
            self._foreign &= there
            found = there - self._live - self._foreign
            # A hole that something else lies in now is none.
            self._holes = {hole for hole in self._holes if not self._readable(hole)}
            if count is not None and len(found) != count:
                self._foreign |= found
                return ()
        self._live |= found
        self._holes -= found
        return tuple(found)

    def release(self, bases: tuple[int, ...]) -> None:
        """Forget the memories of an instance whose store has just been freed."""
        self._live.difference_update(bases)
        self._holes.update(bases)
        if len(self._holes) > HOLES:
            self._holes.clear()

    def sizes(self, bases: tuple[int, ...]) -> tuple[int, ...]:
        """Bytes of each memory."""
        return tuple(self._size(base, 0) for base in bases)

    def in_order(self, bases: tuple[int, ...], sizes: tuple[int, ...]) -> tuple[int, ...]:
        """The memories of a fresh instance in the order of the ``sizes`` an instance of it is known to have."""
        if len(bases) < 2:
            return bases
        rest, ordered = list(bases), []
        for size in sizes:
            for base in rest:
                if self._readable(base + size - PAGE_BYTES) and not self._readable(base + size):
                    ordered.append(base)
                    rest.remove(base)
                    break
        return (*ordered, *rest)

    def size(self, bases: tuple[int, ...], least: tuple[int, ...]) -> int:
        """Bytes of all memories at ``bases`` together.

        Parameters:
            bases: in the order of ``least``.
            least: what each had when it was made.
        """
        return sum(self._size(base, size) for base, size in zip(bases, least, strict=False))

    def _size(self, base: int, least: int) -> int:
        """Steps out from ``least`` in growing strides, then halves the last one."""
        low = max(0, least // PAGE_BYTES - 1)
        if not self._readable(base + low * PAGE_BYTES):
            return 0
        high, stride = low + 1, 1
        while high < RESERVED_BYTES // PAGE_BYTES and self._readable(base + high * PAGE_BYTES):
            low, high, stride = high, high + stride, stride * 2
        while high - low > 1:
            middle = (low + high) // 2
            if self._readable(base + middle * PAGE_BYTES):
                low = middle
            else:
                high = middle
        return (low + 1) * PAGE_BYTES

    def _readable(self, address: int) -> bool:
        """Whether the byte at ``address`` may be read: the kernel refuses to copy from where it may not."""
        return int(_libc.pwrite(self._sink, address, 1, 0)) == 1

    def _reservations(self) -> set[int]:
        """Where the accessible part of each reservation begins: a run of mappings that ends in a long closed one."""
        found = set()
        start = end = None
        for match in _LINE.finditer(_MAPS.read_bytes()):
            low, high = int(match[1], 16), int(match[2], 16)
            if match[3] == b"r" and match[4] == b"w":
                start = low if start is None or low != end else start
                end = high
                continue
            if match[3] == b"-" and start is not None and low == end and high - start > RESERVED_BYTES - PAGE_BYTES:
                found.add(start)
            start = end = None
        return found


meter = MemoryMeter()
"""The meter of this process."""
