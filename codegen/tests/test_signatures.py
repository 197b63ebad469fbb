"""The documentation catalogue says for every arm what a program may write, in the arm's own spelling."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from pathlib import Path

import pytest
from gg_arm_kit import source
from gg_codegen.catalogue import load_catalogue
from gg_codegen.documentation import Documentation, FunctionEntry, Parameter, TypeEntry
from gg_codegen.prose import CODE_SPAN, OPERATION_ID
from gg_codegen.signatures import documentation, schema_text
from gg_codegen.spelling import load_arms
from gg_codegen.wit_model import Catalogue
from pydantic import ValidationError

FIXTURE = Path(__file__).parent / "package"
ARMS = [arm.id for arm in load_arms(source.arms())]


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue(source.wit())


@pytest.fixture(scope="module")
def documents(catalogue: Catalogue) -> dict[str, Documentation]:
    return {arm.id: documentation(catalogue, arm) for arm in load_arms(source.arms())}


@pytest.fixture(scope="module")
def fixture_documents() -> dict[str, Documentation]:
    """Of the small package that has every construct."""
    catalogue = load_catalogue(FIXTURE)
    return {arm.id: documentation(catalogue, arm) for arm in load_arms(source.arms())}


def function(document: Documentation, operation: str) -> FunctionEntry:
    return next(one for one in document.functions if one.operation == operation)


def type_entry(document: Documentation, fqn: str) -> TypeEntry:
    return next(one for one in document.types if one.fqn == fqn)


@pytest.mark.parametrize("arm", ARMS)
def test_every_operation_has_one_entry(documents: dict[str, Documentation], catalogue: Catalogue, arm: str) -> None:
    operations = [one.operation for one in documents[arm].functions]
    assert sorted(operations) == sorted(operation.id for operation in catalogue.operations)
    assert len({one.fqn for one in documents[arm].functions}) == len(operations)


@pytest.mark.parametrize("arm", ARMS)
def test_the_text_reads_back_and_is_the_same_twice(
    documents: dict[str, Documentation], catalogue: Catalogue, arm: str
) -> None:
    text = documents[arm].text()
    assert Documentation.model_validate_json(text) == documents[arm]
    spelling = next(one for one in load_arms(source.arms()) if one.id == arm)
    assert documentation(catalogue, spelling).text() == text
    assert json.loads(text)["schema"] == 1


def test_another_schema_and_an_unknown_key_are_refused(documents: dict[str, Documentation]) -> None:
    values = json.loads(documents["python"].text())
    with pytest.raises(ValidationError, match="schema"):
        Documentation.model_validate({**values, "schema": 2})
    with pytest.raises(ValidationError, match="gate"):
        Documentation.model_validate({**values, "gate": "x"})


@pytest.mark.parametrize("arm", ARMS)
def test_no_capability_is_written_anywhere(arm: str, tmp_path: Path) -> None:
    """Renaming every capability changes no byte."""
    for path in source.wit().iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    table = tmp_path / "operations.toml"
    renamed = re.sub(r'capability = "([a-z-]+)"', r'capability = "zz-\1-zz"', table.read_text())
    assert renamed != table.read_text()
    before = documentation(load_catalogue(tmp_path), next(one for one in load_arms(source.arms()) if one.id == arm))
    table.write_text(renamed)
    after = documentation(load_catalogue(tmp_path), next(one for one in load_arms(source.arms()) if one.id == arm))
    assert before.text() == after.text()
    assert "zz-" not in after.text()


def test_no_field_of_the_schema_tells_what_grants_a_call() -> None:
    keys = set(re.findall(r'"([a-zA-Z]+)": \{', schema_text()))
    assert not keys & {"capability", "binding", "gate", "ending", "granted", "requires"}
    assert "operation" in keys


def test_the_committed_schema_is_the_models() -> None:
    assert (source.root() / "codegen" / "signatures.schema.json").read_text() == schema_text()


@pytest.mark.parametrize("arm", ARMS)
def test_prose_names_calls_as_the_arm_spells_them(documents: dict[str, Documentation], arm: str) -> None:
    """No operation id is left in prose, but where it is the arm's own spelling too."""
    document = documents[arm]
    identities = {one.operation for one in document.functions}
    assert any(one.fqn in part for one in document.functions for part in spans_of(document))
    left = {span for span in spans_of(document) if OPERATION_ID.match(span)} & identities
    assert not left


def spans_of(document: Documentation) -> list[str]:
    texts = [text for one in document.functions for text in (one.brief, one.detail)]
    texts += [text for one in document.modules for text in (one.brief, one.detail)]
    texts += [text for one in document.types for text in (one.brief, one.detail)]
    return [span[1] for text in texts for span in CODE_SPAN.finditer(text)]


@pytest.mark.parametrize("arm", ARMS)
def test_every_named_type_has_an_entry(documents: dict[str, Documentation], arm: str) -> None:
    document = documents[arm]
    entries = {one.fqn for one in document.types}
    for one in document.functions:
        assert {name.fqn for name in (*one.returns, *one.types)} <= entries, one.fqn
        assert [name.fqn for name in one.throws] != []
        assert not {name.fqn for name in one.throws} & entries


@pytest.mark.parametrize("arm", ARMS)
def test_every_argument_and_field_is_documented(documents: dict[str, Documentation], arm: str) -> None:
    def undocumented(parameters: tuple[Parameter, ...]) -> list[str]:
        return [one.name for one in parameters if not one.doc] + [
            name for one in parameters for name in undocumented(one.fields)
        ]

    for one in documents[arm].functions:
        for signature in one.signatures:
            assert undocumented(signature.parameters) == [], one.fqn


@pytest.mark.parametrize(
    ("arm", "operation", "expected"),
    [
        ("typescript", "files.read_file",
         "readFile(path: string, options?: { offset?: number; limit?: number }): FileRead"),
        ("typescript", "views.current", "current(): OpenView[]"),
        ("typescript", "tasks.set_blocked_by", "setBlockedBy(id: string, blockedBy: readonly string[]): void"),
        ("python", "files.read_file",
         "read_file(path: str, *, offset: int | None = None, limit: int | None = None) -> FileRead"),
        ("python", "tasks.add_task", "add_task(id: str, title: str, *, description: str | None = None,"
         " blocked_by: Sequence[str] = ()) -> TaskUsage"),
        ("ruby", "files.search", "search(query, path: nil, limit: nil) -> Array[SearchMatch]"),
        ("purescript", "programs.history", "history :: Effect (Array ProgramEntry)"),
        ("rust", "shell.shell", "fn run(command: &str, timeout_secs: Option<f64>) -> Result<ShellOutput, ApiError>"),
        ("rust", "files.read_file", "fn read_file(path: &str, options: ReadFileOptions) -> Result<FileRead, ApiError>"),
        ("swift", "files.write_file", "func writeFile(_ path: String, _ contents: String) throws -> UInt64"),
        ("kotlin", "files.list_dir", "fun listDir(path: String? = null): List<DirEntry>"),
        ("csharp", "shell.shell", "ShellOutput Run(string command, double? timeoutSecs = null)"),
        ("cpp", "files.list_dir",
         "std::vector<dir_entry> list_dir(std::optional<std::string_view> path = std::nullopt)"),
    ],
)  # fmt: skip
def test_signature_text(documents: dict[str, Documentation], arm: str, operation: str, expected: str) -> None:
    assert [one.signature for one in function(documents[arm], operation).signatures] == [expected]


def test_java_overloads_by_its_optional_arguments(documents: dict[str, Documentation]) -> None:
    assert [one.signature for one in function(documents["java"], "files.read_file").signatures] == [
        "FileRead readFile(String path)",
        "FileRead readFile(String path, long offset)",
        "FileRead readFile(String path, long offset, long limit)",
    ]


def test_optional_arguments_of_typescript_are_fields_of_the_last(documents: dict[str, Documentation]) -> None:
    (signature,) = function(documents["typescript"], "files.read_file").signatures
    path, options = signature.parameters
    assert (path.name, path.optional, path.kind, path.default) == ("path", False, "positional", None)
    assert (options.name, options.optional) == ("options", True)
    assert [(field.name, field.optional) for field in options.fields] == [("offset", True), ("limit", True)]


def test_optional_arguments_of_python_are_passed_by_name(documents: dict[str, Documentation]) -> None:
    (signature,) = function(documents["python"], "tasks.add_task").signatures
    shown = [(one.name, one.kind, one.default) for one in signature.parameters]
    assert shown == [
        ("id", "positional", None),
        ("title", "positional", None),
        ("description", "keyword", "None"),
        ("blocked_by", "keyword", "()"),
    ]


def test_a_record_argument_tells_its_fields(documents: dict[str, Documentation]) -> None:
    (signature,) = function(documents["typescript"], "tasks.update_task").signatures
    patch = signature.parameters[1]
    assert [(field.name, field.optional) for field in patch.fields] == [
        ("title", True),
        ("description", True),
        ("status", True),
    ]


@pytest.mark.parametrize("arm", ["typescript", "python", "ruby", "purescript", "kotlin"])
def test_a_change_written_with_the_languages_values_is_no_type(documents: dict[str, Documentation], arm: str) -> None:
    assert not [one.fqn for one in documents[arm].types if one.name == "TextEdit"]


@pytest.mark.parametrize("arm", ["rust", "swift", "csharp", "java"])
def test_a_change_is_a_type_elsewhere(documents: dict[str, Documentation], arm: str) -> None:
    assert [one.name for one in documents[arm].types if one.name == "TextEdit"] == ["TextEdit"]


def test_a_record_that_is_only_spread_is_no_type_of_python(documents: dict[str, Documentation]) -> None:
    names = {one.name for one in documents["python"].types}
    assert "NewTask" not in names
    assert "TaskPatch" in names  # `update_task` takes another argument beside it
    assert "NewTask" in {one.name for one in documents["typescript"].types}


def test_declarations_of_typescript(
    documents: dict[str, Documentation], fixture_documents: dict[str, Documentation]
) -> None:
    real, small = documents["typescript"], fixture_documents["typescript"]
    assert type_entry(real, "gg.tasks.TaskPatch").declaration == (
        "interface TaskPatch { title?: string; description?: string | null; status?: TaskStatus }"
    )
    assert type_entry(real, "gg.shell.ShellOutput").declaration == (
        "interface ShellOutput { exitCode: number | undefined; output: string; truncated: boolean }"
    )
    assert type_entry(real, "gg.tasks.TaskStatus").declaration == 'type TaskStatus = "pending" | "in_progress" | "done"'
    found = type_entry(small, "gg.store.Found").declaration
    assert found.startswith('type Found = { kind: "entry"; name: string; values: Scalars; links?: readonly string[]; ')
    assert '{ kind: "many"; value: Entry[] }' in found
    assert found.endswith(' | { kind: "nothing" }')


@pytest.mark.parametrize("which", ["documents", "fixture_documents"])
def test_declarations_and_signatures_of_python_are_python(which: str, request: pytest.FixtureRequest) -> None:
    document = request.getfixturevalue(which)["python"]
    for one in document.types:
        ast.parse(one.declaration)
    for one in document.functions:
        for signature in one.signatures:
            ast.parse(f"def {signature.signature}: ...")


def test_a_variant_of_python_is_its_records_and_a_class_for_each_other_case(
    fixture_documents: dict[str, Documentation],
) -> None:
    declaration = type_entry(fixture_documents["python"], "gg.store.Found").declaration
    assert declaration.endswith("\nFound = Entry | FoundMany | FoundNothing")
    classes = [node.name for node in ast.parse(declaration).body if isinstance(node, ast.ClassDef)]
    assert classes == ["FoundMany", "FoundNothing"]


@pytest.mark.parametrize("arm", ARMS)
def test_required_arguments_come_first(documents: dict[str, Documentation], arm: str) -> None:
    """What a spread record puts after an option in the WIT still comes before it."""
    for one in documents[arm].functions:
        for signature in one.signatures:
            if len(one.signatures) == 1:
                optional = [parameter.optional for parameter in signature.parameters]
                assert optional == sorted(optional), one.fqn


def test_the_arms_that_write_signatures_can_be_built() -> None:
    for path in source.arms().glob("*/arm.toml"):
        buildable = (path.parent / "pyproject.toml").is_file()
        assert tomllib.loads(path.read_text()).get("signatures", False) == buildable, path
