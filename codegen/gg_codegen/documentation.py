"""The pydantic model of ``signatures.json``, the documentation catalogue of one arm, schema 1.

It says what a program may write and nothing about what grants it.
"""

from __future__ import annotations

import json
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

SCHEMA: Final = 1


class Entry(BaseModel):
    """A JSON object of the catalogue: frozen, keys in camel case, an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", alias_generator=to_camel, populate_by_name=True)


class TypeName(Entry):
    """A type as a signature writes it, and the unshortened name its own entry is kept under."""

    spelled: str
    fqn: str


class Parameter(Entry):
    """An argument, or a field of one that is a record."""

    name: str
    type: str
    optional: bool
    kind: Literal["positional", "keyword"]
    default: str | None = Field(default=None, description="what an argument that is left out is")
    doc: str
    fields: tuple[Parameter, ...] = ()


class CallSignature(Entry):
    """One way to write the call, as the language's own tool reads it off the SDK."""

    signature: str
    parameters: tuple[Parameter, ...]


class FunctionEntry(Entry):
    """A function that a program can call."""

    operation: str = Field(pattern=r"^[a-z]+\.[a-z0-9_]+$", description="`namespace.key`, the same in every language")
    alias_of: str | None = Field(default=None, description="unshortened name of the function this one stands for")
    module: str = Field(description="id of the module it is in")
    kind: Literal["function", "method"] = "function"
    receiver: str | None = Field(default=None, description="unshortened name of the type a method is called on")
    name: str
    fqn: str = Field(description="unshortened name, which the documentation is keyed by")
    call: str = Field(description="the name as written after the module's import line")
    brief: str
    detail: str = ""
    signatures: tuple[CallSignature, ...] = Field(min_length=1)
    returns: tuple[TypeName, ...] = Field(default=(), description="types the result's type writes")
    types: tuple[TypeName, ...] = Field(default=(), description="types the arguments' types write")
    throws: tuple[TypeName, ...] = Field(default=(), description="failure types of a failed call")


class Member(Entry):
    """A field of a record, or a case of an enum or variant."""

    name: str
    type: str | None = None
    brief: str
    detail: str = ""


class MemberFunction(Entry):
    """A function that is called on a value of the type."""

    fqn: str
    operation: str
    brief: str


class TypeEntry(Entry):
    """A type that a signature writes, at any depth."""

    name: str
    fqn: str
    module: str
    declaration: str
    brief: str
    detail: str = ""
    members: tuple[Member, ...]
    member_functions: tuple[MemberFunction, ...] = ()


class ModuleEntry(Entry):
    """A module of the SDK. ``import`` is the line a program writes to reach it."""

    id: str
    path: str
    brief: str
    detail: str = ""
    import_line: str = Field(alias="import")


class Documentation(Entry):
    """A whole ``signatures.json``."""

    schema_number: Literal[1] = Field(default=SCHEMA, alias="schema")
    language: str = Field(description="the arm's id")
    generated_from: str = Field(description="name of the WIT package")
    modules: tuple[ModuleEntry, ...]
    functions: tuple[FunctionEntry, ...]
    types: tuple[TypeEntry, ...]

    def text(self) -> str:
        """The file's text: the same for the same catalogue, absent values left out, a final newline."""
        return self.model_dump_json(by_alias=True, exclude_none=True, indent=1) + "\n"


def schema_text() -> str:
    """The JSON Schema of ``signatures.json``, as it is committed."""
    schema = Documentation.model_json_schema(by_alias=True)
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
