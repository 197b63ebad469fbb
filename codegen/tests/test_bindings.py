"""The binding layer is known to be right or wrong also without cargo, and C names meet the generated header."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from gg_arm_kit import source
from gg_codegen.c_names import CNames, c_identifier
from gg_codegen.catalogue import load_catalogue
from gg_codegen.wit_model import Catalogue, Function

GUEST = "arms/javascript/generated/guest.c"


@pytest.fixture
def no_cargo(tmp_path: Path) -> dict[str, str]:
    """An environment without cargo and with an empty cache."""
    return {"PATH": str(tmp_path / "no programs"), "GG_CACHE": str(tmp_path / "empty cache")}


def test_without_cargo_the_committed_text_serves_and_check_says_so(
    tree: Path, command: Any, no_cargo: dict[str, str]
) -> None:
    before = (tree / GUEST).read_bytes()
    done = command(**no_cargo)
    assert done.returncode == 0, done.stderr
    assert (tree / GUEST).read_bytes() == before
    done = command("--check", **no_cargo)
    assert done.returncode == 0
    assert "not checked: arms/javascript/generated/{guest.c,guest.h}: cargo is not installed" in done.stdout
    done = command("--check", **no_cargo, CI="true")
    assert done.returncode == 1
    assert "install cargo" in done.stderr


@pytest.mark.parametrize("damage", ["edited", "gone", "other WIT"])
def test_without_cargo_a_wrong_layer_is_refused(
    tree: Path, command: Any, no_cargo: dict[str, str], damage: str
) -> None:
    if damage == "edited":
        with (tree / GUEST).open("a") as file:
            file.write("// mine\n")
    elif damage == "gone":
        (tree / GUEST).unlink()
    else:
        with (tree / "wit/files.wit").open("a") as file:
            file.write("// a comment\n")
    done = command(**no_cargo)
    assert done.returncode == 2
    assert "guest.c: is missing, stale or edited, and cannot be made: cargo is not installed" in done.stderr
    assert "Install Rust's cargo" in done.stderr


def test_a_damaged_cached_layer_is_made_again(tree: Path, command: Any, tmp_path: Path) -> None:
    kept = Path(os.environ.get("GG_CACHE", ""), "codegen")
    if not (kept / "bindgen").is_dir():
        pytest.skip("the binding generator has not been built on this machine")
    cache = tmp_path / "cache"
    for folder in ("bindings", "bindgen"):
        shutil.copytree(kept / folder, cache / "codegen" / folder, ignore=shutil.ignore_patterns("target"))
    cache.chmod(0o700)
    for path in (cache / "codegen" / "bindings").rglob("guest.c"):
        path.write_text("planted")
    before = (tree / GUEST).read_bytes()
    done = command(GG_CACHE=str(cache))
    assert (done.returncode, done.stdout) == (0, "")
    assert (tree / GUEST).read_bytes() == before


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue(source.wit())


@pytest.fixture(scope="module")
def header() -> str:
    return (source.generated("javascript") / "guest.h").read_text()


def test_every_c_name_is_in_the_generated_header(catalogue: Catalogue, header: str) -> None:
    known = frozenset(re.findall(r"\w+", header))
    wanted = frozenset(_names(catalogue))
    assert len(wanted) > 200
    assert wanted - known == set()


def test_c_functions_take_parameters_of_the_names_expected(catalogue: Catalogue, header: str) -> None:
    names = CNames(catalogue)
    for function in catalogue.functions:
        match = re.search(rf"\b{names.function(function)}\((.*)\);", header)
        assert match is not None
        given = [part.split()[-1].lstrip("*") for part in match[1].split(", ") if part != "void"]
        given = [name.removeprefix("maybe_") for name in given if name not in ("ret", "err")]
        assert given == [c_identifier(param.name) for param in function.params]


def _names(catalogue: Catalogue) -> Iterator[str]:
    names = CNames(catalogue)
    assert catalogue.feedback is not None
    for module in (*catalogue.modules, catalogue.feedback):
        for typedef in module.types:
            yield names.typedef(typedef)
            yield from (names.type(field.type, typedef.interface) for field in typedef.fields)
            yield from (c_identifier(field.name) for field in typedef.fields)
            yield from (names.case(typedef, case) for case in typedef.cases)
        for function in module.functions:
            yield names.function(function)
            yield from _of_function(names, function)
    yield from (names.function(function) for function in catalogue.exports)


def _of_function(names: CNames, function: Function) -> Iterator[str]:
    yield from (names.type(param.type, function.interface) for param in function.params)
    if function.result is not None:
        yield names.type(function.result, function.interface)
