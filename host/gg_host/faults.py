"""Faults of the host's own side of a run. They end it as ``fatal``; the model is told nothing."""

from __future__ import annotations

import traceback


class HostFaultError(Exception):
    """Something on this side of the membrane broke: a provider, its result, the artifact.

    Parameters:
        where: the provider's operation or the part of the host.
        cause: what was raised.
    """

    def __init__(self, where: str, cause: BaseException) -> None:
        super().__init__(f"{where}: {type(cause).__name__}: {cause}")
        self.where = where
        self.cause = cause

    def details(self) -> str:
        """The message and the Python traceback, for whoever runs the host."""
        return f"{self}\n{''.join(traceback.format_exception(self.cause))}"
