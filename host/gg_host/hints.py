"""What the Python hint of a WIT type names: the classes a value of that type is made of."""

from __future__ import annotations

import dataclasses
import enum
import types
import typing
from collections.abc import Sequence
from typing import Any

from wasmtime import component as wit

from gg_host.values import Some

_NOTHING = type(None)


class HintMismatchError(Exception):
    """A Python hint does not describe the WIT type it stands for: the generated types and the component disagree."""


def shape(kind: Any) -> str:
    """A WIT type as text, equal for equal types. Every read of a type makes new objects, so identity tells nothing."""
    if isinstance(kind, wit.ListType):
        return f"list<{shape(kind.element)}>"
    if isinstance(kind, wit.RecordType):
        return "record{" + ", ".join(f"{word}: {shape(field)}" for word, field in kind.fields) + "}"
    if isinstance(kind, wit.EnumType):
        return f"enum{{{', '.join(kind.names)}}}"
    if isinstance(kind, wit.OptionType):
        return f"option<{shape(kind.payload)}>"
    if isinstance(kind, wit.VariantType):
        cases = (f"{word}({shape(payload)})" if payload is not None else word for word, payload in kind.cases)
        return "variant{" + ", ".join(cases) + "}"
    return type(kind).__name__.lower()


def plain_hint(hint: object) -> object:
    """The hint without ``Annotated`` and without a type alias around it."""
    while typing.get_origin(hint) is typing.Annotated:
        hint = typing.get_args(hint)[0]
    return hint


def _members(hint: object) -> tuple[object, ...]:
    hint = plain_hint(hint)
    return typing.get_args(hint) if typing.get_origin(hint) in (typing.Union, types.UnionType) else (hint,)


def some_hint(kind: Any, hint: object, label: str) -> object:
    """The hint of an option's payload: the union without ``None``, which stays for a payload that is an option too."""
    members = _members(hint)
    if _NOTHING not in members:
        raise HintMismatchError(f"{label}: the WIT type is an option and the Python hint {hint} has no None")
    if isinstance(kind.payload, wit.OptionType):
        return hint
    rest = tuple(member for member in members if member not in (_NOTHING, Some))
    return typing.Union[rest] if rest else object  # noqa: UP007  a scalar inside ``Some`` needs no hint


def item_hint(hint: object, label: str) -> object:
    """The hint of a list's items."""
    hint = plain_hint(hint)
    if typing.get_origin(hint) not in (list, Sequence) or len(typing.get_args(hint)) != 1:
        raise HintMismatchError(f"{label}: the WIT type is a list and the Python hint is {hint}")
    return typing.get_args(hint)[0]


def snake(word: str) -> str:
    """``first-line`` as Python writes it."""
    return word.replace("-", "_")


def record_fields(kind: Any, hint: object, label: str) -> tuple[type, list[tuple[str, str, Any, object]]]:
    """The dataclass of a record and, for each field: WIT name, attribute, WIT type, hint."""
    cls = plain_hint(hint)
    if not isinstance(cls, type) or not dataclasses.is_dataclass(cls):
        raise HintMismatchError(f"{label}: the WIT type is a record and the Python hint {hint} is no dataclass")
    hints = typing.get_type_hints(cls, include_extras=True)
    attributes = [field.name for field in dataclasses.fields(cls)]
    words = [word for word, _ in kind.fields]
    if [attribute.rstrip("_") for attribute in attributes] != [snake(word) for word in words]:
        raise HintMismatchError(f"{label}: the record has the fields {words} and {cls.__name__} has {attributes}")
    return cls, [
        (word, attribute, field, hints[attribute])
        for (word, field), attribute in zip(kind.fields, attributes, strict=True)
    ]


def enum_members(kind: Any, hint: object, label: str) -> dict[str, enum.Enum]:
    """The member of a string enum for each WIT word."""
    cls = plain_hint(hint)
    if not isinstance(cls, type) or not issubclass(cls, enum.Enum):
        raise HintMismatchError(f"{label}: the WIT type is an enum and the Python hint {hint} is not")
    members = {str(member.value): member for member in cls}
    if set(members) != set(kind.names):
        raise HintMismatchError(
            f"{label}: the enum has the words {list(kind.names)} and {cls.__name__} has {list(members)}"
        )
    return {word: members[word] for word in kind.names}


def variant_cases(kind: Any, hint: object, label: str) -> list[tuple[str, type, Any, object]]:
    """For each case of a variant: WIT name, dataclass, WIT type of the payload or None, its hint."""
    classes = {member.__name__.lower(): member for member in _members(hint) if isinstance(member, type)}
    cases: list[tuple[str, type, Any, object]] = []
    for word, payload in kind.cases:
        ending = word.replace("-", "")
        found = [cls for name, cls in classes.items() if name.endswith(ending)]
        if len(found) != 1:
            raise HintMismatchError(f"{label}: the case {word} has no class of its own in {hint}")
        (cls,) = found
        if not dataclasses.is_dataclass(cls) or len(dataclasses.fields(cls)) != (payload is not None):
            raise HintMismatchError(f"{label}: {cls.__name__} does not hold what the case {word} holds")
        hints = typing.get_type_hints(cls, include_extras=True)
        payload_hint = hints[dataclasses.fields(cls)[0].name] if payload is not None else None
        cases.append((word, cls, payload, payload_hint))
    if len({cls for _, cls, _, _ in cases}) != len(classes):
        raise HintMismatchError(f"{label}: the variant has {len(cases)} cases and {hint} has {len(classes)} classes")
    return cases
