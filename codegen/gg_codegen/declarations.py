"""Which types an arm's SDK has, and how each is declared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gg_codegen.spelling import ArmSpelling
from gg_codegen.wit_model import Catalogue, Field, Function, Type, TypeDef


def declared_types(catalogue: Catalogue, arm: ArmSpelling) -> tuple[TypeDef, ...]:
    """Every type the arm's signatures reach at any depth, in the order of the catalogue.

    A record that the arm only ever spreads into arguments, and a change written with the language's own values, are
    not among them.
    """
    reached: dict[str, TypeDef] = {}
    for function in catalogue.functions:
        _reach((*argument_types(function, arm), *result_types(function)), arm, reached)
    return tuple(typedef for typedef in catalogue.types if _key(typedef) in reached)


def argument_types(function: Function, arm: ArmSpelling) -> Iterator[Type]:
    """The types the arm's parameters of a call are written with."""
    record = arm.exploded(function)
    slots: Iterable[Field] | None = record.fields if record is not None else None
    yield from (slot.type for slot in (slots if slots is not None else function.params))


def result_types(function: Function) -> Iterator[Type]:
    """The type of a call's result, if it has one."""
    if function.result is not None:
        yield function.result


def named_types(types: Iterable[Type], arm: ArmSpelling) -> tuple[TypeDef, ...]:
    """The definitions that ``types`` write themselves, each once."""
    found = {_key(typedef): typedef for type_ in types for typedef in type_.named if arm.declares(typedef)}
    return tuple(found.values())


def declared_fields(typedef: TypeDef, arm: ArmSpelling) -> tuple[Field, ...]:
    """A record's fields in the order it is declared with: what a program gives has its required fields first."""
    if not typedef.in_argument:
        return typedef.fields
    return tuple(sorted(typedef.fields, key=arm.optional))


def declaration(typedef: TypeDef, arm: ArmSpelling) -> str:
    """The declaration of a type, without documentation, as the arm's ``[spelling.declaration]`` writes it."""
    formats = arm.spelling.declaration
    name = arm.type(typedef)
    match typedef.kind:
        case "record":
            return formats.record.substitute(name=name, members=members(typedef, arm, typedef.module))
        case "enum":
            words = (
                formats.enum_case.substitute(case=arm.case(typedef, case), word=case.name) for case in typedef.cases
            )
            return formats.enum.substitute(name=name, members=formats.enum_separator.join(words))
        case "variant":
            cases = _variant_cases(typedef, arm)
            variant = formats.variant.substitute(name=name, members=formats.variant_separator.join(cases))
            return "\n\n".join((*_case_classes(typedef, arm), variant))


def members(record: TypeDef, arm: ArmSpelling, module: str) -> str:
    """A record's fields as they stand inside its declaration, or inside a case that carries it, in ``module``."""
    formats = arm.spelling.declaration
    texts = []
    for field in declared_fields(record, arm):
        optional = record.in_argument and arm.optional(field)
        line = formats.optional_field if optional else formats.field
        texts.append(
            line.safe_substitute(
                name=arm.field(field),
                type=arm.spell_field(field.type, module=module, argument=record.in_argument),
                item=arm.spell_field(without_option(field.type), module=module, argument=record.in_argument),
                default=arm.default(field) if optional else "",
            )
        )
    return formats.field_separator.join(texts)


def without_option(type_: Type) -> Type:
    """What an option holds; any other type as it is."""
    return type_.item if type_.kind == "option" and type_.item is not None else type_


def _variant_cases(typedef: TypeDef, arm: ArmSpelling) -> Iterator[str]:
    formats = arm.spelling.declaration
    name = arm.type(typedef)
    for case in typedef.cases:
        word = arm.case(typedef, case)
        class_name = arm.case_class(typedef, case) or ""
        if case.type is None:
            yield formats.variant_case_bare.substitute({"name": name, "case": word, "class": class_name})
            continue
        payload = case.type.typedef
        type_ = arm.spell_field(case.type, module=typedef.module, argument=typedef.in_argument)
        values = {"name": name, "case": word, "class": class_name, "type": type_}
        if payload is not None and payload.kind == "record" and formats.variant_case_record is not None:
            values["members"] = members(payload, arm, typedef.module)
            yield formats.variant_case_record.substitute(values)
        else:
            yield formats.variant_case.substitute(values)


def _case_classes(typedef: TypeDef, arm: ArmSpelling) -> Iterator[str]:
    """Declarations of the classes that are nothing but a case of the variant."""
    formats = arm.spelling.declaration
    for case in typedef.cases:
        name = arm.case_class(typedef, case) or ""
        if case.type is None:
            if formats.variant_class_bare is not None:
                yield formats.variant_class_bare.substitute({"class": name})
        elif formats.variant_class is not None and not arm.case_is_record(typedef, case):
            type_ = arm.spell_field(case.type, module=typedef.module, argument=typedef.in_argument)
            yield formats.variant_class.substitute({"class": name, "type": type_})


def _reach(types: Iterable[Type], arm: ArmSpelling, reached: dict[str, TypeDef]) -> None:
    for typedef in named_types(types, arm):
        if _key(typedef) not in reached:
            reached[_key(typedef)] = typedef
            _reach(typedef.types(), arm, reached)


def _key(typedef: TypeDef) -> str:
    return f"{typedef.module}.{typedef.name}"
