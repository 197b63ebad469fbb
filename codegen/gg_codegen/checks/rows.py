"""Every WIT operation has exactly one row of the operations table, and every row its operation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from gg_codegen.checks.complaint import Complaint
from gg_codegen.checks.documented import name_of
from gg_codegen.spelling import ArmSpelling
from gg_codegen.wit_model import Catalogue

CHECK = "rows"


def check(catalogue: Catalogue, arms: Sequence[ArmSpelling]) -> Iterator[Complaint]:
    """Complain of a function without a row, a row without a function, and a second row."""
    del arms
    bound = {function.operation.id for function in catalogue.functions if function.operation is not None}
    for function in catalogue.functions:
        if function.operation is None:
            identity = f"{function.module}.{function.name.replace('-', '_')}"
            mend = f'add an [[operation]] with id = "{identity}" to operations.toml'
            yield Complaint(CHECK, name_of(function), "has no row", mend)
    for identity, count in Counter(operation.id for operation in catalogue.operations).items():
        if count > 1:
            yield Complaint(CHECK, identity, f"has {count} rows", "keep one of them in operations.toml")
        if identity not in bound:
            namespace, _, key = identity.partition(".")
            mend = f"add function {key.replace('_', '-')} to {namespace}.wit or remove the row"
            yield Complaint(CHECK, identity, "has a row but no WIT function", mend)
