"""What an agent may call, and the one rule that answers it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from gg_host.generated.types import EndingRole

if TYPE_CHECKING:
    from collections.abc import Iterable, Set

    from gg_host.catalogue import Operation


@dataclass(frozen=True, slots=True)
class CapabilityBound:
    """Bought by a capability of the profile, for an operation that the allowlist names."""

    capability: str


@dataclass(frozen=True, slots=True)
class EndingBound:
    """Bought by the ending role."""

    role: EndingRole


@dataclass(frozen=True, slots=True)
class MachineBound:
    """Bought by standing in a machine state that has somewhere to go."""


@dataclass(frozen=True, slots=True)
class AlwaysBound:
    """Every program has it."""


Binding = CapabilityBound | EndingBound | MachineBound | AlwaysBound


@dataclass(frozen=True, slots=True)
class Grant:
    """What an agent holds. The empty grant permits the always-bound operations and nothing else.

    Parameters:
        capabilities: capability ids of the profile; any set, kept as a frozen one.
        operations: operation ids of the allowlist, likewise; an id whose capability is not held buys nothing.
        ending: the role the agent was dispatched in.
    """

    capabilities: Set[str] = field(default=frozenset())
    operations: Set[str] = field(default=frozenset())
    ending: EndingRole = EndingRole.NONE

    def __post_init__(self) -> None:
        object.__setattr__(self, "capabilities", frozenset(self.capabilities))
        object.__setattr__(self, "operations", frozenset(self.operations))

    def without(self, operations: Iterable[Operation]) -> Grant:
        """The grant narrowed by operations that nothing serves. Always-bound ones are not a grant's to lose.

        An ending that nothing serves takes the role with it: a program is never pointed to a call that cannot work.
        """
        dropped = list(operations)
        roles = {row.binding.role for row in dropped if isinstance(row.binding, EndingBound)}
        return replace(
            self,
            operations=self.operations - {row.id for row in dropped},
            ending=EndingRole.NONE if self.ending in roles else self.ending,
        )


def permits(grant: Grant, operation: Operation) -> bool:
    """Whether ``operation`` may be called under ``grant``. Each binding is answered by its own half of the grant."""
    match operation.binding:
        case CapabilityBound(capability):
            return capability in grant.capabilities and operation.id in grant.operations
        case EndingBound(role):
            return grant.ending is role
        case MachineBound():
            return operation.id in grant.operations
        case AlwaysBound():
            return True
