"""What ``gg run`` grants for its options, and what it has to say about it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gg_arm_kit.errors import KitError

from gg_host.catalogue import Catalogue
from gg_host.cli.choices import operations_named
from gg_host.cli.operations import served
from gg_host.generated.types import EndingRole
from gg_host.grant import CapabilityBound, EndingBound, Grant, MachineBound


@dataclass(frozen=True, slots=True)
class Granted:
    """A grant, and the operations asked for that this command does not serve, which are refused all the same."""

    grant: Grant
    unserved: tuple[str, ...]


def granted(catalogue: Catalogue, allowed: Iterable[str], everything: bool, ending: EndingRole) -> Granted:
    """The grant for ``--allow``, ``--all`` and ``--ending``: each operation with the capability that buys it.

    Raises:
        KitError: a name is no operation, or names one that another option gives.
    """
    rows = operations_named(catalogue, allowed)
    for row in rows:
        match row.binding:
            case EndingBound(role) if role is not ending:
                raise KitError(f"{row.id} is an ending and not for --allow", f"Give it with --ending {role.value}.")
            case MachineBound():
                raise KitError(f"{row.id} needs a machine, which this command has not", "Leave it out.")
            case _:
                pass
    if everything:
        rows = list(catalogue.operations.values())
    bought = [(row.id, row.binding.capability) for row in rows if isinstance(row.binding, CapabilityBound)]
    unserved = () if everything else tuple(name for name, _ in bought if not served(name))
    grant = Grant(frozenset(capability for _, capability in bought), frozenset(name for name, _ in bought), ending)
    return Granted(grant, unserved)
