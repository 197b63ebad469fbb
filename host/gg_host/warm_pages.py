"""Touches ahead the pages of memory that every run of a component reads and writes.

An instance's memory starts as pages shared with the compiled file; the first read of each maps it and the first write
copies it, which is most of the time of a short run. Which pages a run used is read once off the kernel's page map; an
instance that is made ahead has those pages mapped or copied while nobody waits.
"""

from __future__ import annotations

import contextlib
import ctypes
import mmap
import os
import struct
from pathlib import Path
from typing import NamedTuple

from gg_host.abi import MEMORY

PAGE = mmap.PAGESIZE
MOST_PAGES = 4096
"""Pages that are copied ahead for one instance, 16 MiB: what a large runtime writes at its start is less."""
WINDOW = 16
"""Pages that the kernel maps together at the first read of one, when they are at hand: ``fault_around_bytes``."""
MOST_WINDOWS = 1024
"""Windows that are mapped ahead for one instance, 64 MiB: as many reads as one system call takes."""
_PRESENT, _SHARED = 1 << 63, 1 << 61
_POPULATE_WRITE = 23  # MADV_POPULATE_WRITE, since Linux 5.14; older kernels refuse it and nothing is copied
_PAGEMAP = Path("/proc/self/pagemap")

_sink = os.memfd_create("gg-warm", os.MFD_CLOEXEC)
_libc = ctypes.CDLL(None)
_libc.madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]


Ranges = tuple[tuple[int, int], ...]
"""Runs of pages, as (first, count)."""


class UsedPages(NamedTuple):
    """Numbers of pages of a memory: those with contents of this process's own, and those mapped as they came."""

    written: frozenset[int]
    read: frozenset[int]


def used_pages(base: int, size: int) -> UsedPages:
    """The pages from ``base`` on that were used; none where they cannot be told.

    Parameters:
        base: address of the memory.
        size: its size in bytes.
    """
    try:
        with _PAGEMAP.open("rb", buffering=0) as stream:
            stream.seek(base // PAGE * 8)
            data = stream.read(size // PAGE * 8)
    except OSError:
        data = b""
    entries = struct.unpack(f"={len(data) // 8}Q", data)
    present = [(page, entry & _SHARED) for page, entry in enumerate(entries) if entry & _PRESENT]
    written = frozenset(page for page, shared in present if not shared)
    return UsedPages(written, frozenset(page for page, shared in present if shared))


def ranges(pages: frozenset[int]) -> Ranges:
    """Runs of pages, of at most ``MOST_PAGES`` pages together."""
    found: list[tuple[int, int]] = []
    for page in sorted(pages)[:MOST_PAGES]:
        if found and page == found[-1][0] + found[-1][1]:
            found[-1] = (found[-1][0], found[-1][1] + 1)
        else:
            found.append((page, 1))
    return tuple(found)


class WarmPages:
    """Learns from the first two runs which pages every run of one component uses."""

    def __init__(self) -> None:
        self._seen: UsedPages | None = None
        self.written: Ranges | None = None
        """Pages that every run writes; None until two runs have ended."""
        self.read: tuple[int, ...] = ()
        """In each window the first page that every run reads."""

    def learn(self, base: int, size: int) -> None:
        """Look at a memory whose run has ended; ``size`` is the size it was made with."""
        if self.written is not None:
            return
        used = used_pages(base, size)
        if self._seen is None:
            self._seen = used
            return
        first = {page // WINDOW: page for page in sorted(self._seen.read & used.read, reverse=True)}
        self.read = tuple(sorted(first.values())[:MOST_WINDOWS])
        self.written = ranges(self._seen.written & used.written)

    def touch(self, base: int) -> None:
        """Map and copy what was learned, in a fresh memory at ``base``. Its contents stay.

        The kernel is asked to do both: it refuses where nothing is mapped, where this process would end.
        """
        places = [base + page * PAGE for page in self.read]
        with contextlib.suppress(OSError):
            os.pwritev(_sink, [MEMORY[place : place + 1] for place in places], 0)
        for first, count in self.written or ():
            _libc.madvise(base + first * PAGE, count * PAGE, _POPULATE_WRITE)
