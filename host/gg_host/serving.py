"""Which operations the providers of a run serve, and the grant narrowed to those."""

from __future__ import annotations

from collections.abc import Mapping

from gg_arm_kit.errors import KitError

from gg_host.catalogue import Catalogue, Operation
from gg_host.grant import AlwaysBound, Grant


def serves(providers: Mapping[str, object], operation: Operation) -> bool:
    """Whether a provider can do the work of ``operation``.

    A provider may have a method ``serves(operation_id) -> bool`` to tell that a method of its class cannot work as it
    was constructed.
    """
    provider = providers.get(operation.namespace)
    if not callable(getattr(provider, operation.key, None)):
        return False
    told = getattr(provider, "serves", None)
    return bool(told(operation.id)) if callable(told) else True


def narrowed(grant: Grant, providers: Mapping[str, object], catalogue: Catalogue) -> Grant:
    """The grant without what nothing serves: those operations are refused as unavailable, never faked.

    Parameters:
        grant: as configured.
        providers: one object for each namespace.
        catalogue: every operation.

    Raises:
        KitError: an operation that every program has is not served, or a name is no operation or namespace.
    """
    for name in grant.operations:
        catalogue.require(name)
    namespaces = {operation.namespace for operation in catalogue.operations.values()}
    unknown = sorted(set(providers) - namespaces)
    if unknown:
        raise KitError(
            f"there is no namespace {', '.join(unknown)}", f"Namespaces are {', '.join(sorted(namespaces))}."
        )
    missing = [operation for operation in catalogue.operations.values() if not serves(providers, operation)]
    always = [operation.id for operation in missing if isinstance(operation.binding, AlwaysBound)]
    if always:
        raise KitError(
            f"no provider serves {', '.join(always)}, which every program has",
            "Give a provider for " + ", ".join(sorted({name.partition(".")[0] for name in always})) + ".",
        )
    return grant.without(missing)


def full_capabilities(catalogue: Catalogue) -> frozenset[str]:
    """Every capability that buys an operation."""
    bindings = (operation.binding for operation in catalogue.operations.values())
    return frozenset(binding.capability for binding in bindings if hasattr(binding, "capability"))
