"""How the host, which is Python, names and hints what crosses the membrane."""

from __future__ import annotations

import keyword

from gg_arm_kit.errors import KitError

from gg_codegen.naming import Case as NameCase
from gg_codegen.naming import convert
from gg_codegen.wit_model import Case, Catalogue, Type, TypeDef

_PLAIN = {"bool": "bool", "string": "str", "f32": "F32", "f64": "F64", "char": "Char"}


def python_name(name: str) -> str:
    """A WIT name as a parameter, field or method: ``first_line``, and ``from_`` for a keyword."""
    snake = convert(name, NameCase.SNAKE)
    return f"{snake}_" if keyword.iskeyword(snake) else snake


def python_class(typedef: TypeDef) -> str:
    """The class of a record or enum, and the name of a variant's union."""
    return convert(typedef.name, NameCase.PASCAL)


def python_case_class(typedef: TypeDef, case: Case) -> str:
    """The class of one case of a variant."""
    return python_class(typedef) + convert(case.name, NameCase.PASCAL)


def python_hint(type_: Type | None) -> str:
    """The hint of a type; numbers by their aliases, which keep the width."""
    if type_ is None:
        return "None"
    if type_.typedef is not None:
        return python_class(type_.typedef)
    if type_.kind == "list":
        return f"list[{python_hint(type_.item)}]"
    if type_.kind == "option":
        nested = type_.item is not None and type_.item.kind == "option"
        return f"{'Some' if nested else python_hint(type_.item)} | None"
    return _PLAIN.get(type_.kind, type_.kind.upper())


def host_definitions(catalogue: Catalogue) -> list[TypeDef]:
    """Every definition the host has a class for, the guest's own reports included.

    Raises:
        KitError: two definitions, or a case and a definition, would be one class; both are named.
    """
    feedback = catalogue.feedback.types if catalogue.feedback is not None else ()
    definitions = [*catalogue.types, *feedback]
    owners: dict[str, str] = {}
    for typedef in definitions:
        names = [(python_class(typedef), f"{typedef.interface}.{typedef.name}")]
        if typedef.kind == "variant":
            names += [
                (python_case_class(typedef, case), f"{typedef.interface}.{typedef.name}.{case.name}")
                for case in typedef.cases
            ]
        for name, owner in names:
            if name in owners:
                raise KitError(
                    f"{owners[name]} and {owner}: both would be the host's class {name}", "Give one another WIT name."
                )
            owners[name] = owner
    return definitions
