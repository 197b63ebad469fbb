"""Case conversions from the kebab-case names of WIT to the cases languages write names in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from types import MappingProxyType

_SEPARATOR = re.compile(r"[-_]")
NO_ACRONYMS: Mapping[str, str] = MappingProxyType({})


class Case(StrEnum):
    """A way to write a name of several words."""

    CAMEL = "camel"
    PASCAL = "pascal"
    SNAKE = "snake"
    UPPER_SNAKE = "upper-snake"
    KEBAB = "kebab"


@cache
def words(name: str) -> tuple[str, ...]:
    """The lower-case words of a kebab-case or snake_case name.

    Raises:
        ValueError: the name is empty, or two separators stand side by side or at an end.
    """
    parts = tuple(part.lower() for part in _SEPARATOR.split(name))
    if not all(parts):
        raise ValueError(f"`{name}` is not a name: a word of it is empty")
    return parts


def convert(name: str, case: Case, acronyms: Mapping[str, str] = NO_ACRONYMS) -> str:
    """Write a WIT name in another case.

    Parameters:
        name: a name in kebab-case or snake_case.
        case: the case wanted.
        acronyms: the word in lower case, and how a capitalised name spells it (``{"id": "ID"}``); without an entry a
            word is capitalised like any other. Names in snake case and kebab case hold no capitals, so it does not
            touch them.

    Raises:
        ValueError: ``name`` is not a name.
    """
    parts = words(name)
    match case:
        case Case.SNAKE:
            return "_".join(parts)
        case Case.UPPER_SNAKE:
            return "_".join(parts).upper()
        case Case.KEBAB:
            return "-".join(parts)
        case Case.PASCAL:
            return "".join(_capitalised(part, acronyms) for part in parts)
        case Case.CAMEL:
            return parts[0] + "".join(_capitalised(part, acronyms) for part in parts[1:])


def _capitalised(word: str, acronyms: Mapping[str, str]) -> str:
    return acronyms.get(word) or word[:1].upper() + word[1:]
