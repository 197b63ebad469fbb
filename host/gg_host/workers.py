"""Threads that run guests: a native stack large enough for WebAssembly's, kept for the next run."""

from __future__ import annotations

import threading
from collections.abc import Callable

from gg_arm_kit.engine import NATIVE_STACK_BYTES

IDLE_SECONDS = 0.002
"""A worker that got nothing to do for this long uses the pause for the host's work ahead."""

_stack_size_guard = threading.Lock()


class Worker:
    """One thread and the job it was given last."""

    def __init__(self, pool: WorkerPool) -> None:
        self._pool = pool
        self._job: Callable[[], None] | None = None
        self._given = threading.Lock()
        self._given.acquire()
        self.thread = threading.Thread(target=self._work, name="gg-guest", daemon=True)

    def give(self, job: Callable[[], None] | None) -> None:
        """Hand a job over; None ends the thread. Only for a worker that the pool counts as free."""
        self._job = job
        self._given.release()

    def _work(self) -> None:
        while True:
            if not self._given.acquire(timeout=IDLE_SECONDS):
                self._pool.when_idle()
                self._given.acquire()
            job, self._job = self._job, None
            if job is None:
                return
            job()
            del job
            self._pool.free(self)


class WorkerPool:
    """Gives each job to a free thread, or to a new one.

    Parameters:
        when_idle: called by a worker once each time it has nothing to do; it must not raise.
    """

    def __init__(self, when_idle: Callable[[], None]) -> None:
        self.when_idle = when_idle
        self._guard = threading.Lock()
        self._free: list[Worker] = []
        self._all: list[Worker] = []
        self._closed = False

    def submit(self, job: Callable[[], None]) -> None:
        """Run ``job`` on a worker; it must not raise."""
        with self._guard:
            if self._closed:
                raise RuntimeError("the host is closed")
            worker = self._free.pop() if self._free else self._start()
        worker.give(job)

    def free(self, worker: Worker) -> None:
        """Take a worker back."""
        with self._guard:
            self._free.append(worker)
            if self._closed:
                worker.give(None)

    def close(self) -> None:
        """Let running jobs end, then end every thread."""
        with self._guard:
            self._closed = True
            for worker in self._free:
                worker.give(None)
            workers = list(self._all)
        for worker in workers:
            worker.thread.join()

    def _start(self) -> Worker:
        worker = Worker(self)
        with _stack_size_guard:  # the size is one for the process, so it is put back at once
            before = threading.stack_size(NATIVE_STACK_BYTES)
            try:
                worker.thread.start()
            finally:
                threading.stack_size(before)
        self._all.append(worker)
        return worker
