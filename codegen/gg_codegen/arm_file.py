"""The pydantic model of an arm's ``arm.toml``: its facts, its spelling and what is generated for it.

Text with places to fill is a *format*: ``$name`` or ``${name}`` stands for a value, ``$$`` for a dollar sign, and a
format that asks for a value it is not given is refused when the file is read.
"""

from __future__ import annotations

import builtins
from string import Template
from typing import Annotated, Literal

from gg_arm_kit.facts import ArmFacts
from pydantic import BaseModel, ConfigDict, Field, PlainValidator

from gg_codegen.naming import Case

NameKind = Literal["module", "function", "parameter", "field", "type", "enum-case", "variant-case"]
OptionalStyle = Literal["options-object", "keyword", "default", "overloads", "struct"]


def places(*names: str) -> PlainValidator:
    """Validates a format that may use the values of ``names``, and makes it a template."""

    def validated(text: object) -> Template:
        if not isinstance(text, str):
            raise ValueError(f"{text!r} is not text")  # noqa: TRY004, RUF100 -- pydantic reads ValueError only
        template = Template(text)
        if not template.is_valid():
            raise ValueError(f"`{text}` has a `$` that starts no name; write `$$` for a dollar sign")
        if unknown := [name for name in template.get_identifiers() if name not in names]:
            allowed = ", ".join(f"${name}" for name in names)
            raise ValueError(f"`{text}` uses ${unknown[0]}; a format here may use {allowed}")
        return template

    return PlainValidator(validated)


class Table(BaseModel):
    """A table of the file: frozen, keys in kebab case, an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", alias_generator=lambda name: name.replace("_", "-"))


class Cases(Table):
    """The case each kind of name is written in."""

    module: Case
    function: Case
    parameter: Case
    field: Case
    type: Case
    enum_case: Case
    variant_case: Case
    exceptions: dict[str, Case] = Field(
        default_factory=dict, description="by `module.type-name`: the case of that type's own cases"
    )


class Words(Table):
    """Words that a name may not be, each list for the kinds of name it concerns."""

    reserved: tuple[str, ...] = Field(
        description="reserved words of the language as pinned; escaped wherever a name meets one"
    )
    next_edition: tuple[str, ...] = Field(default=(), description="words the next edition reserves; escaped likewise")
    unreserved: tuple[NameKind, ...] = Field(default=(), description="kinds of name that may be a reserved word here")
    standard: dict[NameKind, tuple[str, ...]] = Field(
        default_factory=dict, description="names a program expects to mean the language's own; a clash needs a rename"
    )
    generated_locals: tuple[str, ...] = Field(
        default=(), description="names generated function bodies use, so that no parameter may have them"
    )


class Renames(Table):
    """Names the arm writes its own way; a value is the final spelling. Keys are WIT names."""

    modules: dict[str, str] = Field(default_factory=dict, description="by module id")
    functions: dict[str, str] = Field(default_factory=dict, description="by operation id")
    types: dict[str, str] = Field(default_factory=dict, description="by `module.type-name`")
    parameters: dict[str, str] = Field(default_factory=dict, description="by parameter name")
    fields: dict[str, str] = Field(default_factory=dict, description="by field name")
    cases: dict[str, str] = Field(default_factory=dict, description="by case name")


class Types(Table):
    """How types are written. ``argument-`` forms are for what a program gives; without one the plain form serves."""

    bool: str
    u8: str
    u16: str
    u32: str
    u64: str
    s8: str
    s16: str
    s32: str
    s64: str
    f32: str
    f64: str
    char: str
    string: str
    argument_string: str | None = None
    list: Annotated[Template, places("item")]
    argument_list: Annotated[Template, places("item")] | None = None
    group: Annotated[Template, places("item")] | None = Field(
        default=None, description="sets an item of several words apart inside a list"
    )
    option: Annotated[Template, places("item")]
    argument_option: Annotated[Template, places("item")] | None = None
    named: Annotated[Template, places("type", "module", "id")]
    named_elsewhere: Annotated[Template, places("type", "module", "id")]
    nothing: str = Field(description="the result of a function that gives nothing")
    result: Annotated[Template, places("item")] | None = Field(
        default=None, description="how a signature wraps the type a call gives"
    )
    boxed: dict[str, str] = Field(default_factory=dict, description="types written otherwise inside a list or option")
    argument_fields: builtins.bool = Field(
        default=True, description="whether fields of what a program gives take the `argument-` forms"
    )


class Default(Table):
    """The text a signature shows for what a caller left out."""

    option: str
    list: str


class Patch(Table):
    """A three-way change (keep, clear, set) that the arm writes with its own values instead of a type of its own.

    ``type`` is how the parameter or field is typed, ``default`` what stands for `keep`.
    """

    type: str
    default: str
    own_type: bool = Field(default=False, description="whether the SDK still declares the type")


class Signature(Table):
    """How a call is written in the documentation catalogue; what is confirmed against the language's own tool."""

    function: Annotated[Template, places("name", "parameters", "result")]
    without_parameters: Annotated[Template, places("name", "result")] | None = None
    separator: str = ", "
    required: Annotated[Template, places("name", "type")]
    optional: Annotated[Template, places("name", "type", "item", "default")]
    keyword_marker: str = Field(default="", description="stands before the first keyword-only parameter")
    options: Annotated[Template, places("options", "function")] | None = Field(
        default=None, description="the one parameter that groups the optional ones"
    )
    options_name: str = "options"
    options_type: Annotated[Template, places("options", "function")] | None = None
    option: Annotated[Template, places("name", "type", "item", "default")] | None = None
    option_separator: str = ", "
    explode_single_record: bool = Field(
        default=False, description="an operation whose one argument is a record takes the record's fields instead"
    )


class Declaration(Table):
    """How a type's declaration is written in the documentation catalogue."""

    record: Annotated[Template, places("name", "members")]
    field: Annotated[Template, places("name", "type")]
    optional_field: Annotated[Template, places("name", "type", "item", "default")]
    field_separator: str
    enum: Annotated[Template, places("name", "members")]
    enum_case: Annotated[Template, places("case", "word")]
    enum_separator: str
    variant: Annotated[Template, places("name", "members")]
    variant_case: Annotated[Template, places("name", "case", "type", "class")]
    variant_case_record: Annotated[Template, places("name", "case", "type", "class", "members")] | None = None
    variant_case_bare: Annotated[Template, places("name", "case", "class")]
    variant_separator: str
    discriminant: str | None = Field(
        default=None, description="name beside which the fields of a case's record stand, so that none may have it"
    )
    variant_class: Annotated[Template, places("class", "type")] | None = Field(
        default=None, description="declaration of a case's own class, where cases are classes; stands above the variant"
    )
    variant_class_bare: Annotated[Template, places("class")] | None = None
    case_class: Annotated[Template, places("type", "case")] | None = Field(
        default=None, description="name of the class of a variant's case, where cases are classes"
    )
    members_differ_from_type: bool = Field(
        default=False, description="whether the language forbids a member with the name of its own type"
    )
    record_is_case: bool = Field(default=False, description="a case whose payload is a record is that record's class")


class Spelling(Table):
    """How a language spells the SDK."""

    fqn: Annotated[Template, places("id", "module", "function")]
    type_fqn: Annotated[Template, places("id", "module", "type")]
    call: Annotated[Template, places("id", "module", "function")]
    module_path: Annotated[Template, places("id", "module")]
    import_line: Annotated[Template, places("id", "module")]
    core_import_line: Annotated[Template, places("id", "module")] | None = None
    escape: Annotated[Template, places("name")] = Field(description="how a name that is a reserved word is written")
    failure: str = Field(description="unshortened name of the failure type every failed call raises or returns")
    optional_arguments: OptionalStyle
    struct_from: int = Field(
        default=1, ge=1, description="number of optional arguments from which they share one group"
    )
    case_scope: Literal["type", "module"] = Field(
        default="type", description="where the cases of enums and variants must be distinct"
    )
    acronyms: dict[str, str] = Field(default_factory=dict)
    case: Cases
    words: Words
    renames: Renames = Renames()
    types: Types
    default: Default
    patch: dict[str, Patch] = Field(default_factory=dict, description="by `module.type-name`")
    signature: Signature
    declaration: Declaration


class Output(Table):
    """A file that ``generate`` writes for the arm; ``path`` lies in ``generated/`` and may use a module's name."""

    template: str
    path: Annotated[Template, places("module", "id")]
    per: Literal["catalogue", "module"] = "catalogue"


class Exemption(Table):
    """A complaint of a check that is accepted for this arm. One that accepts nothing is a complaint itself."""

    check: str
    row: str
    reason: str


class ArmFile(Table):
    """A whole ``arm.toml``."""

    bindings: Literal["c"] | None = Field(default=None, description="the binding layer taken from wit-bindgen")
    signatures: bool = Field(
        default=False, description="whether signatures.json is written; an arm that can be built needs it"
    )
    arm: ArmFacts
    spelling: Spelling
    output: tuple[Output, ...] = ()
    exemption: tuple[Exemption, ...] = ()
