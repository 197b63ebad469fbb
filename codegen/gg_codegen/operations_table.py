"""The operations table, ``wit/operations.toml``: what each operation is bound by, and facts the WIT cannot say.

Only the host reads bindings. What generation hands to templates is made by ``row.operation()``, which has none.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Literal

from gg_arm_kit.errors import KitError
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gg_codegen.wit_model import Operation

_STRICT = ConfigDict(frozen=True, extra="forbid", alias_generator=lambda name: name.replace("_", "-"))
_BINDING_HINT = 'one of {capability = "..."}, {ending = "standard" or "review"}, {machine = true}, {always = true}'


class CapabilityBinding(BaseModel):
    """Granted with a capability of the agent's profile."""

    model_config = _STRICT
    capability: str = Field(pattern=r"^[a-z]+(-[a-z]+)*$")


class EndingBinding(BaseModel):
    """Granted to a run of that ending role."""

    model_config = _STRICT
    ending: Literal["standard", "review"]


class MachineBinding(BaseModel):
    """Granted where the run's state machine offers it."""

    model_config = _STRICT
    machine: Literal[True]


class AlwaysBinding(BaseModel):
    """Granted to every run."""

    model_config = _STRICT
    always: Literal[True]


Binding = CapabilityBinding | EndingBinding | MachineBinding | AlwaysBinding


class OperationRow(BaseModel):
    """One operation. ``codes`` are failure codes of its own, beside those any call can fail with."""

    model_config = _STRICT
    id: str = Field(pattern=r"^[a-z]+\.[a-z][a-z0-9]*(_[a-z0-9]+)*$")
    binding: Binding
    takes_input: bool
    codes: tuple[str, ...] = ()
    dispatches: bool = False
    deferred: bool = False

    def operation(self) -> Operation:
        """The row without its binding."""
        namespace, key = self.id.split(".")
        return Operation(self.id, namespace, key, self.takes_input, self.codes, self.dispatches, self.deferred)


class OperationsTable(BaseModel):
    """The whole file. ``empty_by_default`` names lists that every SDK lets a caller leave out."""

    model_config = _STRICT
    empty_by_default: tuple[str, ...] = ()
    operation: tuple[OperationRow, ...]


def read_operations_table(path: Path) -> OperationsTable:
    """Read ``operations.toml``.

    Raises:
        KitError: it cannot be read, is not TOML, or rows are wrong; every fault is named with its row.
    """
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise KitError(
            f"{path}: cannot be read: {error.strerror}", "Give the repository's folder by --root."
        ) from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise KitError(f"{path}: not TOML: {error}", "Mend the line it names.") from error
    try:
        return OperationsTable.model_validate(table)
    except ValidationError as error:
        faults = dict.fromkeys(_fault(fault, table) for fault in error.errors())
        raise KitError(f"{path}: wrong:\n  " + "\n  ".join(faults), "Mend each row it names.") from error


def _fault(fault: Any, table: dict[str, Any]) -> str:
    """One line for a fault: the row by its id, the column, and what it should be."""
    place = fault["loc"]
    if place[0] != "operation" or len(place) < 2:
        return f"{'.'.join(map(str, place))}: {fault['msg']}"
    row = table["operation"][place[1]]
    name = row.get("id", f"number {place[1] + 1}") if isinstance(row, dict) else f"number {place[1] + 1}"
    if "binding" in place[2:3]:
        return f"operation {name}: binding: must be {_BINDING_HINT}"
    return f"operation {name}: {'.'.join(map(str, place[2:]))}: {fault['msg']}"
