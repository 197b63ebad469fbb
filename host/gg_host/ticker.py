"""The thread that moves the engine's epoch, which is what lets the host stop a guest that never calls it."""

from __future__ import annotations

import threading
import time

import wasmtime

TICK_SECONDS = 0.01
"""Between two ticks; a guest is looked at once a tick, so it overruns its time by about this much."""
STALE_SECONDS = 1.0
"""A ticker that has not ticked for this long while guests run is taken for dead."""
REST_SECONDS = 1.0
"""It goes on ticking for this long after the last run, so that runs in close order need not wake it each time."""


class Ticker:
    """Ticks while guests run, rests while none does. A dead thread is replaced when the next run or a waiter looks.

    Parameters:
        engine: whose epoch to move.
    """

    def __init__(self, engine: wasmtime.Engine) -> None:
        self._engine = engine
        self._guard = threading.Lock()
        self._wanted = threading.Event()
        self._running = 0
        self._resting = True
        self._closed = False
        self._beat = 0.0
        self._left = 0.0
        self._thread: threading.Thread | None = None

    def enter(self) -> None:
        """A guest is about to run."""
        with self._guard:
            self._running += 1
            if self._resting:
                self._resting = False
                self._beat = time.monotonic()
                self._wanted.set()
            self._ensure()

    def leave(self) -> None:
        """A guest has stopped running."""
        with self._guard:
            self._running -= 1
            self._left = time.monotonic()

    def check(self) -> None:
        """Replace the thread if it died; called now and then by whoever waits for a run."""
        with self._guard:
            self._ensure()

    def close(self) -> None:
        """End the thread."""
        with self._guard:
            self._closed = True
            self._wanted.set()
            thread = self._thread
        if thread is not None:
            thread.join()

    def _ensure(self) -> None:
        alive = self._thread is not None and self._thread.is_alive()
        stale = self._running > 0 and time.monotonic() - self._beat > STALE_SECONDS
        if self._closed or (alive and not stale):
            return
        self._beat = time.monotonic()
        self._thread = threading.Thread(target=self._tick, name="gg-ticker", daemon=True)
        self._thread.start()

    def _tick(self) -> None:
        me = threading.current_thread()
        while self._wanted.wait() and not self._closed and self._thread is me:
            self._beat = time.monotonic()
            self._engine.increment_epoch()
            time.sleep(TICK_SECONDS)
            if not self._running and self._beat - self._left > REST_SECONDS:
                self._rest()

    def _rest(self) -> None:
        with self._guard:
            if not self._running and not self._closed:
                self._resting = True
                self._wanted.clear()
