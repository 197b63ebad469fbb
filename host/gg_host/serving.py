"""Which operations the providers of a run serve, and the grant narrowed to those."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass

from gg_arm_kit.errors import KitError

from gg_host.catalogue import Catalogue, Operation
from gg_host.grant import AlwaysBound, CapabilityBound, Grant, permits

CACHED = 256
"""Combinations of a grant and providers whose narrowed grant is kept; narrowing walks every operation."""


@dataclass(frozen=True, slots=True)
class Served:
    """A grant without what nothing serves, and the ids it permits in the catalogue's order."""

    grant: Grant
    permitted: tuple[str, ...]


class Serving:
    """Narrows grants. An operation that nothing serves is refused as unavailable, never faked.

    A provider may have a method ``serves(operation_id) -> bool`` to tell that a method of its class cannot work as it
    was constructed.

    Parameters:
        catalogue: every operation.
    """

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._by_namespace: dict[str, list[Operation]] = {}
        for operation in catalogue.operations.values():
            self._by_namespace.setdefault(operation.namespace, []).append(operation)
        self._kept: dict[object, Served] = {}
        self._guard = threading.Lock()

    def narrowed(self, grant: Grant, providers: Mapping[str, object]) -> Served:
        """The grant that a run really has.

        Parameters:
            grant: as configured.
            providers: one object for each namespace.

        Raises:
            KitError: an operation that every program has is not served, or a name is no operation or namespace.
        """
        key = (grant, tuple(map(self._mark, providers.items())))
        found = self._kept.get(key)
        if found is None:
            found = self._narrow(grant, providers)
            with self._guard:
                if len(self._kept) >= CACHED:
                    self._kept.clear()
                self._kept[key] = found
        return found

    def _mark(self, item: tuple[str, object]) -> object:
        """What decides which operations a provider serves."""
        namespace, provider = item
        told = getattr(provider, "serves", None)
        if not callable(told):
            return namespace, type(provider)
        return namespace, type(provider), tuple(told(row.id) for row in self._by_namespace.get(namespace, ()))

    def _narrow(self, grant: Grant, providers: Mapping[str, object]) -> Served:
        for name in grant.operations:
            self._catalogue.require(name)
        unknown = sorted(set(providers) - set(self._by_namespace))
        if unknown:
            known = ", ".join(sorted(self._by_namespace))
            raise KitError(f"there is no namespace {', '.join(unknown)}", f"Namespaces are {known}.")
        rows = self._catalogue.operations.values()
        missing = [operation for operation in rows if not serves(providers, operation)]
        always = [operation for operation in missing if isinstance(operation.binding, AlwaysBound)]
        if always:
            raise KitError(
                f"no provider serves {', '.join(row.id for row in always)}, which every program has",
                f"Give a provider for {', '.join(sorted({row.namespace for row in always}))}.",
            )
        narrow = grant.without(missing)
        return Served(narrow, tuple(row.id for row in rows if permits(narrow, row)))


def serves(providers: Mapping[str, object], operation: Operation) -> bool:
    """Whether a provider can do the work of ``operation``."""
    provider = providers.get(operation.namespace)
    if not callable(getattr(provider, operation.key, None)):
        return False
    told = getattr(provider, "serves", None)
    return bool(told(operation.id)) if callable(told) else True


def full_capabilities(catalogue: Catalogue) -> frozenset[str]:
    """Every capability that buys an operation."""
    bindings = (operation.binding for operation in catalogue.operations.values())
    return frozenset(binding.capability for binding in bindings if isinstance(binding, CapabilityBound))
