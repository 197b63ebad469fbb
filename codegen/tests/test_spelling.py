"""Every arm's ``arm.toml`` says what the SDK looks like, and a wrong one is refused by file and key."""

from __future__ import annotations

from pathlib import Path

import pytest
from gg_arm_kit import source
from gg_arm_kit.errors import KitError
from gg_codegen.catalogue import load_catalogue
from gg_codegen.spelling import ArmSpelling, load_arms
from gg_codegen.wit_model import Catalogue, Function, Type, TypeDef

ORDER = [
    *("typescript", "javascript", "purescript", "python", "ruby", "cpp"),
    *("csharp", "rust", "swift", "kotlin", "java"),
]


@pytest.fixture(scope="module")
def arms() -> dict[str, ArmSpelling]:
    return {arm.id: arm for arm in load_arms(source.arms())}


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue(source.wit())


def operation(catalogue: Catalogue, identity: str) -> Function:
    return next(one for one in catalogue.functions if one.operation is not None and one.operation.id == identity)


def typedef(catalogue: Catalogue, module: str, name: str) -> TypeDef:
    return next(one for one in catalogue.module(module).types if one.name == name)


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def test_the_eleven_stand_in_the_order_of_the_failure_table(arms: dict[str, ArmSpelling]) -> None:
    assert list(arms) == ORDER
    assert [arm.facts.order for arm in arms.values()] == list(range(1, 12))


# The lines and calls that the documents of the system give, word for word.
@pytest.mark.parametrize(
    ("arm", "line", "call", "fqn"),
    [
        ("typescript", 'import { files } from "gg";', "files.readFile", "gg.files.readFile"),
        ("javascript", 'import { files } from "gg";', "files.readFile", "gg.files.readFile"),
        ("purescript", "import Gg.Files as Gg.Files", "Gg.Files.readFile", "Gg.Files.readFile"),
        ("python", "import gg", "gg.files.read_file", "gg.files.read_file"),
        ("ruby", 'require "gg"', "GG::Files.read_file", "GG::Files.read_file"),
        ("rust", "use gg::files;", "files::read_file", "gg::files::read_file"),
        ("java", "import gg.files.Files;", "Files.readFile", "gg.files.Files.readFile"),
        ("kotlin", "import gg.files.*", "readFile", "gg.files.readFile"),
        ("swift", "import gg", "files.readFile", "gg.files.readFile"),
        ("cpp", "#include <gg/files.hpp>", "gg::files::read_file", "gg::files::read_file"),
        ("csharp", "using Gg;", "Files.ReadFile", "Gg.Files.ReadFile"),
    ],
)
def test_import_line_call_and_unshortened_name(
    arms: dict[str, ArmSpelling], catalogue: Catalogue, arm: str, line: str, call: str, fqn: str
) -> None:
    read_file = operation(catalogue, "files.read_file")
    assert arms[arm].import_line("files") == line
    assert arms[arm].call(read_file) == call
    assert arms[arm].fqn(read_file) == fqn


def test_every_module_states_its_own_line_where_the_language_has_one_for_each(
    arms: dict[str, ArmSpelling], catalogue: Catalogue
) -> None:
    one_line = {"python", "ruby", "swift", "csharp"}
    for arm in arms.values():
        lines = {arm.import_line(module) for module in catalogue.modules}
        assert len(lines) == (1 if arm.id in one_line else len(catalogue.modules)), arm.id


def test_shell_is_renamed_where_the_system_says_so(arms: dict[str, ArmSpelling], catalogue: Catalogue) -> None:
    shell = operation(catalogue, "shell.shell")
    spelled = {arm.id: arm.function(shell) for arm in arms.values()}
    assert {arm for arm, name in spelled.items() if name.lower() == "run"} == {"rust", "swift", "kotlin", "csharp"}
    assert spelled["csharp"] == "Run"


def test_failure_types(arms: dict[str, ArmSpelling]) -> None:
    failures = {arm.id: (arm.spelling.failure, arm.failure_name) for arm in arms.values()}
    assert failures["cpp"] == ("gg::core::api_error", "api_error")
    assert failures["csharp"] == ("Gg.ApiException", "ApiException")
    assert failures["ruby"] == ("GG::Core::ApiError", "ApiError")
    assert failures["rust"] == ("gg::core::ApiError", "ApiError")
    assert failures["python"] == ("gg.core.ApiError", "ApiError")


@pytest.mark.parametrize(
    ("arm", "name", "expected"),
    [
        ("javascript", "default", "default_"),
        ("python", "from", "from_"),
        ("rust", "type", "r#type"),
        ("swift", "in", "`in`"),
        ("kotlin", "when", "`when`"),
        ("csharp", "params", "@params"),
        ("csharp", "field", "@field"),  # the next edition reserves it
        ("purescript", "type", "type'"),
        ("java", "new", "new_"),
        ("cpp", "template", "template_"),
        ("ruby", "end", "end_"),
    ],
)
def test_a_reserved_parameter_is_escaped(arms: dict[str, ArmSpelling], arm: str, name: str, expected: str) -> None:
    assert arms[arm].param(name) == expected


def test_a_reserved_word_stays_where_the_language_allows_it(arms: dict[str, ArmSpelling]) -> None:
    assert arms["javascript"].field("default") == "default"
    assert arms["python"].field("from") == "from_"


def test_enum_words(arms: dict[str, ArmSpelling], catalogue: Catalogue) -> None:
    status = typedef(catalogue, "tasks", "task-status")
    spelled = {arm.id: arm.case(status, "in-progress") for arm in arms.values()}
    assert spelled["typescript"] == spelled["javascript"] == "in_progress"
    assert spelled["python"] == spelled["kotlin"] == "IN_PROGRESS"
    assert spelled["swift"] == "inProgress"
    assert spelled["rust"] == "InProgress"
    codes = typedef(catalogue, "core", "error-code")
    assert arms["javascript"].case(codes, "not-found") == "not-found"  # as messages show it


def test_types_are_spelled_at_any_depth(arms: dict[str, ArmSpelling], catalogue: Catalogue) -> None:
    texts = Type("list", Type("string"))
    optional_numbers = Type("list", Type("option", Type("u32")))
    assert arms["typescript"].spell(texts) == "string[]"
    assert arms["typescript"].spell(texts, argument=True) == "readonly string[]"
    assert arms["typescript"].spell(optional_numbers) == "(number | undefined)[]"
    assert arms["python"].spell(optional_numbers) == "list[int | None]"
    assert arms["java"].spell(optional_numbers) == "List<Optional<Long>>"
    assert arms["purescript"].spell(optional_numbers) == "Array (Maybe Number)"
    assert arms["rust"].spell(texts, argument=True) == "&[&str]"
    read = Type("named", typedef=typedef(catalogue, "files", "file-read"))
    assert arms["typescript"].spell(read, module="files") == "FileRead"
    assert arms["typescript"].spell(read, module="views") == "files.FileRead"
    assert arms["csharp"].spell(read, module="views") == "FileRead"


def test_typescript_inherits_what_it_does_not_say(arms: dict[str, ArmSpelling]) -> None:
    typescript, javascript = arms["typescript"], arms["javascript"]
    assert typescript.spelling.types.list.template == javascript.spelling.types.list.template == "$item[]"
    assert typescript.spelling.case == javascript.spelling.case
    assert typescript.bindings is None
    assert javascript.bindings == "c"
    assert "unknown" in typescript.spelling.words.standard["type"]
    assert typescript.spelling.words.standard["module"] == javascript.spelling.words.standard["module"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('escape = "${name}_"', 'escape = "${name}_"\nescapes = "x"', "spelling.escapes: Extra inputs"),
        ('function = "snake"', 'function = "snail"', "spelling.case.function: Input should be"),
        ('import-line = "import gg"', "", "spelling.import-line: Field required"),
        (
            'list = "list[$item]"',
            'list = "list[$items]"',
            "spelling.types.list: Value error, `list[$items]` uses $items",
        ),
        ('list = "list[$item]"', 'list = "list[$ item]"', "write `$$` for a dollar sign"),
        ('list = "list[$item]"', "list = 3", "spelling.types.list: Value error, 3 is not text"),
        ('id = "python"', 'id = "ruby"', "arm.id: is 'ruby', but the folder is 'python'"),
        ("order = 4", "order = 0", "arm.order: Input should be greater"),
        ("[arm]", "[arm", "not TOML"),
        ('title = "Python"', 'title = "Python"\nextends = "perl"', "arm.extends: there is no arm 'perl'"),
    ],
)
def test_a_wrong_file_is_refused_by_file_and_key(copied: Path, old: str, new: str, said: str) -> None:
    path = copied / "python" / "arm.toml"
    replace(path, old, new)
    with pytest.raises(KitError) as caught:
        load_arms(copied)
    assert str(path) in str(caught.value)
    assert said in str(caught.value)


def test_arms_that_extend_each_other_are_refused(copied: Path) -> None:
    replace(copied / "javascript" / "arm.toml", 'title = "JavaScript"', 'title = "JavaScript"\nextends = "typescript"')
    with pytest.raises(KitError, match="goes in a circle"):
        load_arms(copied)


def test_a_file_that_is_not_text_is_refused(copied: Path) -> None:
    (copied / "python" / "arm.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(KitError, match=r"python/arm\.toml: not TOML"):
        load_arms(copied)
