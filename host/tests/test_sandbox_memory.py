"""Memories found, measured and touched ahead."""

from __future__ import annotations

import ctypes
import mmap
from pathlib import Path
from typing import Any

import pytest
from gg_host import Grant, Host, Limits
from gg_host.memory_meter import PAGE_BYTES, MemoryMeter
from gg_host.warm_pages import PAGE, WINDOW, WarmPages, ranges, used_pages

ROOM = 5 << 30
NORESERVE = 0x4000  # MAP_NORESERVE


class Reservation:
    """A mapping as wasmtime makes one: addresses of which the first ``size`` bytes after a guard can be used."""

    def __init__(self, size: int) -> None:
        self._map = mmap.mmap(-1, ROOM, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | NORESERVE)
        self._view = ctypes.c_char.from_buffer(self._map)
        self._start = ctypes.addressof(self._view)
        self.base = self._start + (32 << 20)
        self._protect(self._start, ROOM, 0)
        self.grow(size)

    def _protect(self, address: int, size: int, rights: int) -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
        assert libc.mprotect(address, size, rights) == 0

    def grow(self, size: int) -> None:
        self._protect(self.base, size, mmap.PROT_READ | mmap.PROT_WRITE)

    def close(self) -> None:
        self._protect(self._start, ROOM, mmap.PROT_READ | mmap.PROT_WRITE)
        del self._view
        self._map.close()


def test_a_new_memory_is_found_and_measured() -> None:
    meter = MemoryMeter()
    meter.look()
    reservation = Reservation(3 * PAGE_BYTES)
    assert meter.locate(None) == (reservation.base,)
    assert meter.sizes((reservation.base,)) == (3 * PAGE_BYTES,)
    for pages in (4, 5, 7, 8, 9, 100, 1023):
        reservation.grow(pages * PAGE_BYTES)
        assert meter.sizes((reservation.base,)) == (pages * PAGE_BYTES,)
        assert meter.size((reservation.base,), (3 * PAGE_BYTES,)) == pages * PAGE_BYTES
    assert meter.locate(None) == ()
    reservation.close()
    assert meter.sizes((reservation.base,)) == (0,)


def test_two_memories_of_one_instance_count_together() -> None:
    meter = MemoryMeter()
    meter.look()
    both = [Reservation(PAGE_BYTES), Reservation(2 * PAGE_BYTES)]
    found = meter.locate(2)
    assert set(found) == {reservation.base for reservation in both}
    sizes = (2 * PAGE_BYTES, PAGE_BYTES)
    assert meter.in_order(found, sizes) == (both[1].base, both[0].base)
    both[0].grow(5 * PAGE_BYTES)
    assert meter.size((both[1].base, both[0].base), sizes) == 7 * PAGE_BYTES
    for reservation in both:
        reservation.close()


def test_a_hole_that_something_else_lies_in_is_no_memory() -> None:
    meter = MemoryMeter()
    meter.look()
    first = Reservation(PAGE_BYTES)
    assert meter.locate(1) == (first.base,)
    meter.release((first.base,))  # as if freed, but something readable is there
    second = Reservation(PAGE_BYTES)
    assert second.base not in meter._holes
    found = meter.locate(1)
    assert found in ((), (first.base,))  # two candidates, none certain
    first.close()
    second.close()


def test_what_cannot_be_told_is_nothing() -> None:
    meter = MemoryMeter()
    meter.look()
    reservation = Reservation(PAGE_BYTES)
    assert meter.locate(2) == ()
    reservation.close()


def test_pages_that_were_used_are_told_and_touched_ahead(tmp_path: Path) -> None:
    image = tmp_path / "image"
    image.write_bytes(b"\7" * 64 * PAGE)
    warm = WarmPages()
    with image.open("r+b") as stream:
        for turn in range(3):
            area = mmap.mmap(stream.fileno(), 64 * PAGE, flags=mmap.MAP_PRIVATE)
            view = ctypes.c_char.from_buffer(area)
            base = ctypes.addressof(view)
            warm.touch(base)
            fresh = used_pages(base, 64 * PAGE)
            if turn < 2:
                for page in (3, 4, 5, 40, 60 + turn):
                    area[page * PAGE] = 1
                assert area[20 * PAGE] == 7
                assert used_pages(base, 64 * PAGE).written == {3, 4, 5, 40, 60 + turn}
                assert 20 in used_pages(base, 64 * PAGE).read
                warm.learn(base, 64 * PAGE)
            else:
                assert fresh.written in ({3, 4, 5, 40}, set())  # a kernel before 5.14 refuses to copy
                assert set(warm.read) <= fresh.read | fresh.written
                assert area[3 * PAGE] == 7
            del view
            area.close()
    assert warm.written == ((3, 3), (40, 1))
    # One page for the window: its own, or, as the kernel maps around a fault what it has at hand, one before it.
    (kept,) = (page for page in warm.read if page // WINDOW == 20 // WINDOW)
    assert kept <= 20


def test_what_is_not_mapped_is_not_touched() -> None:
    warm = WarmPages()
    warm.read, warm.written = (0, 16), ((0, 4),)
    warm.touch(PAGE)  # the bottom of the address space, which no process may map


@pytest.mark.parametrize(("pages", "wanted"), [(set(), ()), ({7}, ((7, 1),)), ({1, 2, 3, 9}, ((1, 3), (9, 1)))])
def test_runs_of_pages(pages: set[int], wanted: Any) -> None:
    assert ranges(frozenset(pages)) == wanted


def test_only_what_every_run_writes_is_touched(build_guest: Any, make_arm: Any, host: Host, always: Any) -> None:
    body = "(i32.store8 offset=45056 (i32.const 0) (i32.const 1))"  # the twelfth page
    host.add(*make_arm(build_guest(body, {100: "data"})))
    for _ in range(3):
        host.run("text", "", grant=Grant(), limits=Limits(5, 1 << 20), providers=always)
    host.close()
    guest = host.arm("text").guest
    assert guest is not None
    warm: WarmPages = guest.linker.warm
    assert warm.written is not None
    touched = {page for first, count in warm.written for page in range(first, first + count)}
    assert 11 in touched
    assert len(touched) < 16
