"""Waits of ``threading`` with a time limit: there is one thread, so the time passes and nothing else can happen.

The C library below lets such a wait end at once and forgets the time. ``Event``, ``Semaphore``, ``Queue`` and the rest all wait
through ``Condition``.
"""

from gg_guest.own_builtins import NAMES as __builtins__

import threading
from time import sleep as _sleep

_wait_for_ever = threading.Condition.wait


def _wait(self: threading.Condition, timeout: float | None = None) -> bool:
    """Wait until notified or until a timeout occurs."""
    if timeout is None or timeout <= 0:
        return _wait_for_ever(self, timeout)
    if not self._is_owned():  # type: ignore[attr-defined]
        raise RuntimeError("cannot wait on un-acquired lock")
    _sleep(timeout)
    return False


def install() -> None:
    """Put it in the library's place."""
    _wait.__name__, _wait.__qualname__ = "wait", "Condition.wait"
    threading.Condition.wait = _wait  # type: ignore[method-assign]
