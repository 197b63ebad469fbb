"""The real catalogue passes every check, and each damage draws exactly the complaint it should."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from gg_arm_kit import source
from gg_codegen import checks
from gg_codegen.catalogue import load_catalogue
from gg_codegen.checks.complaint import Complaint
from gg_codegen.spelling import ArmSpelling, load_arms
from gg_codegen.wit_model import Case, Catalogue, Field, Function, Operation, Type, TypeDef


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue(source.wit())


@pytest.fixture(scope="module")
def arms() -> list[ArmSpelling]:
    return load_arms(source.arms())


def damaged_function(catalogue: Catalogue, name: str, damage: Callable[[Function], Function]) -> Catalogue:
    """``catalogue`` with one function, ``interface.name``, changed."""

    def change(one: Function) -> Function:
        return damage(one) if f"{one.interface}.{one.name}" == name else one

    modules = tuple(replace(one, functions=tuple(map(change, one.functions))) for one in catalogue.modules)
    assert modules != catalogue.modules
    return replace(catalogue, modules=modules)


def damaged_type(catalogue: Catalogue, name: str, damage: Callable[[TypeDef], TypeDef]) -> Catalogue:
    """``catalogue`` with one type, ``interface.name``, changed."""

    def change(one: TypeDef) -> TypeDef:
        return damage(one) if f"{one.interface}.{one.name}" == name else one

    modules = tuple(replace(one, types=tuple(map(change, one.types))) for one in catalogue.modules)
    assert modules != catalogue.modules
    return replace(catalogue, modules=modules)


def damaged_row(catalogue: Catalogue, identity: str, damage: Callable[[Operation], Operation]) -> Catalogue:
    """``catalogue`` with one row changed, in its list and in the function that has it."""
    operations = tuple(damage(one) if one.id == identity else one for one in catalogue.operations)
    assert operations != catalogue.operations
    namespace, _, key = identity.partition(".")

    def change(function: Function) -> Function:
        assert function.operation is not None
        return replace(function, operation=damage(function.operation))

    changed = damaged_function(catalogue, f"{namespace}.{key.replace('_', '-')}", change)
    return replace(changed, operations=operations)


def briefly(complaints: list[Complaint]) -> list[tuple[str, str, str | None]]:
    return [(one.check, one.row, one.arm) for one in complaints]


def test_the_real_catalogue_passes_on_all_eleven(catalogue: Catalogue, arms: list[ArmSpelling]) -> None:
    assert len(arms) == 11
    assert [str(one) for one in checks.run(catalogue, arms)] == []


def test_a_function_without_a_row(catalogue: Catalogue, arms: list[ArmSpelling]) -> None:
    damaged = damaged_function(catalogue, "files.write-file", lambda one: replace(one, operation=None))
    complaints = checks.run(damaged, arms)
    assert briefly(complaints) == [("rows", "files.write-file", None), ("rows", "files.write_file", None)]
    assert 'add an [[operation]] with id = "files.write_file" to operations.toml' in str(complaints[0])
    assert "add function write-file to files.wit or remove the row" in str(complaints[1])


def test_a_second_row(catalogue: Catalogue, arms: list[ArmSpelling]) -> None:
    row = next(one for one in catalogue.operations if one.id == "shell.shell")
    complaints = checks.run(replace(catalogue, operations=(*catalogue.operations, row)), arms)
    assert [str(one) for one in complaints] == ["shell.shell: has 2 rows; keep one of them in operations.toml"]


@pytest.mark.parametrize(("identity", "value"), [("programs.history", True), ("shell.shell", False)])
def test_takes_input_disagrees(catalogue: Catalogue, arms: list[ArmSpelling], identity: str, value: bool) -> None:
    complaints = checks.run(damaged_row(catalogue, identity, lambda one: replace(one, takes_input=value)), arms)
    assert briefly(complaints) == [("takes-input", identity, None)]
    assert f"write takes-input = {str(not value).lower()} in its row" in str(complaints[0])


@pytest.mark.parametrize(
    ("codes", "said"),
    [
        (("not-fuond",), "there is no failure code not-fuond; use one of invalid-argument, not-found,"),
        (("conflict", "conflict"), "names the code conflict 2 times; name it once"),
    ],
)
def test_wrong_codes(catalogue: Catalogue, arms: list[ArmSpelling], codes: tuple[str, ...], said: str) -> None:
    complaints = checks.run(damaged_row(catalogue, "files.edit_file", lambda one: replace(one, codes=codes)), arms)
    assert briefly(complaints) == [("codes", "files.edit_file", None)]
    assert said in str(complaints[0])


def test_an_empty_default_that_is_no_list(catalogue: Catalogue, arms: list[ArmSpelling]) -> None:
    def damage(function: Function) -> Function:
        (first, *rest) = function.params
        return replace(function, params=(replace(first, default_empty=True), *rest))

    complaints = checks.run(damaged_function(catalogue, "skills.read-skill", damage), arms)
    assert briefly(complaints) == [("empty-defaults", "skills.read-skill.name", None)]
    assert "defaults to the empty list, but is string" in str(complaints[0])


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        ((("path", "a"), ("contents", "b"), ("mode", "c")), "documents an argument `mode` it does not have"),
        ((("path", "a"),), "does not document its argument `contents`"),
        ((("path", "a"), ("contents", " ")), "does not document its argument `contents`"),
        ((("path", "a"), ("contents", "b"), ("path", "c")), "documents `path` 2 times"),
        ((("contents", "b"), ("path", "a")), "in another order than it takes them"),
    ],
)
def test_wrong_arguments_list(
    catalogue: Catalogue, arms: list[ArmSpelling], entries: tuple[tuple[str, str], ...], said: str
) -> None:
    damaged = damaged_function(catalogue, "files.write-file", lambda one: replace(one, arguments=entries))
    complaints = checks.run(damaged, arms)
    assert briefly(complaints) == [("arguments", "files.write-file", None)]
    assert said in str(complaints[0])
    assert "files.wit" in str(complaints[0])


@pytest.mark.parametrize(
    ("brief", "said"),
    [
        ("", "has no brief"),
        ("Write a file.\nThen more.", "the brief has several lines"),
        ("Write " + "x" * 120, "the brief has 126 characters"),
        ("Write ```a``` file.", "the brief holds a fence"),
        ("Then write a file.", "the brief starts with `Then`"),
        ("Write the `file.", "a code span that is not closed"),
        ("Write `f(x` once.", "a bracket that is not closed, `f(x`"),
        ("Write `f)x(` once.", "a bracket that is not closed"),
        ("Write your file.", "addresses the reader with `your`"),
        ("Write NOT A FILE but THIS OLD ONE.", "shouts `THIS OLD ONE`"),
    ],
)
def test_a_brief_outside_the_register(catalogue: Catalogue, arms: list[ArmSpelling], brief: str, said: str) -> None:
    damaged = damaged_function(catalogue, "files.write-file", lambda one: replace(one, brief=brief))
    complaints = checks.run(damaged, arms)
    assert briefly(complaints) == [("register", "files.write-file", None)]
    assert said in str(complaints[0])


@pytest.mark.parametrize(
    ("detail", "said"),
    [
        ("x" * 2001, "the detail has 2001 characters"),
        ("Like so:\n\n```\na\n```\n\nand\n\n```\nb\n```", "the detail has 2 fenced examples"),
        ("Like so:\n\n```\na", "a fence that is not closed"),
        ("As said: Whole truth. More.", "the detail repeats the brief"),
        ("It is yours.", "the detail addresses the reader with `yours`"),
        ("The `span is open.", "a code span that is not closed"),
    ],
)
def test_a_detail_outside_the_register(catalogue: Catalogue, arms: list[ArmSpelling], detail: str, said: str) -> None:
    def damage(typedef: TypeDef) -> TypeDef:
        return replace(typedef, brief="Whole truth.", detail=detail)

    complaints = checks.run(damaged_type(catalogue, "files.dir-entry", damage), arms)
    assert {one.check for one in complaints} == {"register"}
    assert {one.row for one in complaints} == {"files.dir-entry"}
    assert any(said in str(one) for one in complaints)


def test_words_in_code_are_outside_the_register(catalogue: Catalogue, arms: list[ArmSpelling]) -> None:
    detail = "See `YOU AND YOUR FILES` and:\n\n```\nif (you) { YES AND NO\n```"
    damaged = damaged_function(catalogue, "files.write-file", lambda one: replace(one, detail=detail))
    assert checks.run(damaged, arms) == []


def test_every_kind_of_comment_is_read(catalogue: Catalogue, arms: list[ArmSpelling]) -> None:
    def fields(typedef: TypeDef) -> TypeDef:
        return replace(typedef, fields=(replace(typedef.fields[0], brief=""), *typedef.fields[1:]))

    def cases(typedef: TypeDef) -> TypeDef:
        return replace(typedef, cases=(replace(typedef.cases[0], brief=""), *typedef.cases[1:]))

    def doc(function: Function) -> Function:
        return replace(function, params=(replace(function.params[0], doc="Ask you."), *function.params[1:]))

    damaged = damaged_type(catalogue, "files.dir-entry", fields)
    damaged = damaged_type(damaged, "tasks.task-status", cases)
    damaged = damaged_function(damaged, "shell.shell", doc)
    damaged = replace(damaged, modules=(replace(damaged.modules[0], brief=""), *damaged.modules[1:]))
    rows = {one.row for one in checks.run(damaged, arms)}
    assert rows == {"types", "files.dir-entry.name", "tasks.task-status.pending", "shell.shell.command"}


def test_what_only_guests_see_is_documented_too(catalogue: Catalogue, arms: list[ArmSpelling]) -> None:
    assert catalogue.feedback is not None
    log = next(one for one in catalogue.feedback.functions if one.name == "log")
    others = tuple(one for one in catalogue.feedback.functions if one is not log)
    feedback = replace(catalogue.feedback, functions=(*others, replace(log, brief="Your log.")))
    (run, bound) = catalogue.exports
    exports = (replace(run, arguments=run.arguments[1:]), replace(bound, brief=""))
    complaints = checks.run(replace(catalogue, feedback=feedback, exports=exports), arms)
    assert briefly(complaints) == [
        ("arguments", "guest.run", None),
        ("register", "feedback.log", None),
        ("register", "guest.bound-operations", None),
    ]
    assert "to # Arguments of its comment in world.wit" in str(complaints[0])


def test_a_reference_to_nothing(catalogue: Catalogue, arms: list[ArmSpelling]) -> None:
    detail = "Like `files.reed_file`, not like `files.write_file`."
    damaged = damaged_function(catalogue, "files.search", lambda one: replace(one, detail=detail))
    complaints = checks.run(damaged, arms)
    assert briefly(complaints) == [("references", "files.search", None)]
    assert "names `files.reed_file`, which is no operation; write `files.read_file`" in str(complaints[0])


def with_field(name: str) -> Callable[[TypeDef], TypeDef]:
    added = Field(name, Type("string"), "Something.")
    return lambda typedef: replace(typedef, fields=(*typedef.fields, added))


def test_names_that_meet_after_conversion(catalogue: Catalogue, arms: list[ArmSpelling]) -> None:
    """Distinct in the WIT, one name where digits take no separator."""
    damaged = damaged_type(catalogue, "files.search-match", with_field("line-2"))
    damaged = damaged_type(damaged, "files.search-match", with_field("line2"))
    complaints = checks.run(damaged, arms)
    camel = {"typescript", "javascript", "purescript", "csharp", "swift", "kotlin", "java"}
    assert {one.arm for one in complaints} == camel
    assert {(one.check, one.row) for one in complaints} == {("names", "files.search-match.line2")}
    assert "like files.search-match.line-2, both in the fields of files.search-match" in str(complaints[0])
    assert "[spelling.renames.fields] of arms/typescript/arm.toml" in str(complaints[0])


def test_an_escaped_name_that_meets_another(catalogue: Catalogue, copied: Path) -> None:
    path = copied / "python" / "arm.toml"
    path.write_text(
        path.read_text().replace(
            "[spelling.renames.types]", '[spelling.renames.fields]\n"path" = "from_"\n\n[spelling.renames.types]'
        )
    )
    damaged = damaged_type(catalogue, "files.search-match", with_field("from"))
    complaints = checks.run(damaged, load_arms(copied))
    assert briefly(complaints) == [("names", "files.search-match.from", "python")]
    assert "is `from_` like files.search-match.path" in str(complaints[0])


@pytest.mark.parametrize(
    ("arm", "table", "key", "value", "row", "said"),
    [
        ("python", "functions", "shell.shell", "while", "shell.shell", "is `while`, a reserved word"),
        ("csharp", "fields", "exit-code", "field", "shell.shell-output.exit-code", "is `field`, a reserved word"),
        ("java", "functions", "programs.rerun", "notify", "programs.rerun", "is `notify`, a standard name"),
        ("python", "parameters", "command", "gg", "shell.shell.command", "which is a name its generated body uses"),
        ("javascript", "parameters", "command", "options", "shell.shell.command", "which is the argument that groups"),
        ("java", "modules", "shell", "System", "shell", "is `System`, a standard name of the language"),
        ("rust", "types", "shell.shell-output", "Option", "shell.shell-output", "is `Option`, a standard name"),
        ("swift", "cases", "pending", "none", "tasks.task-status.pending", "is `none`, a standard name"),
        ("kotlin", "modules", "shell", "files", "shell", "is `files` like files, both in the modules"),
        ("ruby", "functions", "docs.close_all", "close", "docs.close-all", "like docs.close, both in the module docs"),
        ("cpp", "functions", "files.search", "dir_entry", "files.dir-entry", "is `dir_entry` like files.search"),
        ("rust", "types", "files.dir-entry", "ReadFileOptions", "files.dir-entry", "like files.read-file (its options"),
        ("csharp", "types", "tasks.task-usage", "BoardUsage", "tasks.task-usage", "both in the types of all modules"),
        ("csharp", "types", "tasks.task-usage", "Files", "files", "is `Files` like tasks.task-usage"),
        ("csharp", "types", "tasks.task-usage", "ApiException", "tasks.task-usage", "which is the failure type"),
        ("csharp", "fields", "truncated", "ShellOutput", "shell.shell-output.truncated", "the name of the type itself"),
        ("csharp", "cases", "prompt", "SubagentTask", "delegation.subagent-task.prompt", "the name of the type itself"),
        ("purescript", "types", "board.issue-patch", "IssueStatus", "board.issue-patch", "both in the module board"),
        ("swift", "cases", "done", "pending", "tasks.task-status.done", "both in the cases of tasks.task-status"),
        ("javascript", "fields", "media-type", "kind", "files.file-image.media-type", "which is the case's own word"),
    ],
)  # fmt: skip
def test_a_rename_that_clashes(
    catalogue: Catalogue, copied: Path, arm: str, table: str, key: str, value: str, row: str, said: str
) -> None:
    path = copied / arm / "arm.toml"
    header, text = f"[spelling.renames.{table}]\n", path.read_text()
    line = f'"{key}" = "{value}"\n'
    old = next((one for one in text.splitlines() if one.startswith(f'"{key}" = ')), None)
    if header in text and old is not None:
        text = text.replace(old + "\n", line)
    elif header in text:
        text = text.replace(header, header + line)
    else:
        text = text.replace("[spelling.types]\n", header + line + "\n[spelling.types]\n")
    path.write_text(text)
    complaints = [one for one in checks.run(catalogue, load_arms(copied)) if one.arm == arm]
    assert [(one.check, one.row) for one in complaints] == [("names", row)]
    assert said in str(complaints[0])
    assert f"arms/{arm}/arm.toml" in str(complaints[0])


def test_constructors_of_one_module_must_differ_where_they_share_it(
    catalogue: Catalogue, arms: list[ArmSpelling]
) -> None:
    def damage(typedef: TypeDef) -> TypeDef:
        return replace(typedef, cases=(*typedef.cases, Case("text", None, "As text.")))

    complaints = checks.run(damaged_type(catalogue, "files.entry-kind", damage), arms)
    assert {(one.check, one.arm) for one in complaints} == {("names", "purescript")}
    assert "both in the cases of files" in str(complaints[0])


EXEMPTION = '\n[[exemption]]\ncheck = "names"\nrow = "{row}"\nreason = "{reason}"\n'


def test_an_exemption_without_a_reason_accepts_nothing(catalogue: Catalogue, copied: Path) -> None:
    path = copied / "kotlin" / "arm.toml"
    head = path.read_text().partition("[[exemption]]")[0]
    path.write_text(head + EXEMPTION.format(row="shell.shell", reason=" "))
    complaints = checks.run(catalogue, load_arms(copied))
    assert briefly(complaints) == [("names", "shell.shell", "kotlin"), ("exemptions", "shell.shell", "kotlin")]
    assert "without a reason; say in its [[exemption]] of arms/kotlin/arm.toml why" in str(complaints[1])


def test_an_exemption_that_is_not_needed(catalogue: Catalogue, copied: Path) -> None:
    path = copied / "rust" / "arm.toml"
    path.write_text(path.read_text() + EXEMPTION.format(row="files.search", reason="it was needed once"))
    complaints = checks.run(catalogue, load_arms(copied))
    assert briefly(complaints) == [("exemptions", "files.search", "rust")]
    assert "delete its [[exemption]] from arms/rust/arm.toml" in str(complaints[0])


def test_the_spelling_serves_another_catalogue(arms: list[ArmSpelling]) -> None:
    """The small package has no shell, so the exemption of its name is not missed."""
    small = load_catalogue(Path(__file__).parent / "package")
    assert [one for one in checks.run(small, arms) if one.check == "exemptions"] == []


def test_without_its_exemption_the_complaint_is_back(catalogue: Catalogue, copied: Path) -> None:
    path = copied / "kotlin" / "arm.toml"
    path.write_text(path.read_text().partition("[[exemption]]")[0])
    complaints = checks.run(catalogue, load_arms(copied))
    assert [str(one) for one in complaints] == [
        "shell.shell [kotlin]: is `run`, a standard name of the language;"
        " rename it in the WIT or in [spelling.renames.functions] of arms/kotlin/arm.toml"
    ]
