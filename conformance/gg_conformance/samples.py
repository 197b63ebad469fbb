"""One value of every type of the catalogue, as a tree that texts are rendered from and as the host sees it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from gg_arm_kit import source
from gg_codegen.calls import sources
from gg_codegen.catalogue import load_catalogue
from gg_codegen.host_names import python_case_class, python_class, python_name
from gg_codegen.spelling import ArmSpelling
from gg_codegen.wit_model import Case, Catalogue, Function, Type, TypeDef
from gg_host.generated import types


@dataclass(frozen=True, slots=True)
class Sample:
    """A value.

    Parameters:
        type: its WIT type, without an option around it: a sample is always present.
        plain: a number, truth value or text; None for the others.
        fields: of a record, by WIT name.
        items: of a list.
        case: of an enum or variant.
        payload: what the case carries.
    """

    type: Type
    plain: Any = None
    fields: tuple[tuple[str, Sample], ...] = ()
    items: tuple[Sample, ...] = ()
    case: Case | None = None
    payload: Sample | None = None

    @property
    def kind(self) -> str:
        """``plain``, ``list``, ``record``, ``enum`` or ``variant``."""
        if self.type.typedef is not None:
            return self.type.typedef.kind
        return "list" if self.type.kind == "list" else "plain"

    @property
    def typedef(self) -> TypeDef:
        """The definition of a record, enum or variant."""
        assert self.type.typedef is not None
        return self.type.typedef


_PLAIN = {"bool": True, "f32": 1.5, "f64": -0.25, "char": "\U0001f600"}


def sample(type_: Type, place: str) -> Sample:
    """A value of a type. Texts say where they stand, and numbers differ by it, so that no two are mixed up unseen."""
    if type_.typedef is not None:
        return _defined(type_, type_.typedef, place)
    if type_.kind in ("option", "list"):
        assert type_.item is not None
        if type_.kind == "option":
            return sample(type_.item, place)
        return Sample(type_, items=(sample(type_.item, f"{place}.0"), sample(type_.item, f"{place}.1")))
    if type_.kind == "string":
        return Sample(type_, place)
    return Sample(type_, _PLAIN.get(type_.kind, 1 + sum(place.encode()) % 100))


def _defined(type_: Type, typedef: TypeDef, place: str) -> Sample:
    if typedef.kind == "record":
        fields = tuple((field.name, sample(field.type, f"{place}.{field.name}")) for field in typedef.fields)
        return Sample(type_, fields=fields)
    case = next((case for case in typedef.cases if case.type is not None), typedef.cases[-1])
    payload = sample(case.type, f"{place}.{case.name}") if case.type is not None else None
    return Sample(type_, case=case, payload=payload)


def host_value(given: Sample) -> Any:
    """The value as a provider gets or gives it."""
    match given.kind:
        case "record":
            made = getattr(types, python_class(given.typedef))
            return made(**{python_name(name): host_value(value) for name, value in given.fields})
        case "list":
            return [host_value(item) for item in given.items]
        case "enum":
            assert given.case is not None
            return getattr(types, python_class(given.typedef))(given.case.name)
        case "variant":
            assert given.case is not None
            made = getattr(types, python_case_class(given.typedef, given.case))
            return made(host_value(given.payload)) if given.payload is not None else made()
    return given.plain


@cache
def catalogue() -> Catalogue:
    """The repository's catalogue."""
    return load_catalogue(source.wit())


@cache
def answers() -> dict[str, Any]:
    """What each operation that gives something gives, by its id."""
    results = {row.operation.id: row.result for row in catalogue().functions if row.operation is not None}
    return {name: host_value(sample(type_, f"{name}.result")) for name, type_ in results.items() if type_ is not None}


def arguments(function: Function) -> dict[str, Sample]:
    """A sample for each parameter, by WIT name; every optional one is given."""
    assert function.operation is not None
    return {param.name: sample(param.type, f"{function.operation.id}.{param.name}") for param in function.params}


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument as an arm's call has it: its name there, its value, and whether it may be left out."""

    name: str
    value: Sample
    optional: bool


@dataclass(frozen=True, slots=True)
class SampleCall:
    """A call of an operation with every argument: what a text is rendered from."""

    operation: str
    call: str
    arguments: tuple[Argument, ...]


def sample_call(function: Function, arm: ArmSpelling) -> SampleCall:
    """The call as ``arm`` groups and orders its arguments."""
    assert function.operation is not None
    given = arguments(function)
    record = arm.exploded(function)
    values = dict(next(iter(given.values())).fields) if record is not None else given
    rows = (Argument(arm.param(one.name), values[one.name], arm.optional(one)) for one in sources(function, arm))
    return SampleCall(function.operation.id, arm.call(function), tuple(rows))
