"""The host's generated modules hold every definition and operation, as Python reads them."""

from __future__ import annotations

import dataclasses
import inspect
import json
import shutil
import subprocess
import sys
import typing
from enum import StrEnum
from pathlib import Path

import pytest
from gg_arm_kit import source
from gg_arm_kit.errors import KitError
from gg_codegen.catalogue import load_catalogue
from gg_codegen.formatting import format_python
from gg_codegen.host_outputs import host_outputs
from gg_codegen.wit_model import Catalogue
from gg_host.generated import operations, types

PACKAGE = Path(__file__).parent / "package"


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue(source.wit())


def test_every_operation_is_in_the_table_in_order_with_its_parameters(catalogue: Catalogue) -> None:
    assert len(operations.OPERATIONS) == len(catalogue.operations) >= 51
    for row, function in zip(operations.OPERATIONS, catalogue.functions, strict=True):
        assert function.operation is not None
        assert (row.id, row.interface, row.function) == (function.operation.id, function.interface, function.name)
        assert [name.rstrip("_") for name, _ in row.params] == [p.name.replace("-", "_") for p in function.params]
        assert row.fallible
    assert catalogue.feedback is not None
    assert [row.function for row in operations.FEEDBACK] == [f.name for f in catalogue.feedback.functions]
    assert [row.function for row in operations.EXPORTS] == [f.name for f in catalogue.exports]


def test_every_operation_is_a_method_of_its_protocol_with_the_table_s_hints() -> None:
    for row in operations.OPERATIONS:
        protocol = getattr(operations, row.interface.capitalize())
        method = getattr(protocol, row.method)
        hints = typing.get_type_hints(method, {**vars(operations), "Call": object}, include_extras=True)
        assert list(inspect.signature(method).parameters) == ["self", "call", *(name for name, _ in row.params)]
        assert {name: hints[name] for name, _ in row.params} == dict(row.params)
        assert hints["return"] == (type(None) if row.result is None else row.result)
        assert inspect.getdoc(method)


def test_every_definition_is_a_class_of_its_kind(catalogue: Catalogue) -> None:
    assert catalogue.feedback is not None
    for typedef in (*catalogue.types, *catalogue.feedback.types):
        name = "".join(word.capitalize() for word in typedef.name.split("-"))
        made = getattr(types, name)
        if typedef.kind == "enum":
            assert issubclass(made, StrEnum)
            assert [member.value for member in made] == [case.name for case in typedef.cases]
        elif typedef.kind == "record":
            fields = [field.name.rstrip("_") for field in dataclasses.fields(made)]
            assert fields == [field.name.replace("-", "_") for field in typedef.fields]
            assert typing.get_type_hints(made, include_extras=True).keys() >= {f.name for f in dataclasses.fields(made)}
        else:
            holds = [[field.name for field in dataclasses.fields(case)] for case in typing.get_args(made)]
            assert holds == [[] if case.type is None else ["value"] for case in typedef.cases]


def test_values_are_frozen_and_have_no_dictionary() -> None:
    match = types.SearchMatch(path="a", line=1, text="b")
    with pytest.raises(dataclasses.FrozenInstanceError):
        match.line = 2  # type: ignore[misc]
    assert not hasattr(match, "__dict__")


def test_every_wit_construct_becomes_python_that_imports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GG_CACHE", str(tmp_path / "cache"))
    wit = shutil.copytree(PACKAGE, tmp_path / "wit")
    text = (wit / "store.wit").read_text()
    text = text.replace(
        "notes: option<list<option<string>>>", "notes: option<option<string>>, %from: u8, %type: string"
    )
    (wit / "store.wit").write_text(text)
    host = tmp_path / "python" / "gg_host"
    for path, content in format_python(host_outputs(load_catalogue(wit), source.root())).items():
        place = tmp_path / "python" / path.removeprefix("host/")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(content)
    (host / "__init__.py").touch()
    shutil.copy(source.root() / "host/gg_host/values.py", host)
    program = (
        "import dataclasses, json, typing, gg_host.generated.types as t, gg_host.generated.operations as o\n"
        "hints = typing.get_type_hints(t.Entry, include_extras=True)\n"
        "print(json.dumps([[f.name for f in dataclasses.fields(t.Entry)], str(hints['notes']), str(hints['from_']),"
        " [r.id for r in o.OPERATIONS], str(typing.get_type_hints(t.Scalars, include_extras=True)['letter'])]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONPATH": str(tmp_path / "python")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    fields, notes, from_hint, ids, letter = json.loads(done.stdout)
    assert fields == ["name", "values", "links", "notes", "from_", "type"]
    assert "Some" in notes
    assert from_hint == "typing.Annotated[int, 'u8']"
    assert letter == "typing.Annotated[str, 'char']"
    assert ids == ["store.find", "store.keep_entry", "store.clear"]


def test_two_definitions_of_one_class_name_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GG_CACHE", str(tmp_path / "cache"))
    wit = shutil.copytree(PACKAGE, tmp_path / "wit")
    text = (wit / "store.wit").read_text()
    (wit / "store.wit").write_text(
        text.replace("    /// One kept value.", "    enum text-edit-keep { a }\n    /// One kept value.")
    )
    with pytest.raises(
        KitError, match=r"types\.text-edit\.keep and store\.text-edit-keep: both would be the host's class"
    ):
        host_outputs(load_catalogue(wit), source.root())
