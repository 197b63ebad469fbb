"""What may be left out as the empty list is a list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gg_codegen.checks.complaint import Complaint
from gg_codegen.checks.documented import name_of
from gg_codegen.spelling import ArmSpelling
from gg_codegen.wit_model import Catalogue, Field, Param

CHECK = "empty-defaults"


def check(catalogue: Catalogue, arms: Sequence[ArmSpelling]) -> Iterator[Complaint]:
    """Complain of a parameter or field that defaults to the empty list but is none.

    An entry of ``empty-by-default`` that names nothing is refused when the catalogue is read.
    """
    del arms
    for row, slot in _slots(catalogue):
        if slot.default_empty and slot.type.kind != "list":
            mend = "remove it from empty-by-default in operations.toml, or make it a list in the WIT"
            yield Complaint(CHECK, row, f"defaults to the empty list, but is {slot.type}", mend)


def _slots(catalogue: Catalogue) -> Iterator[tuple[str, Param | Field]]:
    for function in catalogue.functions:
        yield from ((f"{name_of(function)}.{param.name}", param) for param in function.params)
    for typedef in catalogue.types:
        yield from ((f"{typedef.interface}.{typedef.name}.{field.name}", field) for field in typedef.fields)
