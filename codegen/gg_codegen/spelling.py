"""An arm's own names: what every WIT name, type, call and import line is in its language."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from gg_arm_kit.errors import KitError
from gg_arm_kit.facts import ArmFacts
from pydantic import ValidationError

from gg_codegen.arm_file import ArmFile, Exemption, NameKind, Output, Patch, Spelling
from gg_codegen.naming import Case as NameCase
from gg_codegen.naming import convert
from gg_codegen.wit_model import Case, Field, Function, Module, Param, Type, TypeDef

CORE = "core"


class ArmSpelling:
    """One arm as generation sees it. Every method gives the final text of a name, escaped where the language asks it.

    Parameters:
        folder: the arm's folder.
        file: what its ``arm.toml`` says, with what it inherits.
    """

    def __init__(self, folder: Path, file: ArmFile) -> None:
        self.folder = folder
        self.templates = folder / "templates"
        self.facts: ArmFacts = file.arm
        self.id = file.arm.id
        self.outputs: tuple[Output, ...] = file.output
        self.bindings: Literal["c"] | None = file.bindings
        self.signatures = file.signatures
        self.exemptions: tuple[Exemption, ...] = file.exemption
        self.spelling: Spelling = file.spelling
        self._converted: dict[tuple[str, NameKind, NameCase | None], str] = {}  # a name is asked for very often

    def module(self, module: Module | str) -> str:
        """The module's name."""
        module_id = module if isinstance(module, str) else module.id
        return self._name(module_id, "module", self.spelling.renames.modules.get(module_id))

    def function(self, function: Function) -> str:
        """The function's name inside its module."""
        renames = self.spelling.renames.functions
        renamed = renames.get(function.operation.id) if function.operation is not None else None
        return self._name(function.name, "function", renamed)

    def param(self, name: Param | str) -> str:
        """A parameter's name."""
        text = name if isinstance(name, str) else name.name
        return self._name(text, "parameter", self.spelling.renames.parameters.get(text))

    def field(self, name: Field | str) -> str:
        """A field's name."""
        text = name if isinstance(name, str) else name.name
        return self._name(text, "field", self.spelling.renames.fields.get(text))

    def type(self, typedef: TypeDef) -> str:
        """A record's, variant's or enum's name inside its module."""
        return self._name(typedef.name, "type", self.spelling.renames.types.get(f"{typedef.module}.{typedef.name}"))

    def case(self, typedef: TypeDef, case: Case | str) -> str:
        """The name, or the word, of a case of an enum or variant."""
        text = case if isinstance(case, str) else case.name
        kind: NameKind = "enum-case" if typedef.kind == "enum" else "variant-case"
        exception = self.spelling.case.exceptions.get(f"{typedef.module}.{typedef.name}")
        return self._name(text, kind, self.spelling.renames.cases.get(text), exception)

    def case_class(self, typedef: TypeDef, case: Case) -> str | None:
        """The name of the class of a variant's case; None where the language's cases are not classes."""
        declaration = self.spelling.declaration
        if self.case_is_record(typedef, case) and case.type is not None and case.type.typedef is not None:
            return self.type(case.type.typedef)
        if declaration.case_class is None:
            return None
        return declaration.case_class.substitute(type=self.type(typedef), case=self.case(typedef, case))

    def case_is_record(self, typedef: TypeDef, case: Case) -> bool:
        """Whether the class of a variant's case is that of the record it carries: only if no other case carries it."""
        payload = case.type.typedef if case.type is not None else None
        if not self.spelling.declaration.record_is_case or payload is None or payload.kind != "record":
            return False
        return sum(other.type == case.type for other in typedef.cases) == 1

    @property
    def failure_name(self) -> str:
        """The failure type's name inside its module, such as ``ApiError`` of ``gg::core::ApiError``."""
        return re.split(r"\.|::", self.spelling.failure)[-1]

    def fqn(self, function: Function) -> str:
        """The unshortened name of a call, as documentation is keyed and a refusal quotes it."""
        return self._place(self.spelling.fqn, function.module, function=self.function(function))

    def call(self, function: Function) -> str:
        """How a program writes the call after the module's import line."""
        return self._place(self.spelling.call, function.module, function=self.function(function))

    def type_fqn(self, typedef: TypeDef) -> str:
        """The unshortened name of a type."""
        return self._place(self.spelling.type_fqn, typedef.module, type=self.type(typedef))

    def module_path(self, module: Module | str) -> str:
        """The unshortened name of a module."""
        return self._place(self.spelling.module_path, module if isinstance(module, str) else module.id)

    def import_line(self, module: Module | str) -> str:
        """The line a program writes to reach the module."""
        module_id = module if isinstance(module, str) else module.id
        line = self.spelling.import_line
        if module_id == CORE and self.spelling.core_import_line is not None:
            line = self.spelling.core_import_line
        return self._place(line, module_id)

    def spell(self, type_: Type | None, *, module: str | None = None, argument: bool = False) -> str:
        """How a type is written.

        Parameters:
            type_: the type; None is a function's result that is nothing.
            module: id of the module the text stands in; a type of another module is then written with its module.
            argument: whether it is something a program gives, which may be written more widely than what it gets.
        """
        types = self.spelling.types
        if type_ is None:
            return types.nothing
        if type_.typedef is not None:
            return self._spell_named(type_.typedef, module)
        if type_.item is not None:
            item = self.spell(type_.item, module=module, argument=argument)
            item = self._grouped(types.boxed.get(item, item))
            plain, wider = (
                (types.list, types.argument_list) if type_.kind == "list" else (types.option, types.argument_option)
            )
            return ((wider if argument else None) or plain).substitute(item=item)
        if type_.kind == "string" and argument and types.argument_string is not None:
            return types.argument_string
        scalar: str = getattr(types, type_.kind)
        return scalar

    def spell_result(self, type_: Type | None, *, module: str | None = None) -> str:
        """How a signature writes what a call gives, with what the language wraps it in."""
        text, wrap = self.spell(type_, module=module), self.spelling.types.result
        return text if wrap is None else wrap.substitute(item=self._grouped(text))

    def spell_field(self, type_: Type, *, module: str | None = None, argument: bool = False) -> str:
        """How a field's type is written; ``argument`` as for ``spell``."""
        return self.spell(type_, module=module, argument=argument and self.spelling.types.argument_fields)

    def patch(self, type_: Type) -> Patch | None:
        """How a three-way change is written, if ``type_`` is one."""
        return self.spelling.patch.get(str(type_)) if type_.typedef is not None else None

    def optional(self, slot: Field | Param) -> bool:
        """Whether a program may leave the field or argument out."""
        return slot.optional or self.patch(slot.type) is not None

    def default(self, slot: Field | Param) -> str:
        """The text of what an optional field or argument is when it is left out."""
        if (patch := self.patch(slot.type)) is not None:
            return patch.default
        return self.spelling.default.list if slot.default_empty else self.spelling.default.option

    def declares(self, typedef: TypeDef) -> bool:
        """Whether the SDK has a type of this name; a patch written with the language's own values has none."""
        patch = self.spelling.patch.get(f"{typedef.module}.{typedef.name}")
        return patch is None or patch.own_type

    def exploded(self, function: Function) -> TypeDef | None:
        """The record whose fields the call takes in place of its one argument, if it does so."""
        if not self.spelling.signature.explode_single_record or len(function.params) != 1:
            return None
        record = function.params[0].type.typedef
        return record if record is not None and record.kind == "record" else None

    def reserves(self, name: str, kind: NameKind) -> bool:
        """Whether the final text ``name`` is a reserved word where a name of ``kind`` stands."""
        return kind not in self.spelling.words.unreserved and name in self._reserved

    @cached_property
    def _reserved(self) -> frozenset[str]:
        return frozenset((*self.spelling.words.reserved, *self.spelling.words.next_edition))

    def _name(self, name: str, kind: NameKind, renamed: str | None, case: NameCase | None = None) -> str:
        if renamed is not None:
            return renamed
        key = (name, kind, case)
        if (known := self._converted.get(key)) is not None:
            return known
        text = convert(name, case or getattr(self.spelling.case, kind.replace("-", "_")), self.spelling.acronyms)
        text = self.spelling.escape.substitute(name=text) if self.reserves(text, kind) else text
        return self._converted.setdefault(key, text)

    def _spell_named(self, typedef: TypeDef, module: str | None) -> str:
        if (patch := self.spelling.patch.get(f"{typedef.module}.{typedef.name}")) is not None:
            return patch.type
        elsewhere = module is not None and module != typedef.module
        line = self.spelling.types.named_elsewhere if elsewhere else self.spelling.types.named
        return self._place(line, typedef.module, type=self.type(typedef))

    def _grouped(self, item: str) -> str:
        group = self.spelling.types.group
        return group.substitute(item=item) if group is not None and " " in item else item

    def _place(self, line: Any, module_id: str, **values: str) -> str:
        text: str = line.substitute(id=module_id, module=self.module(module_id), **values)
        return text


def load_arms(arms_folder: Path) -> list[ArmSpelling]:
    """Read every ``arm.toml`` under ``arms_folder``, in the order of the failure table.

    Raises:
        KitError: a file cannot be read or is wrong; every fault is named by file and key.
    """
    documents = {path.parent: _document(path) for path in sorted(arms_folder.glob("*/arm.toml"))}
    by_id = {folder.name: document for folder, document in documents.items()}
    arms = []
    for folder, document in documents.items():
        whole = {**document, "spelling": _inherited(folder / "arm.toml", document, by_id, ())}
        arms.append(ArmSpelling(folder, _validated(folder / "arm.toml", whole)))
        if arms[-1].id != folder.name:
            raise KitError(f"{folder / 'arm.toml'}: arm.id: is {arms[-1].id!r}, but the folder is {folder.name!r}")
    return sorted(arms, key=lambda arm: (arm.facts.order, arm.id))


def _document(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise KitError(
            f"{path}: cannot be read: {error.strerror}", "Make it readable, or take it back from version control."
        ) from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise KitError(f"{path}: not TOML: {error}", "Mend the file at that place.") from error


def _inherited(path: Path, document: Mapping[str, Any], by_id: Mapping[str, Any], seen: tuple[str, ...]) -> Any:
    """The ``[spelling]`` table laid over the one of the arm it extends: tables are joined, anything else replaces."""
    own = document.get("spelling", {})
    parent = document.get("arm", {}).get("extends")
    if parent is None:
        return own
    if parent not in by_id:
        raise KitError(f"{path}: arm.extends: there is no arm {parent!r}", "Name a folder that holds an arm.toml.")
    if parent in seen:
        raise KitError(f"{path}: arm.extends: {' extends '.join((*seen, parent))} goes in a circle")
    return _joined(_inherited(path, by_id[parent], by_id, (*seen, parent)), own)


def _joined(base: Any, over: Any) -> Any:
    if not (isinstance(base, dict) and isinstance(over, dict)):
        return over
    return {key: _joined(base[key], over[key]) if key in base and key in over else base.get(key, over.get(key))
            for key in _keys(base, over)}  # fmt: skip


def _keys(*tables: Iterable[str]) -> Iterator[str]:
    yield from dict.fromkeys(key for table in tables for key in table)


def _validated(path: Path, document: dict[str, Any]) -> ArmFile:
    try:
        return ArmFile.model_validate(document)
    except ValidationError as error:
        faults = "\n  ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors(include_url=False))
        raise KitError(f"{path}: is wrong:\n  {faults}", "Mend these keys.") from error
