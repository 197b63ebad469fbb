"""The declarations a program is checked against, without comments: the compiler reads them anew for every program."""

from __future__ import annotations

import re
from pathlib import Path

from gg_arm_kit.errors import KitError

LIBRARY = "es2023"
_REFERENCE = re.compile(r'^///\s*<reference\s+lib="([^"]+)"\s*/>\s*$', re.MULTILINE)
# Text in quotes is matched first, so that what looks like a comment inside it is kept.
_TEXT = r"""("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)"""
_COMMENT_OR_TEXT = re.compile(rf"{_TEXT}|/\*.*?\*/|//[^\n]*", re.DOTALL)


def merged_library(folder: Path, name: str = LIBRARY) -> str:
    """One text of the language's own declarations: ``lib.NAME.d.ts`` and all it refers to, each once, in order.

    Parameters:
        folder: where the compiler keeps its libraries.
        name: the library, as its files refer to it.

    Raises:
        KitError: a file is not there.
    """
    texts: dict[str, str] = {}
    _collect(folder, name, texts)
    return "\n".join(texts.values())


def _collect(folder: Path, name: str, texts: dict[str, str]) -> None:
    if name in texts:
        return
    path = folder / f"lib.{name}.d.ts"
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise KitError(f"the compiler has no library {name}: {path.name}: {error.strerror}") from error
    texts[name] = ""  # holds its place: a library that refers to another comes after it
    for referred in _REFERENCE.findall(text):
        _collect(folder, referred, texts)
    del texts[name]
    texts[name] = without_comments(text)


def without_comments(text: str) -> str:
    """Declarations without comments, blank lines and indentation."""
    plain = _COMMENT_OR_TEXT.sub(lambda found: found[1] or "", text)
    return "".join(f"{line.strip()}\n" for line in plain.split("\n") if line.strip())
