"""Makes an arm's documentation catalogue, ``signatures.json``, from the catalogue and the arm's spelling."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from gg_codegen.calls import call_signatures
from gg_codegen.declarations import (
    argument_types,
    declaration,
    declared_fields,
    declared_types,
    named_types,
    result_types,
)
from gg_codegen.documentation import (
    CallSignature,
    Documentation,
    FunctionEntry,
    Member,
    ModuleEntry,
    Parameter,
    TypeEntry,
    TypeName,
    schema_text,
)
from gg_codegen.prose import catalogue_names, function_names, respelled, type_names
from gg_codegen.spelling import CORE, ArmSpelling
from gg_codegen.wit_model import Catalogue, Function, Module, Type, TypeDef

__all__ = ["Documentation", "documentation", "schema_text"]


def documentation(catalogue: Catalogue, arm: ArmSpelling) -> Documentation:
    """Everything a program of the arm's language can call, with its documentation.

    Parameters:
        catalogue: the catalogue, which says nothing of what grants an operation.
        arm: how the arm's language spells it.
    """
    names = catalogue_names(catalogue, arm)
    modules = sorted(catalogue.modules, key=lambda module: module.id == CORE)  # stable: `core` is shown last
    return Documentation(
        language=arm.id,
        generated_from=catalogue.package,
        modules=tuple(_module(module, arm, names) for module in modules),
        functions=tuple(
            _function(function, function.operation.id, arm, names)
            for module in modules
            for function in module.functions
            if function.operation is not None
        ),
        types=tuple(_type(typedef, arm, names) for typedef in declared_types(catalogue, arm)),
    )


def _module(module: Module, arm: ArmSpelling, names: Mapping[str, str]) -> ModuleEntry:
    return ModuleEntry(
        id=module.id,
        path=arm.module_path(module),
        brief=respelled(module.brief, names),
        detail=respelled(module.detail, names),
        import_line=arm.import_line(module),
    )


def _function(function: Function, operation: str, arm: ArmSpelling, names: Mapping[str, str]) -> FunctionEntry:
    local = {**names, **function_names(function, arm)}
    return FunctionEntry(
        operation=operation,
        module=function.module,
        name=arm.function(function),
        fqn=arm.fqn(function),
        call=arm.call(function),
        brief=respelled(function.brief, local),
        detail=respelled(function.detail, local),
        signatures=tuple(_respelled_signature(one, local) for one in call_signatures(function, arm)),
        returns=_type_names(result_types(function), arm, function.module),
        types=_type_names(argument_types(function, arm), arm, function.module),
        throws=(TypeName(spelled=arm.failure_name, fqn=arm.spelling.failure),),
    )


def _type(typedef: TypeDef, arm: ArmSpelling, names: Mapping[str, str]) -> TypeEntry:
    local = {**names, **type_names(typedef, arm)}
    return TypeEntry(
        name=arm.type(typedef),
        fqn=arm.type_fqn(typedef),
        module=typedef.module,
        declaration=declaration(typedef, arm),
        brief=respelled(typedef.brief, local),
        detail=respelled(typedef.detail, local),
        members=tuple(_members(typedef, arm, local)),
    )


def _members(typedef: TypeDef, arm: ArmSpelling, names: Mapping[str, str]) -> Iterable[Member]:
    for field in declared_fields(typedef, arm):
        yield Member(
            name=arm.field(field),
            type=arm.spell_field(field.type, module=typedef.module, argument=typedef.in_argument),
            brief=respelled(field.brief, names),
            detail=respelled(field.detail, names),
        )
    for case in typedef.cases:
        yield Member(
            name=arm.case(typedef, case),
            type=arm.spell(case.type, module=typedef.module) if case.type is not None else None,
            brief=respelled(case.brief, names),
            detail=respelled(case.detail, names),
        )


def _respelled_signature(one: CallSignature, names: Mapping[str, str]) -> CallSignature:
    parameters = tuple(_respelled_parameter(parameter, names) for parameter in one.parameters)
    return one.model_copy(update={"parameters": parameters})


def _respelled_parameter(parameter: Parameter, names: Mapping[str, str]) -> Parameter:
    fields = tuple(_respelled_parameter(field, names) for field in parameter.fields)
    return parameter.model_copy(update={"doc": respelled(parameter.doc, names), "fields": fields})


def _type_names(types: Iterable[Type], arm: ArmSpelling, module: str) -> tuple[TypeName, ...]:
    return tuple(
        TypeName(spelled=arm.spell(Type("named", typedef=typedef), module=module), fqn=arm.type_fqn(typedef))
        for typedef in named_types(types, arm)
    )
