"""Comparing names without regard to qualifiers, case and separators, and suggesting names that are near."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import IntEnum

MOST_SUGGESTIONS = 3
_QUALIFIER = re.compile(r"^.*(?:\.|::|:|/)(?=.)", re.DOTALL)


def fold(name: str) -> str:
    """``name`` without its qualifier, its case and everything but letters and digits."""
    return "".join(letter for letter in _QUALIFIER.sub("", name).casefold() if letter.isalnum())


class _Nearness(IntEnum):
    EQUAL = 0
    PREFIX = 1
    CONTAINMENT = 2
    DISTANCE = 3


def suggestions(wanted: str, names: Iterable[str]) -> list[str]:
    """The names nearest to ``wanted``: at most three, all of the best kind of nearness; none when nothing is near.

    Kinds, best first: equal when folded, one the beginning of the other, one within the other, few edits apart. Among
    them the shorter name comes first, then the alphabet decides.
    """
    folded = fold(wanted)
    near = [(kind, name) for name in dict.fromkeys(names) if (kind := _nearness(folded, fold(name))) is not None]
    if not near:
        return []
    best = min(kind for kind, _ in near)
    return sorted((name for kind, name in near if kind is best), key=lambda name: (len(name), name))[:MOST_SUGGESTIONS]


def did_you_mean(names: list[str]) -> str:
    """The second line of a failed look-up: indented, each name in backquotes; empty without names."""
    if not names:
        return ""
    quoted = [f"`{name}`" for name in names]
    last = f" or {quoted[-1]}" if len(quoted) > 1 else ""
    return f"\n  Did you mean {', '.join(quoted[:-1] if last else quoted)}{last}?"


def _nearness(wanted: str, name: str) -> _Nearness | None:
    if not wanted or not name:
        return None
    if wanted == name:
        return _Nearness.EQUAL
    if name.startswith(wanted) or wanted.startswith(name):
        return _Nearness.PREFIX
    if wanted in name or name in wanted:
        return _Nearness.CONTAINMENT
    shorter = min(len(wanted), len(name))
    most = 0 if shorter <= 2 else 1 if shorter <= 4 else 2
    return _Nearness.DISTANCE if most and _distance(wanted, name, most) <= most else None


def _distance(first: str, second: str, most: int) -> int:
    """How many letters must be added, removed or replaced (Levenshtein); any number above ``most`` when it is more."""
    if abs(len(first) - len(second)) > most:
        return most + 1
    row = list(range(len(second) + 1))
    for position, letter in enumerate(first, start=1):
        previous, row[0] = row[0], position
        for column, other in enumerate(second, start=1):
            previous, row[column] = row[column], min(row[column] + 1, row[column - 1] + 1, previous + (letter != other))
    return row[-1]
