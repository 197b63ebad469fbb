"""Every piece of documentation of the catalogue, with the name of what it documents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gg_codegen.wit_model import Catalogue, Function, Module


@dataclass(frozen=True, slots=True)
class Doc:
    """A brief and a detail, and what they document by its WIT name. An argument's text is a brief without a detail."""

    row: str
    brief: str
    detail: str
    argument: bool = False


def name_of(function: Function) -> str:
    """A function's WIT name with its interface."""
    return f"{function.interface}.{function.name}"


def all_modules(catalogue: Catalogue) -> Iterator[Module]:
    """Every module, and the one that only guests see."""
    yield from catalogue.modules
    if catalogue.feedback is not None:
        yield catalogue.feedback


def documented(catalogue: Catalogue) -> Iterator[Doc]:
    """Modules, functions with their arguments, types, fields and cases, in the order of the catalogue, then exports."""
    for module in all_modules(catalogue):
        yield Doc(module.interface, module.brief, module.detail)
        for function in module.functions:
            yield from _function(function)
        for typedef in module.types:
            row = f"{typedef.interface}.{typedef.name}"
            yield Doc(row, typedef.brief, typedef.detail)
            yield from (Doc(f"{row}.{field.name}", field.brief, field.detail) for field in typedef.fields)
            yield from (Doc(f"{row}.{case.name}", case.brief, case.detail) for case in typedef.cases)
    for function in catalogue.exports:
        yield from _function(function)


def _function(function: Function) -> Iterator[Doc]:
    yield Doc(name_of(function), function.brief, function.detail)
    for param in function.params:
        if param.doc:  # one without is for the check of arguments
            yield Doc(f"{name_of(function)}.{param.name}", param.doc, "", argument=True)
