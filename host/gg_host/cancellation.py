"""Whether a run was asked to stop."""

from __future__ import annotations

import threading

_guard = threading.Lock()


class Cancellation:
    """A flag that is set once. Asking costs nothing, and only whoever waits for it makes a ``threading.Event``."""

    __slots__ = ("_event", "_set")

    def __init__(self) -> None:
        self._set = False
        self._event: threading.Event | None = None

    def is_set(self) -> bool:
        """Whether the run was asked to stop."""
        return self._set

    def set(self) -> None:
        """Ask the run to stop."""
        with _guard:
            self._set = True
            event = self._event
        if event is not None:
            event.set()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the run is asked to stop.

        Parameters:
            timeout: seconds to wait; None for as long as it takes.

        Returns:
            Whether it was.
        """
        with _guard:
            if self._set:
                return True
            if self._event is None:
                self._event = threading.Event()
            event = self._event
        return event.wait(timeout)
