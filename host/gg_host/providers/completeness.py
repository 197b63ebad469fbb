"""Whether the providers of this package serve every operation of the namespaces they serve."""

from __future__ import annotations

from collections.abc import Mapping

from gg_host.catalogue import load_catalogue
from gg_host.providers import workspace_providers

_WITHIN_A_TURN = "it changes what stands from earlier turns, which whoever keeps the turns has"
UNSERVED: Mapping[str, str] = {
    "docs.close": _WITHIN_A_TURN,
    "docs.close_all": _WITHIN_A_TURN,
    "views.close": _WITHIN_A_TURN,
    "views.current": _WITHIN_A_TURN,
}
"""Operations that these providers leave to an embedder's own, each with the reason."""


def missing_methods(providers: Mapping[str, object] | None = None, unserved: Mapping[str, str] = UNSERVED) -> list[str]:
    """What is wrong with the providers, one line for each operation: which method is missing and where it goes.

    A namespace that no provider is there for is left to an embedder as a whole, and is no fault. One that is served in
    part is: the operation would be dropped from every grant, and nobody would know why.

    Parameters:
        providers: an object for each namespace; those of this package when left out.
        unserved: operations that are left out on purpose, by id, with the reason.
    """
    served = workspace_providers(".") if providers is None else providers
    operations = load_catalogue().operations
    faults = []
    for operation in operations.values():
        provider = served.get(operation.namespace)
        if provider is None:
            continue
        has = callable(getattr(provider, operation.key, None))
        name = type(provider).__name__
        if not has and operation.id not in unserved:
            faults.append(
                f"{operation.id}: `{name}` has no method `{operation.key}`; write it in {type(provider).__module__}, "
                "or list the operation in UNSERVED with the reason"
            )
        if has and operation.id in unserved:
            faults.append(f"{operation.id}: `{name}` serves it, so its entry in UNSERVED is out of date; delete it")
    faults += [f"{name}: UNSERVED lists it and it is no operation" for name in unserved if name not in operations]
    return faults
