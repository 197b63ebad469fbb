"""A row's ``takes-input`` agrees with the WIT signature."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gg_codegen.checks.complaint import Complaint
from gg_codegen.spelling import ArmSpelling
from gg_codegen.wit_model import Catalogue

CHECK = "takes-input"


def check(catalogue: Catalogue, arms: Sequence[ArmSpelling]) -> Iterator[Complaint]:
    """Complain of a row that says otherwise than its function's parameters."""
    del arms
    for function in catalogue.functions:
        operation = function.operation
        if operation is None or operation.takes_input == bool(function.params):
            continue
        count = len(function.params)
        fault = f"takes-input is {str(operation.takes_input).lower()}, but the function has {count} parameters"
        mend = f"write takes-input = {str(bool(count)).lower()} in its row of operations.toml"
        yield Complaint(CHECK, operation.id, fault, mend)
