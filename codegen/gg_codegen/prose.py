"""Documentation text in an arm's own spelling: code spans that name something of the catalogue are respelled."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from gg_codegen.spelling import ArmSpelling
from gg_codegen.wit_model import Catalogue, Function, TypeDef

CODE_SPAN = re.compile(r"`([^`\n]+)`")
OPERATION_ID = re.compile(r"^[a-z]+\.[a-z][a-z0-9]*(_[a-z0-9]+)*$")


def respelled(text: str, names: Mapping[str, str]) -> str:
    """``text`` with each code span that is a key of ``names`` replaced by its value; all else as it is."""
    return CODE_SPAN.sub(lambda span: f"`{names.get(span[1], span[1])}`", text)


def catalogue_names(catalogue: Catalogue, arm: ArmSpelling) -> dict[str, str]:
    """What prose may name anywhere: operations by id, and the failure type."""
    names = {function.operation.id: arm.fqn(function) for function in catalogue.functions if function.operation}
    return {"failure": arm.spelling.failure, **names}


def function_names(function: Function, arm: ArmSpelling) -> dict[str, str]:
    """What prose of a function may name besides: its parameters and the fields of those that are records."""
    parameters = {param.name: arm.param(param) for param in function.params}
    record = arm.exploded(function)
    spell = arm.field if record is None else arm.param
    fields = {
        field.name: spell(field.name)
        for param in function.params
        for typedef in param.type.named
        for field in typedef.fields
    }
    return {**fields, **parameters}


def type_names(typedef: TypeDef, arm: ArmSpelling) -> dict[str, str]:
    """What prose of a type may name besides: its fields and cases."""
    fields = {field.name: arm.field(field) for field in typedef.fields}
    return {**fields, **{case.name: arm.case(typedef, case) for case in typedef.cases}}


def operation_ids(text: str) -> Iterator[str]:
    """Every code span of ``text`` that has the shape of an operation id."""
    for span in CODE_SPAN.finditer(text):
        if OPERATION_ID.match(span[1]):
            yield span[1]
