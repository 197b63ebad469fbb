"""The scopes of an arm in which names must differ, as the arm finally spells them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from gg_codegen.arm_file import NameKind
from gg_codegen.calls import sources
from gg_codegen.declarations import declared_types
from gg_codegen.naming import convert
from gg_codegen.spelling import CORE, ArmSpelling
from gg_codegen.wit_model import Catalogue, Function, Module, TypeDef


@dataclass(frozen=True, slots=True)
class Name:
    """A name in a scope: what it names by its WIT name, and its final text."""

    row: str
    kind: NameKind
    text: str


@dataclass(frozen=True, slots=True)
class Scope:
    """Names that must differ. ``taken`` are names of the generated code that stand beside them, with what each is."""

    title: str
    names: tuple[Name, ...]
    taken: dict[str, str] = field(default_factory=dict)


def scopes(catalogue: Catalogue, arm: ArmSpelling) -> Iterator[Scope]:
    """Every scope of the arm, from the module names down to the cases of a type."""
    modules = tuple(Name(module.interface, "module", arm.module(module)) for module in catalogue.modules)
    yield Scope("the modules", modules)
    declared = declared_types(catalogue, arm)
    members = {module.id: tuple(_members(module, declared, arm)) for module in catalogue.modules}
    if _types_are_shared(arm):
        types = tuple(name for names in members.values() for name in names if name.kind == "type")
        yield Scope("the types of all modules", (*types, *modules), _generated_types(CORE, arm))
        for module in catalogue.modules:
            functions = tuple(name for name in members[module.id] if name.kind == "function")
            yield Scope(f"the functions of {module.id}", functions)
    else:
        for module in catalogue.modules:
            yield Scope(f"the module {module.id}", members[module.id], _generated_types(module.id, arm))
    for function in catalogue.functions:
        yield _parameters(function, arm)
    yield from _inside_types(catalogue, declared, arm)


def _types_are_shared(arm: ArmSpelling) -> bool:
    """Whether the types of every module stand in one namespace: their unshortened name then has no module."""
    return not {"id", "module"} & set(arm.spelling.type_fqn.get_identifiers())


def _members(module: Module, declared: tuple[TypeDef, ...], arm: ArmSpelling) -> Iterator[Name]:
    for function in module.functions:
        yield Name(f"{module.interface}.{function.name}", "function", arm.function(function))
        if (options := _options_type(function, arm)) is not None:
            yield Name(f"{module.interface}.{function.name} (its options)", "type", options)
    for typedef in declared:
        if typedef.module != module.id:
            continue
        row = f"{module.interface}.{typedef.name}"
        yield Name(row, "type", arm.type(typedef))
        if typedef.kind == "variant":
            for case in typedef.cases:
                name = arm.case_class(typedef, case)
                if name is not None and not arm.case_is_record(typedef, case):
                    yield Name(f"{row}.{case.name}", "type", name)


def _options_type(function: Function, arm: ArmSpelling) -> str | None:
    """The name of the type that groups a call's optional arguments, where the arm declares one."""
    formats = arm.spelling.signature
    if formats.options_type is None or "function" not in formats.options_type.get_identifiers():
        return None
    if sum(arm.optional(source) for source in sources(function, arm)) < max(1, arm.spelling.struct_from):
        return None
    name = convert(function.name, arm.spelling.case.type, arm.spelling.acronyms)
    return formats.options_type.substitute(function=name, options="")


def _generated_types(module_id: str, arm: ArmSpelling) -> dict[str, str]:
    """Types the SDK declares besides the catalogue's: the failure type."""
    return {arm.failure_name: "the failure type"} if module_id == CORE else {}


def _parameters(function: Function, arm: ArmSpelling) -> Scope:
    row = f"{function.interface}.{function.name}"
    every = sources(function, arm)
    names = tuple(Name(f"{row}.{source.name}", "parameter", arm.param(source.name)) for source in every)
    taken = dict.fromkeys(arm.spelling.words.generated_locals, "a name its generated body uses")
    if arm.spelling.signature.options is not None:
        taken[arm.spelling.signature.options_name] = "the argument that groups the optional ones"
    return Scope(f"the parameters of {row}", names, taken)


def _inside_types(catalogue: Catalogue, declared: tuple[TypeDef, ...], arm: ArmSpelling) -> Iterator[Scope]:
    formats = arm.spelling.declaration
    for typedef in declared:
        row = f"{typedef.interface}.{typedef.name}"
        taken = {arm.type(typedef): "the name of the type itself"} if formats.members_differ_from_type else {}
        if typedef.kind == "record":
            fields = tuple(Name(f"{row}.{one.name}", "field", arm.field(one)) for one in typedef.fields)
            if formats.discriminant is not None and _is_payload(typedef, declared):
                taken[formats.discriminant] = "the case's own word"
            yield Scope(f"the fields of {row}", fields, taken)
        elif arm.spelling.case_scope == "type":
            yield Scope(f"the cases of {row}", _cases(typedef, arm), taken if typedef.kind == "variant" else {})
    if arm.spelling.case_scope == "module":
        for module in catalogue.modules:
            cases = (name for typedef in declared if typedef.module == module.id for name in _cases(typedef, arm))
            yield Scope(f"the cases of {module.id}", tuple(cases))


def _cases(typedef: TypeDef, arm: ArmSpelling) -> tuple[Name, ...]:
    kind: NameKind = "enum-case" if typedef.kind == "enum" else "variant-case"
    row = f"{typedef.interface}.{typedef.name}"
    return tuple(Name(f"{row}.{case.name}", kind, arm.case(typedef, case)) for case in typedef.cases)


def _is_payload(record: TypeDef, typedefs: tuple[TypeDef, ...]) -> bool:
    return any(case.type is not None and case.type.typedef == record for one in typedefs for case in one.cases)
