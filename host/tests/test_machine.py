"""The machine of a run: seeds that are drawn when none is given."""

from __future__ import annotations

import os

from gg_host.machine import Machine


def test_seeds_differ_also_in_a_forked_child() -> None:
    drawn = [Machine().seed for _ in range(200)]
    assert len(set(drawn)) == 200
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writing, Machine().seed.to_bytes(8))
        os._exit(0)
    os.waitpid(child, 0)
    assert int.from_bytes(os.read(reading, 8)) != Machine().seed
    os.close(reading)
    os.close(writing)
