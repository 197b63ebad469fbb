"""How a WIT documentation comment is read: a brief line, the detail below it, and a function's ``# Arguments`` list.

WIT's JSON form has no place for comments on parameters, so a function's own comment carries them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

ARGUMENTS_HEADING = "# Arguments"
_ENTRY = re.compile(r"^\* `(?P<name>[^`]+)`: ?(?P<text>.*)$")


@dataclass(frozen=True, slots=True)
class Docs:
    """A comment in parts. ``stray`` are lines under the heading that belong to no entry."""

    brief: str = ""
    detail: str = ""
    arguments: tuple[tuple[str, str], ...] = ()
    stray: tuple[str, ...] = ()


def parse_docs(text: str) -> Docs:
    """Split a comment, as WIT's JSON holds it, into brief, detail and argument entries.

    An entry runs to the next entry; its lines are joined by one space.
    """
    lines = text.strip().split("\n")
    brief = lines[0].strip()
    rest = lines[1:]
    if ARGUMENTS_HEADING not in (line.strip() for line in rest):
        return Docs(brief, "\n".join(rest).strip())
    at = next(index for index, line in enumerate(rest) if line.strip() == ARGUMENTS_HEADING)
    entries: list[tuple[str, list[str]]] = []
    stray: list[str] = []
    for line in rest[at + 1 :]:
        if not line.strip():
            continue
        if match := _ENTRY.match(line):
            entries.append((match["name"], [match["text"].strip()]))
        elif entries and line.startswith(" "):
            entries[-1][1].append(line.strip())
        else:
            stray.append(line.strip())
    arguments = tuple((name, " ".join(parts).strip()) for name, parts in entries)
    return Docs(brief, "\n".join(rest[:at]).strip(), arguments, tuple(stray))
