"""How a call is written: its parameters in the arm's order and grouping, and the signature's text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gg_codegen.declarations import declared_fields, without_option
from gg_codegen.documentation import CallSignature, Parameter
from gg_codegen.naming import convert
from gg_codegen.spelling import ArmSpelling
from gg_codegen.wit_model import Field, Function, Param

OPTIONS_DOC = "Optional arguments, each by its name."


@dataclass(frozen=True, slots=True)
class Slot:
    """A parameter, or a field of one, as the arm writes it. ``item`` is its type without the option.

    ``field_type`` and ``field_item`` are the same where it stands as a field: of a record, or of grouped options.
    """

    source: Param | Field
    name: str
    type: str
    item: str
    field_type: str
    field_item: str
    optional: bool
    default: str
    doc: str
    fields: tuple[Slot, ...]


def sources(function: Function, arm: ArmSpelling) -> tuple[Param | Field, ...]:
    """What the arm's call takes: the required ones in their order, then the optional ones in theirs.

    Where the arm spreads an only argument that is a record, they are the record's fields.
    """
    record = arm.exploded(function)
    every: tuple[Param | Field, ...] = record.fields if record is not None else function.params
    return tuple(sorted(every, key=arm.optional))


def slots(function: Function, arm: ArmSpelling) -> tuple[Slot, ...]:
    """A call's parameters as the arm writes them, in the order of ``sources``."""
    return tuple(_slot(one, arm.param(one.name), slot_doc(one), function, arm) for one in sources(function, arm))


def slot_doc(slot: Param | Field) -> str:
    """The documentation of a parameter or field on one line."""
    if isinstance(slot, Param):
        return slot.doc
    return " ".join(part for part in (slot.brief, " ".join(slot.detail.split())) if part)


def call_signatures(function: Function, arm: ArmSpelling) -> tuple[CallSignature, ...]:
    """Every way to write the call; one, except where the language overloads it by its optional arguments."""
    every = slots(function, arm)
    required = [slot for slot in every if not slot.optional]
    optional = [slot for slot in every if slot.optional]
    if arm.spelling.optional_arguments == "overloads":
        return tuple(_signature(function, arm, required, optional[:count]) for count in range(len(optional) + 1))
    return (_signature(function, arm, required, optional),)


def _signature(
    function: Function, arm: ArmSpelling, required: Sequence[Slot], optional: Sequence[Slot]
) -> CallSignature:
    formats = arm.spelling.signature
    texts = [formats.required.substitute(name=slot.name, type=slot.type) for slot in required]
    parameters = [_parameter(slot) for slot in required]
    if optional and formats.options is not None and len(optional) >= arm.spelling.struct_from:
        text, parameter = _options(function, arm, optional)
        texts.append(text)
        parameters.append(parameter)
    elif optional:
        keyword = arm.spelling.optional_arguments == "keyword"
        texts += [formats.keyword_marker] if keyword and formats.keyword_marker else []
        texts += [
            formats.optional.substitute(name=slot.name, type=slot.type, item=slot.item, default=slot.default)
            for slot in optional
        ]
        parameters += [_parameter(slot, keyword=keyword) for slot in optional]
    return CallSignature(signature=_text(function, arm, texts), parameters=tuple(parameters))


def _text(function: Function, arm: ArmSpelling, parameters: Sequence[str]) -> str:
    formats = arm.spelling.signature
    name = arm.function(function)
    result = arm.spell_result(function.result, module=function.module)
    if not parameters and formats.without_parameters is not None:
        return formats.without_parameters.substitute(name=name, result=result)
    return formats.function.substitute(name=name, parameters=formats.separator.join(parameters), result=result)


def _options(function: Function, arm: ArmSpelling, optional: Sequence[Slot]) -> tuple[str, Parameter]:
    """The one parameter that holds the optional arguments: its text and its entry."""
    formats = arm.spelling.signature
    line = formats.option or formats.optional
    options = formats.option_separator.join(
        line.substitute(name=slot.name, type=slot.field_type, item=slot.field_item, default=slot.default)
        for slot in optional
    )
    values = {"options": options, "function": convert(function.name, arm.spelling.case.type, arm.spelling.acronyms)}
    text = formats.options.substitute(values) if formats.options is not None else ""
    type_ = formats.options_type.substitute(values) if formats.options_type is not None else text
    return text, Parameter(
        name=formats.options_name,
        type=type_,
        optional=True,
        kind="positional",
        doc=OPTIONS_DOC,
        fields=tuple(_parameter(slot, keyword=True, field=True) for slot in optional),
    )


def _slot(source: Param | Field, name: str, doc: str, function: Function, arm: ArmSpelling) -> Slot:
    optional = arm.optional(source)
    fields = tuple(
        _slot(field, arm.field(field), slot_doc(field), function, arm)
        for typedef in source.type.named
        if typedef.kind == "record"
        for field in declared_fields(typedef, arm)
    )
    module, item = function.module, without_option(source.type)
    return Slot(
        source=source,
        name=name,
        type=arm.spell(source.type, module=module, argument=True),
        item=arm.spell(item, module=module, argument=True),
        field_type=arm.spell_field(source.type, module=module, argument=True),
        field_item=arm.spell_field(item, module=module, argument=True),
        optional=optional,
        default=arm.default(source) if optional else "",
        doc=doc,
        fields=fields,
    )


def _parameter(slot: Slot, *, keyword: bool = False, field: bool = False) -> Parameter:
    return Parameter(
        name=slot.name,
        type=slot.field_type if field else slot.type,
        optional=slot.optional,
        kind="keyword" if keyword else "positional",
        default=slot.default if slot.optional else None,
        doc=slot.doc,
        fields=tuple(_parameter(one, keyword=True, field=True) for one in slot.fields),
    )
