"""The model of a WIT package that templates and checks read: plain frozen dataclasses, made once.

    Catalogue
      modules: Module ── types: TypeDef ── fields: Field | cases: Case
                      └─ functions: Function ── params: Param, result: Type, operation: Operation
      feedback: Module            what a guest tells the machine; its functions are no operations
      exports: Function           what the world's component exports

Names are WIT names in kebab case; an arm's spelling turns them into its own. Nothing here knows what grants an
operation: bindings stay in ``operations.toml``, so no template can write one down.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

TypeKind = Literal[
    "bool", "u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "f32", "f64", "char", "string",
    "list", "option", "named",
]  # fmt: skip
DefinitionKind = Literal["record", "variant", "enum"]


@dataclass(frozen=True, slots=True)
class Type:
    """A type as written in a signature or a field.

    ``item`` is what a list or option holds; ``typedef`` is what a named type names. Aliases are already resolved.
    ``str()`` gives the WIT spelling, with a named type as ``module.name``.
    """

    kind: TypeKind
    item: Type | None = None
    typedef: TypeDef | None = None

    def __str__(self) -> str:
        if self.typedef is not None:
            return f"{self.typedef.module}.{self.typedef.name}"
        return f"{self.kind}<{self.item}>" if self.item is not None else self.kind

    @property
    def named(self) -> Iterator[TypeDef]:
        """The definition this type names at any depth of lists and options; at most one."""
        if self.typedef is not None:
            yield self.typedef
        elif self.item is not None:
            yield from self.item.named


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a record. ``default_empty``: a list that an SDK lets a caller leave out, as the empty list."""

    name: str
    type: Type
    brief: str
    detail: str = ""
    default_empty: bool = False

    @property
    def optional(self) -> bool:
        """Whether a caller may leave the field out."""
        return self.default_empty or self.type.kind == "option"


@dataclass(frozen=True, slots=True)
class Case:
    """A case of a variant (``type`` is None where it carries nothing) or of an enum."""

    name: str
    type: Type | None
    brief: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class TypeDef:
    """A record, variant or enum.

    ``module`` is a module id; ``in_argument`` and ``in_result`` say where operations reach the type.
    """

    name: str
    module: str
    interface: str
    kind: DefinitionKind
    brief: str
    detail: str = ""
    fields: tuple[Field, ...] = ()
    cases: tuple[Case, ...] = ()
    in_argument: bool = False
    in_result: bool = False

    @property
    def used(self) -> bool:
        """Whether any operation reaches the type, so that an SDK must have it."""
        return self.in_argument or self.in_result

    def types(self) -> Iterator[Type]:
        """Every type written inside the definition, in order."""
        yield from (field.type for field in self.fields)
        yield from (case.type for case in self.cases if case.type is not None)


@dataclass(frozen=True, slots=True)
class Operation:
    """A row of the operations table, without what grants it. ``id`` is ``namespace.key``."""

    id: str
    namespace: str
    key: str
    takes_input: bool
    codes: tuple[str, ...]
    dispatches: bool
    deferred: bool


@dataclass(frozen=True, slots=True)
class Param:
    """A parameter of a function; ``doc`` is its entry of the comment's ``# Arguments`` list, or empty."""

    name: str
    type: Type
    doc: str
    default_empty: bool = False

    @property
    def optional(self) -> bool:
        """Whether a caller may leave the argument out."""
        return self.default_empty or self.type.kind == "option"


@dataclass(frozen=True, slots=True)
class Function:
    """A function of an interface or world.

    ``result`` is what it gives on success, None for nothing; ``fallible`` says that it returns ``result<_, failure>``,
    as every operation does. ``arguments`` is the comment's ``# Arguments`` list as written, for checking; templates
    read ``params``.
    """

    name: str
    module: str
    interface: str
    operation: Operation | None
    brief: str
    detail: str
    params: tuple[Param, ...]
    result: Type | None
    fallible: bool
    arguments: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Module:
    """An interface as an SDK offers it: ``id`` is the interface's name, but ``core`` for ``types``."""

    id: str
    interface: str
    brief: str
    detail: str
    types: tuple[TypeDef, ...]
    functions: tuple[Function, ...]


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Everything an SDK is made from. ``modules`` are in the order of the world's imports, ``core`` first."""

    package: str
    world: str
    modules: tuple[Module, ...]
    operations: tuple[Operation, ...]
    feedback: Module | None
    exports: tuple[Function, ...]

    def module(self, module_id: str) -> Module:
        """The module of that id.

        Raises:
            KeyError: there is none.
        """
        for module in self.modules:
            if module.id == module_id:
                return module
        raise KeyError(module_id)

    @property
    def types(self) -> Iterator[TypeDef]:
        """Every definition of every module, in order."""
        for module in self.modules:
            yield from module.types

    @property
    def functions(self) -> Iterator[Function]:
        """Every operation's function, module by module."""
        for module in self.modules:
            yield from module.functions
