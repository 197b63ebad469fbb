"""Touches ahead the pages of memory that every run of a component writes to.

An instance's memory starts as pages shared with the compiled file; the first write to each copies it, which is most of
the time of a short run. Which pages a run wrote is read once off the kernel's page map; an instance that is made ahead
has those pages copied while nobody waits.
"""

from __future__ import annotations

import ctypes
import mmap
import struct
from pathlib import Path

PAGE = mmap.PAGESIZE
MOST_PAGES = 4096
"""Pages that are touched ahead for one instance, 16 MiB: what a large runtime writes at its start is less."""
_PRESENT, _SHARED = 1 << 63, 1 << 61
_POPULATE_WRITE = 23  # MADV_POPULATE_WRITE, since Linux 5.14; older kernels refuse it and nothing is touched
_PAGEMAP = Path("/proc/self/pagemap")

_libc = ctypes.CDLL(None)
_libc.madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]


def written_pages(base: int, size: int) -> frozenset[int]:
    """Numbers of the pages from ``base`` on that hold copies of this process's own; none where they cannot be told.

    Parameters:
        base: address of the memory.
        size: its size in bytes.
    """
    try:
        with _PAGEMAP.open("rb", buffering=0) as stream:
            stream.seek(base // PAGE * 8)
            data = stream.read(size // PAGE * 8)
    except OSError:
        return frozenset()
    entries = struct.unpack(f"={len(data) // 8}Q", data)
    return frozenset(page for page, entry in enumerate(entries) if entry & _PRESENT and not entry & _SHARED)


def ranges(pages: frozenset[int]) -> tuple[tuple[int, int], ...]:
    """Runs of pages, as (first, count), of at most ``MOST_PAGES`` pages together."""
    found: list[tuple[int, int]] = []
    for page in sorted(pages)[:MOST_PAGES]:
        if found and page == found[-1][0] + found[-1][1]:
            found[-1] = (found[-1][0], found[-1][1] + 1)
        else:
            found.append((page, 1))
    return tuple(found)


def touch(base: int, pages: tuple[tuple[int, int], ...]) -> None:
    """Copy the pages of ``ranges`` now. They keep their contents."""
    for first, count in pages:
        _libc.madvise(base + first * PAGE, count * PAGE, _POPULATE_WRITE)


class WarmPages:
    """Learns from the first two runs which pages every run of one component writes."""

    def __init__(self) -> None:
        self._seen: frozenset[int] | None = None
        self.ranges: tuple[tuple[int, int], ...] | None = None

    def learn(self, base: int, size: int) -> None:
        """Look at a memory whose run has ended; ``size`` is the size it was made with."""
        written = written_pages(base, size)
        if self._seen is None:
            self._seen = written
        else:
            self.ranges = ranges(self._seen & written)
