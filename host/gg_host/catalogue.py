"""The operations table as the host reads it: what buys each operation and how a call of it is treated."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from gg_arm_kit.errors import KitError

from gg_host.generated.types import EndingRole
from gg_host.grant import AlwaysBound, Binding, CapabilityBound, EndingBound, MachineBound

OPERATIONS_FILE = Path(__file__).with_name("operations.toml")


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation.

    Parameters:
        id: ``namespace.key``.
        binding: what a grant must hold for a call to be permitted.
        takes_input: whether a call has arguments.
        codes: failure codes that a call can end with besides those any call can.
        dispatches: whether a call sets work going, which is refused once the run's time is spent.
        deferred: whether a call only registers what happens at the end of the turn.
    """

    id: str
    binding: Binding
    takes_input: bool
    codes: tuple[str, ...] = ()
    dispatches: bool = False
    deferred: bool = False
    namespace: str = field(init=False)
    """The part before the first dot: the interface and the provider."""
    key: str = field(init=False)
    """The part after the first dot: what a failed call names."""

    def __post_init__(self) -> None:
        namespace, _, key = self.id.partition(".")
        object.__setattr__(self, "namespace", namespace)
        object.__setattr__(self, "key", key)


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Every operation by id, in the order in which they are shown."""

    operations: Mapping[str, Operation]

    def endings(self, role: EndingRole) -> list[Operation]:
        """The endings that belong to ``role``."""
        return [row for row in self.operations.values() if row.binding == EndingBound(role)]

    def require(self, operation_id: str) -> Operation:
        """The operation of that id.

        Raises:
            KitError: there is none.
        """
        if operation_id not in self.operations:
            raise KitError(
                f"there is no operation {operation_id!r}",
                "Operations are written namespace.key, such as files.read_file.",
            )
        return self.operations[operation_id]


@cache
def load_catalogue(path: Path = OPERATIONS_FILE) -> Catalogue:
    """Read the operations table.

    Raises:
        KitError: the file is missing or a row is wrong; the row is named.
    """
    try:
        rows = tomllib.loads(path.read_text(encoding="utf-8"))["operation"]
    except (OSError, KeyError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise KitError(
            f"{path.name}: the operations table cannot be read: {error}", "Mend wit/operations.toml at that place."
        ) from error
    operations = {row["id"]: _operation(row) for row in rows}
    return Catalogue(MappingProxyType(operations))


def _operation(row: dict[str, Any]) -> Operation:
    try:
        return Operation(
            id=row["id"],
            binding=_binding(row["binding"]),
            takes_input=row["takes-input"],
            codes=tuple(row.get("codes", ())),
            dispatches=row.get("dispatches", False),
            deferred=row.get("deferred", False),
        )
    except (KeyError, ValueError) as error:
        raise KitError(f"operations.toml: the row {row.get('id', row)!r} is wrong: {error}", "Mend the row.") from error


def _binding(table: dict[str, Any]) -> Binding:
    match table:
        case {"capability": str(capability)}:
            return CapabilityBound(capability)
        case {"ending": str(role)}:
            return EndingBound(EndingRole(role))
        case {"machine": True}:
            return MachineBound()
        case {"always": True}:
            return AlwaysBound()
    raise ValueError(f"binding {table!r}")
