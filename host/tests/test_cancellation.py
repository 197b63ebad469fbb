"""The flag of a run that was asked to stop."""

from __future__ import annotations

import threading

from gg_host.cancellation import Cancellation


def test_it_is_set_once_and_for_all() -> None:
    flag = Cancellation()
    assert not flag.is_set()
    assert not flag.wait(0.001)
    flag.set()
    assert flag.is_set()
    assert flag.wait(0)


def test_all_who_wait_are_told() -> None:
    flag = Cancellation()
    told: list[bool] = []
    waiting = [threading.Thread(target=lambda: told.append(flag.wait(10))) for _ in range(3)]
    for thread in waiting:
        thread.start()
    flag.set()
    for thread in waiting:
        thread.join(5)
    assert told == [True] * 3
