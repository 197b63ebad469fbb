"""What a provider may learn of the run it serves."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from gg_host.docs.documentation import load_documentation
from gg_host.docs.library import Library


@dataclass(frozen=True, slots=True)
class RunScope:
    """The arm a run is in, and what the run may call.

    Parameters:
        signatures: the arm's documentation catalogue.
        permitted: ids of the operations that the grant, narrowed to what is served, permits.

    A provider that has a method ``enter_run(scope)`` is given this before the run starts.
    """

    signatures: Path
    permitted: Collection[str]

    def library(self) -> Library:
        """The documentation of what the run may call.

        Raises:
            KitError: the documentation catalogue is damaged.
        """
        return Library(load_documentation(self.signatures), frozenset(self.permitted))


def enter_run(providers: Mapping[str, object], scope: RunScope) -> None:
    """Tell every provider that wants to know which run it serves."""
    for provider in providers.values():
        enter = getattr(provider, "enter_run", None)
        if callable(enter):
            enter(scope)
