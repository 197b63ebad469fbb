"""A run as its caller holds it: to wait for, to await and to cancel."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gg_host.cancellation import Cancellation
    from gg_host.report import ProgramReport

LOOK_SECONDS = 0.5
"""How often whoever waits for a run makes sure that the ticker is alive."""


class Run:
    """One program on its way.

    Parameters:
        cancelled: what the guest and its calls look at.
        check: called now and then while someone waits.
    """

    def __init__(self, cancelled: Cancellation, check: Callable[[], None]) -> None:
        self._cancelled = cancelled
        self._check = check
        self._done = threading.Lock()
        self._done.acquire()
        self._finished = False
        self._report: ProgramReport | None = None
        self._error: BaseException | None = None
        self._callbacks: list[Callable[[], None]] = []
        self._guard = threading.Lock()

    def cancel(self) -> None:
        """Ask the run to stop, from any thread; it ends within about a tick, or when the call it is in returns."""
        self._cancelled.set()

    @property
    def done(self) -> bool:
        """Whether the run has ended."""
        return self._finished

    def result(self, timeout: float | None = None) -> ProgramReport:
        """Wait for the run.

        Parameters:
            timeout: seconds to wait; None for as long as it takes.

        Raises:
            KitError: the program could not be run at all: its arm or its compiler failed.
            TimeoutError: it has not ended; it goes on.
        """
        try:
            self._wait(timeout)
        except KeyboardInterrupt:
            self.cancel()
            raise
        if self._error is not None:
            raise self._error
        assert self._report is not None
        return self._report

    def _wait(self, timeout: float | None) -> None:
        left = timeout
        while not self._finished:
            step = LOOK_SECONDS if left is None else min(LOOK_SECONDS, left)
            if self._done.acquire(timeout=step):
                self._done.release()
                return
            self._check()
            if left is not None:
                left -= step
                if left <= 0 and not self._finished:
                    raise TimeoutError("the run has not ended")

    def finish(self, report: ProgramReport | None, error: BaseException | None = None) -> None:
        """Deliver; called once, by the host."""
        self._report, self._error = report, error
        with self._guard:
            self._finished = True
            callbacks = list(self._callbacks)
        self._done.release()
        for callback in callbacks:
            callback()

    async def wait(self) -> ProgramReport:
        """Await the run; cancelling the task cancels the run and waits for its end.

        Raises:
            KitError: as ``result``.
        """
        loop = asyncio.get_running_loop()
        ended = asyncio.Event()

        def tell() -> None:
            loop.call_soon_threadsafe(ended.set)

        with self._guard:
            waiting = not self._finished
            if waiting:
                self._callbacks.append(tell)
        if waiting:
            while not ended.is_set():
                try:
                    await asyncio.wait_for(ended.wait(), LOOK_SECONDS)
                except TimeoutError:
                    self._check()
                except asyncio.CancelledError:
                    self.cancel()
                    await asyncio.shield(ended.wait())
                    raise
        return self.result()
