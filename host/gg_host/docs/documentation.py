"""An arm's documentation catalogue, ``signatures.json`` schema 1, as frozen records."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gg_arm_kit.errors import KitError

SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Parameter:
    """An argument, or a field of one that is a record. ``default`` is None where there is none."""

    name: str
    type: str
    optional: bool
    by_name: bool
    default: str | None
    doc: str
    fields: tuple[Parameter, ...]


@dataclass(frozen=True, slots=True)
class Signature:
    """One way to write a call."""

    text: str
    parameters: tuple[Parameter, ...]


@dataclass(frozen=True, slots=True)
class Module:
    """A module of the SDK: gg's own id, its path in the language, and the line that imports it."""

    id: str
    path: str
    brief: str
    detail: str
    import_line: str


@dataclass(frozen=True, slots=True)
class Function:
    """A function. ``returns``, ``parameters`` and ``throws`` are full names of the types its signatures write."""

    operation: str
    module: str
    name: str
    fqn: str
    call: str
    brief: str
    detail: str
    signatures: tuple[Signature, ...]
    returns: tuple[str, ...]
    parameters: tuple[str, ...]
    throws: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Member:
    """A field of a record, or a case of an enum or variant. ``type`` is None for a case that holds nothing."""

    name: str
    type: str | None
    brief: str
    detail: str


@dataclass(frozen=True, slots=True)
class MemberFunction:
    """A function called on a value of a type."""

    fqn: str
    operation: str
    brief: str


@dataclass(frozen=True, slots=True)
class Type:
    """A type that a signature writes."""

    name: str
    fqn: str
    module: str
    declaration: str
    brief: str
    detail: str
    members: tuple[Member, ...]
    functions: tuple[MemberFunction, ...]


@dataclass(frozen=True, slots=True)
class Documentation:
    """Everything an arm's SDK declares, in the order in which it is shown."""

    language: str
    modules: tuple[Module, ...]
    functions: tuple[Function, ...]
    types: tuple[Type, ...]


def load_documentation(signatures: Path) -> Documentation:
    """Read ``signatures.json``; kept until the file changes.

    Raises:
        KitError: the file cannot be read, has another schema, or is damaged.
    """
    try:
        status = signatures.stat()
    except OSError as error:
        raise KitError(f"{signatures} cannot be read: {error.strerror}", "Build the arm again.") from error
    return _load(signatures, status.st_mtime_ns, status.st_size)


@functools.lru_cache(maxsize=32)
def _load(signatures: Path, _modified: int, _size: int) -> Documentation:
    try:
        data = json.loads(signatures.read_text(encoding="utf-8"))
        schema = data["schema"]
        if schema == SCHEMA:
            return _documentation(data)
    except OSError as error:
        raise KitError(f"{signatures} cannot be read: {error.strerror}", "Build the arm again.") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        reason = f"it lacks {error}" if isinstance(error, KeyError) else str(error)
        raise KitError(f"{signatures} is no documentation catalogue: {reason}", "Build the arm again.") from error
    raise KitError(
        f"{signatures} has schema {schema!r}, and this host reads schema {SCHEMA}", "Use an artifact of this version."
    )


def _documentation(data: Mapping[str, Any]) -> Documentation:
    return Documentation(
        language=data["language"],
        modules=tuple(
            Module(entry["id"], entry["path"], entry["brief"], entry.get("detail", ""), entry["import"])
            for entry in data["modules"]
        ),
        functions=tuple(_function(entry) for entry in data["functions"] if entry.get("aliasOf") is None),
        types=tuple(_type(entry) for entry in data["types"]),
    )


def _function(entry: Mapping[str, Any]) -> Function:
    return Function(
        operation=entry["operation"],
        module=entry["module"],
        name=entry["name"],
        fqn=entry["fqn"],
        call=entry.get("call") or entry["fqn"],
        brief=entry["brief"],
        detail=entry.get("detail", ""),
        signatures=tuple(
            Signature(one["signature"], tuple(_parameter(each) for each in one["parameters"]))
            for one in entry["signatures"]
        ),
        returns=_full_names(entry, "returns"),
        parameters=_full_names(entry, "types"),
        throws=_full_names(entry, "throws"),
    )


def _parameter(entry: Mapping[str, Any]) -> Parameter:
    return Parameter(
        name=entry["name"],
        type=entry["type"],
        optional=entry["optional"],
        by_name=entry["kind"] == "keyword",
        default=entry.get("default"),
        doc=entry["doc"],
        fields=tuple(_parameter(field) for field in entry.get("fields", ())),
    )


def _full_names(entry: Mapping[str, Any], key: str) -> tuple[str, ...]:
    return tuple(name["fqn"] for name in entry.get(key, ()))


def _type(entry: Mapping[str, Any]) -> Type:
    return Type(
        name=entry["name"],
        fqn=entry["fqn"],
        module=entry["module"],
        declaration=entry["declaration"],
        brief=entry["brief"],
        detail=entry.get("detail", ""),
        members=tuple(
            Member(member["name"], member.get("type"), member["brief"], member.get("detail", ""))
            for member in entry["members"]
        ),
        functions=tuple(
            MemberFunction(function["fqn"], function["operation"], function["brief"])
            for function in entry.get("memberFunctions", ())
        ),
    )
