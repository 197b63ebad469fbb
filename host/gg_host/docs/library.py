"""The part of an arm's documentation that one agent may see, and how a name in it is found."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass
from functools import cached_property

from gg_host.docs.documentation import Documentation, Function, Module, Type

Entry = Module | Function | Type
_WORD = re.compile(r"\w+")


def key_of(entry: Entry) -> str:
    """The full name an entry is kept under."""
    return entry.path if isinstance(entry, Module) else entry.fqn


def name_of(entry: Entry) -> str:
    """The name of an entry within its module; a module's own id."""
    return entry.id if isinstance(entry, Module) else entry.name


def module_of(entry: Entry) -> str:
    """Id of the module an entry belongs to."""
    return entry.id if isinstance(entry, Module) else entry.module


@dataclass(frozen=True)
class Library:
    """What is permitted of a documentation.

    Parameters:
        documentation: the whole of it.
        permitted: ids of the operations that the agent may call.

    A function is permitted with its operation, a type when a permitted function writes it, at any depth, and a module
    when anything in it is permitted.
    """

    documentation: Documentation
    permitted: Set[str]

    @cached_property
    def functions(self) -> tuple[Function, ...]:
        """Permitted functions, in the order of the documentation."""
        return tuple(one for one in self.documentation.functions if one.operation in self.permitted)

    @cached_property
    def types(self) -> tuple[Type, ...]:
        """Types that permitted functions write, in the order of the documentation."""
        by_name = {type_.fqn: type_ for type_ in self.documentation.types}
        found: set[str] = set()
        wanted = [name for one in self.functions for name in (*one.returns, *one.parameters, *one.throws)]
        while wanted:
            type_ = by_name.get(wanted.pop())
            if type_ is not None and type_.fqn not in found:
                found.add(type_.fqn)
                wanted += self._written_by(type_)
        return tuple(type_ for type_ in self.documentation.types if type_.fqn in found)

    @cached_property
    def modules(self) -> tuple[Module, ...]:
        """Modules with something permitted in them, in the order of the documentation."""
        reached = {one.module for one in self.functions} | {type_.module for type_ in self.types}
        return tuple(module for module in self.documentation.modules if module.id in reached)

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """Modules, then functions, then types."""
        return (*self.modules, *self.functions, *self.types)

    def module(self, module_id: str) -> Module:
        """The module of that id, permitted or not: a page tells the line that imports it."""
        return next(module for module in self.documentation.modules if module.id == module_id)

    def find(self, name: str) -> list[Entry]:
        """The entries that ``name`` means: one, none, or several that share a bare name.

        Full names come first, then names as written after an import line, then bare names of functions, modules and
        types.
        """
        rules: tuple[tuple[Iterable[Entry], Callable[[Entry], str]], ...] = (
            (self.entries, key_of),
            (self.functions, lambda entry: entry.call if isinstance(entry, Function) else ""),
            (self.functions, name_of),
            (self.modules, name_of),
            (self.types, name_of),
        )
        for entries, spelled in rules:
            if found := [entry for entry in entries if spelled(entry) == name]:
                return found
        return []

    def type_named(self, fqn: str) -> Type | None:
        """The permitted type of that full name."""
        return next((type_ for type_ in self.types if type_.fqn == fqn), None)

    def _written_by(self, type_: Type) -> list[str]:
        """Full names of the types that a declaration writes; a word means the type of its own module first."""
        text = " ".join((type_.declaration, *(member.type or "" for member in type_.members)))
        words = set(_WORD.findall(text)) - {type_.name}
        named = [other for other in self.documentation.types if other.name in words]
        local = {other.name for other in named if other.module == type_.module}
        return [other.fqn for other in named if other.module == type_.module or other.name not in local]
