"""Reads the JSON of a WIT package into the model; refuses by name what an SDK could not offer in every language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, get_args

from gg_arm_kit.errors import KitError

from gg_codegen.wit_docs import Docs, parse_docs
from gg_codegen.wit_model import (
    Case,
    Catalogue,
    DefinitionKind,
    Field,
    Function,
    Module,
    Operation,
    Param,
    Type,
    TypeDef,
    TypeKind,
)

TYPES_INTERFACE = "types"
TYPES_MODULE = "core"
FEEDBACK_INTERFACE = "feedback"
FAILURE = "failure"
_SCALARS = frozenset(get_args(TypeKind)) - {"list", "option", "named"}


class Joined(NamedTuple):
    """What the operations table adds to the WIT: rows by (interface, function) and the lists that default to empty."""

    operations: Mapping[tuple[str, str], Operation]
    empty_by_default: frozenset[str]


def module_id(interface: str) -> str:
    """The module an SDK offers an interface as."""
    return TYPES_MODULE if interface == TYPES_INTERFACE else interface


def read_catalogue(document: dict[str, Any], joined: Joined, world: str = "guest") -> Catalogue:
    """Make the model of ``world`` from what ``wasm-tools component wit --json`` says.

    Raises:
        KitError: no such world, or a construct that not every arm can express; it names where.
    """
    return _Reader(document, joined, world).catalogue()


class _Reader:
    def __init__(self, document: dict[str, Any], joined: Joined, world: str) -> None:
        self._types: list[dict[str, Any]] = document["types"]
        self._interfaces: list[dict[str, Any]] = document["interfaces"]
        self._package: str = document["packages"][-1]["name"]
        self._joined = joined
        worlds = {entry["name"]: entry for entry in document["worlds"]}
        if world not in worlds:
            raise KitError(f"the WIT package has no world {world!r}, only: {', '.join(worlds) or 'none'}")
        self._world: dict[str, Any] = worlds[world]
        self._reached = self._reach()
        self._definitions: dict[int, TypeDef] = {}

    def catalogue(self) -> Catalogue:
        modules = [self._module(self._interfaces[index]) for index in self._imported()]
        shown = [module for module in modules if module.interface != FEEDBACK_INTERFACE]
        shown.sort(key=lambda module: module.interface != TYPES_INTERFACE)  # stable: the rest keep the world's order
        exports = (
            self._function(item["function"], self._world["name"])
            for item in self._world["exports"].values()
            if "function" in item
        )
        return Catalogue(
            package=self._package,
            world=self._world["name"],
            modules=tuple(shown),
            operations=tuple(self._joined.operations.values()),
            feedback=next((module for module in modules if module.interface == FEEDBACK_INTERFACE), None),
            exports=tuple(exports),
        )

    def _imported(self) -> list[int]:
        imports = self._world["imports"].values()
        return [item["interface"]["id"] for item in imports if "interface" in item]

    def _module(self, interface: dict[str, Any]) -> Module:
        name: str = interface["name"]
        docs = _docs(interface)
        definitions = (self._typedef(index, f"{name}.{local}") for local, index in interface["types"].items())
        return Module(
            id=module_id(name),
            interface=name,
            brief=docs.brief,
            detail=docs.detail,
            types=tuple(typedef for typedef in definitions if typedef is not None and typedef.interface == name),
            functions=tuple(self._function(function, name) for function in interface["functions"].values()),
        )

    def _function(self, function: dict[str, Any], interface: str) -> Function:
        name: str = function["name"]
        where = f"{interface}.{name}"
        if function["kind"] != "freestanding":
            raise KitError(f"{where}: methods of resources are not supported", "Write it as a function.")
        docs = _docs(function)
        texts = dict(docs.arguments)
        result, fallible = self._result(function.get("result"), where)
        return Function(
            name=name,
            module=module_id(interface),
            interface=interface,
            operation=self._joined.operations.get((interface, name)),
            brief=docs.brief,
            detail=docs.detail,
            params=tuple(
                Param(
                    name=param["name"],
                    type=self._type(param["type"], f"{where}.{param['name']}"),
                    doc=texts.get(param["name"], ""),
                    default_empty=f"{where}.{param['name']}" in self._joined.empty_by_default,
                )
                for param in function["params"]
            ),
            result=result,
            fallible=fallible,
            arguments=docs.arguments,
        )

    def _result(self, written: int | str | None, where: str) -> tuple[Type | None, bool]:
        if written is None:
            return None, False
        kind = self._kind(written)
        if not (isinstance(kind, dict) and "result" in kind):
            return self._type(written, where), False
        error = None if kind["result"]["err"] is None else self._type(kind["result"]["err"], where)
        if error is None or error.typedef is None or str(error) != f"{TYPES_MODULE}.{FAILURE}":
            raise KitError(
                f"{where}: returns an error of {error}", "The error of every result is `failure` of `types`."
            )
        value = kind["result"]["ok"]
        return (None if value is None else self._type(value, where)), True

    def _kind(self, written: int | str) -> Any:
        """The kind of a type reference, aliases followed."""
        while isinstance(written, int):
            kind = self._types[written]["kind"]
            if not (isinstance(kind, dict) and "type" in kind):
                return kind
            written = kind["type"]
        return written

    def _type(self, written: int | str, where: str) -> Type:
        if isinstance(written, str):
            if written not in _SCALARS:
                raise KitError(f"{where}: the type {written} is not supported")
            return Type(written)  # type: ignore[arg-type]
        kind = self._types[written]["kind"]
        if isinstance(kind, dict):
            if "type" in kind:
                return self._type(kind["type"], where)
            for constructor in ("list", "option"):
                if constructor in kind:
                    return self._container(constructor, kind[constructor], where)
        typedef = self._typedef(written, where)
        if typedef is None:
            raise KitError(f"{where}: an unnamed {_word(kind)} is not supported", "Name it as a record or variant.")
        return Type("named", typedef=typedef)

    def _container(self, constructor: str, item: int | str, where: str) -> Type:
        inner = self._type(item, where)
        if constructor == "list" and inner.kind == "u8":
            raise KitError(f"{where}: list<u8> is not supported", "Bytes do not cross the membrane; pass text.")
        return Type("list" if constructor == "list" else "option", item=inner)

    def _typedef(self, index: int, where: str) -> TypeDef | None:
        """The definition behind a type's index; None for an alias or a type without a name."""
        if index in self._definitions:
            return self._definitions[index]
        entry = self._types[index]
        kind, name = entry["kind"], entry["name"]
        if name is None or (isinstance(kind, dict) and not kind.keys().isdisjoint(("type", "list", "option"))):
            return None
        word = _word(kind)
        if word not in get_args(DefinitionKind):
            said = "flags are" if word == "flags" else f"a {word} is"
            raise KitError(f"{where}: {said} not supported", "Use records, variants, enums, options and lists.")
        interface: str = self._interfaces[entry["owner"]["interface"]]["name"]
        docs = _docs(entry)
        here = f"{interface}.{name}"
        body = kind[word]
        reached = self._reached.get(index, set())
        typedef = TypeDef(
            name=name,
            module=module_id(interface),
            interface=interface,
            kind=word,  # type: ignore[arg-type]
            brief=docs.brief,
            detail=docs.detail,
            fields=tuple(self._field(field, here) for field in body.get("fields", ())),
            cases=tuple(self._case(case, here) for case in body.get("cases", ())),
            in_argument="argument" in reached,
            in_result="result" in reached,
        )
        self._definitions[index] = typedef
        return typedef

    def _field(self, field: dict[str, Any], typedef: str) -> Field:
        docs = _docs(field)
        where = f"{typedef}.{field['name']}"
        empty = where in self._joined.empty_by_default
        return Field(field["name"], self._type(field["type"], where), docs.brief, docs.detail, empty)

    def _case(self, case: dict[str, Any], typedef: str) -> Case:
        docs = _docs(case)
        written = case.get("type")
        value = None if written is None else self._type(written, f"{typedef}.{case['name']}")
        return Case(case["name"], value, docs.brief, docs.detail)

    def _reach(self) -> dict[int, set[str]]:
        """Which definitions operations reach, as arguments and as results (a failure's types are results)."""
        reached: dict[int, set[str]] = {}

        def visit(written: Any, role: str) -> None:
            if isinstance(written, int):
                roles = reached.setdefault(written, set())
                if role not in roles:
                    roles.add(role)
                    visit(self._types[written]["kind"], role)
            elif isinstance(written, dict):
                for key, part in written.items():
                    if key in ("type", "ok", "err", "list", "option", "record", "variant", "result"):
                        visit(part, role)
                    elif key in ("fields", "cases"):
                        for member in part:
                            visit(member.get("type"), role)

        for interface, name in self._joined.operations:
            for entry in self._interfaces:
                if entry["name"] == interface and name in entry["functions"]:
                    function = entry["functions"][name]
                    for param in function["params"]:
                        visit(param["type"], "argument")
                    visit(function.get("result"), "result")
        return reached


def _word(kind: Any) -> str:
    return kind if isinstance(kind, str) else str(next(iter(kind)))


def _docs(entry: dict[str, Any]) -> Docs:
    contents: str = (entry.get("docs") or {}).get("contents") or ""
    return parse_docs(contents)
