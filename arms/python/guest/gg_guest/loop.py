"""The event loop that ``asyncio`` uses here: no sockets to watch, so it waits by moving the run's clock ahead."""

from gg_guest.own_builtins import NAMES as __builtins__

import asyncio
from asyncio import base_events, events
from time import sleep as _sleep
from typing import Any


class _Clock:
    """What the loop asks for events: there never are any, only time that passes."""

    def select(self, timeout: float | None) -> list[Any]:
        """Let ``timeout`` seconds pass.

        Raises:
            RuntimeError: nothing is due ever, so the wait has no end.
        """
        if timeout is None:
            raise RuntimeError("the event loop waits for something that nothing in this program can bring about")
        if timeout > 0:
            _sleep(timeout)
        return []

    def close(self) -> None:
        """Nothing is open."""


class VirtualTimeLoop(base_events.BaseEventLoop):
    """Runs tasks and timers; a wait takes no time and shows on the clock."""

    def __init__(self) -> None:
        super().__init__()
        self._selector = _Clock()

    def _process_events(self, event_list: list[Any]) -> None:
        pass

    def _write_to_self(self) -> None:
        pass


class _Policy(events._BaseDefaultEventLoopPolicy):  # type: ignore[name-defined]
    _loop_factory = VirtualTimeLoop


def install() -> None:
    """Make it the loop of ``asyncio.run`` and ``asyncio.new_event_loop``."""
    events._set_event_loop_policy(_Policy())  # type: ignore[attr-defined]
    asyncio.EventLoop = VirtualTimeLoop  # type: ignore[misc]
