"""The declarations the compiler reads for every program."""

from __future__ import annotations

from pathlib import Path

import pytest
from gg_arm_kit.artifacts import Artifact
from gg_arm_kit.errors import KitError
from gg_arm_kit.kit import Kit
from gg_arm_typescript.build import COMPILER
from gg_arm_typescript.library import merged_library, without_comments


def test_comments_go_and_text_stays() -> None:
    text = "a: \"// no /* comment\"; // one\n/* two\n lines */ b: `x // y`;\n\n  c: '/*';\n"
    assert without_comments(text) == "a: \"// no /* comment\";\nb: `x // y`;\nc: '/*';\n"


def test_each_library_stands_once_and_after_those_it_refers_to(tmp_path: Path) -> None:
    for name, text in {
        "a": '/// <reference lib="b" />\n/// <reference lib="c" />\nA\n',
        "b": '/// <reference lib="c" />\n/// <reference lib="a" />\nB\n',
        "c": "// nothing more\nC\n",
    }.items():
        (tmp_path / f"lib.{name}.d.ts").write_text(text, encoding="utf-8")
    assert merged_library(tmp_path, "a").split() == ["C", "B", "A"]


def test_a_library_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(KitError, match="no library es9999"):
        merged_library(tmp_path, "es9999")


def test_the_compilers_own_library_keeps_every_name(kit: Kit, artifact: Artifact) -> None:
    library = artifact.path("sdk/lib.d.ts").read_text(encoding="utf-8")
    assert library == merged_library(kit.tool(COMPILER).parent)
    for name in ("interface Array<T>", "interface Map<K, V>", "findLast", "toSorted", "type Awaited<T>"):
        assert name in library
    for name in ("interface Document", "setTimeout", "/*", "///"):
        assert name not in library
