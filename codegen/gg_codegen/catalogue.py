"""Joins the WIT package and the operations table into the one catalogue that everything is generated from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gg_arm_kit.errors import KitError

from gg_codegen.operations_table import OperationsTable, read_operations_table
from gg_codegen.wit_json import read_wit_json
from gg_codegen.wit_model import Catalogue, Operation
from gg_codegen.wit_reader import FEEDBACK_INTERFACE, TYPES_INTERFACE, Joined, read_catalogue

TABLE = "operations.toml"


def load_catalogue(wit_folder: Path) -> Catalogue:
    """Read ``wit_folder`` (WIT files and ``operations.toml``).

    Raises:
        KitError: either is wrong, or they do not agree; every disagreement is named with its mend.
    """
    return join(read_wit_json(wit_folder), read_operations_table(wit_folder / TABLE))


def join(document: dict[str, Any], table: OperationsTable) -> Catalogue:
    """Make the catalogue of parsed WIT and table.

    Raises:
        KitError: they do not agree.
    """
    operations = _rows_by_function(table)
    faults = list(disagreements(document, table))
    if faults:
        raise KitError("the WIT and operations.toml do not agree:\n  " + "\n  ".join(faults), "Mend each line above.")
    catalogue = read_catalogue(document, Joined(operations, frozenset(table.empty_by_default)))
    faults = [*_infallible(catalogue), *_wrong_defaults(catalogue, table)]
    if faults:
        raise KitError("the catalogue is wrong:\n  " + "\n  ".join(faults), "Mend each line above.")
    return catalogue


def disagreements(document: dict[str, Any], table: OperationsTable) -> Iterator[str]:
    """What keeps rows and WIT functions from being one to one, a line for each, with its mend."""
    functions = {
        (interface["name"], name)
        for interface in document["interfaces"]
        if interface["name"] not in (TYPES_INTERFACE, FEEDBACK_INTERFACE)
        for name in interface["functions"]
    }
    for identity, count in Counter(row.id for row in table.operation).items():
        if count > 1:
            yield f"operation {identity}: has {count} rows; keep one"
    rows = _rows_by_function(table)
    for (interface, name), operation in rows.items():
        if (interface, name) not in functions:
            yield (
                f"operation {operation.id}: there is no WIT function {name} in interface {interface};"
                f" add it to {interface}.wit or remove the row"
            )
    for interface, name in sorted(functions - rows.keys()):
        identity = f"{interface}.{name.replace('-', '_')}"
        yield f'WIT function {interface}.{name}: has no row; add an [[operation]] with id = "{identity}"'


def _rows_by_function(table: OperationsTable) -> dict[tuple[str, str], Operation]:
    operations = (row.operation() for row in table.operation)
    return {(operation.namespace, operation.key.replace("_", "-")): operation for operation in operations}


def _infallible(catalogue: Catalogue) -> Iterator[str]:
    for function in catalogue.functions:
        if not function.fallible:
            name = f"{function.interface}.{function.name}"
            yield f"WIT function {name}: must return result<T, failure> or result<_, failure>"


def _wrong_defaults(catalogue: Catalogue, table: OperationsTable) -> Iterator[str]:
    """Entries of ``empty-by-default`` that name no list."""
    kinds = {
        f"{function.interface}.{function.name}.{param.name}": param.type.kind
        for function in catalogue.functions
        for param in function.params
    } | {
        f"{typedef.interface}.{typedef.name}.{field.name}": field.type.kind
        for typedef in catalogue.types
        for field in typedef.fields
    }
    for entry in table.empty_by_default:
        if entry not in kinds:
            yield f"empty-by-default {entry}: names nothing; write interface.function.param or interface.type.field"
        elif kinds[entry] != "list":
            yield f"empty-by-default {entry}: is a {kinds[entry]}, not a list; remove the entry"
