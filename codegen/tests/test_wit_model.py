"""The model holds every construct of a WIT package, and refuses what not every arm can express."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from gg_arm_kit.errors import KitError
from gg_codegen.catalogue import load_catalogue
from gg_codegen.wit_model import Catalogue

PACKAGE = Path(__file__).parent / "package"


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GG_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the fixture package that a test may damage."""
    return shutil.copytree(PACKAGE, tmp_path / "wit")


@pytest.fixture
def catalogue() -> Catalogue:
    return load_catalogue(PACKAGE)


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_modules_are_the_imports_with_core_first_and_without_feedback(catalogue: Catalogue) -> None:
    assert [(module.id, module.interface) for module in catalogue.modules] == [("core", "types"), ("store", "store")]
    assert catalogue.feedback is not None
    assert [function.name for function in catalogue.feedback.functions] == ["log", "clock-now"]
    assert [function.name for function in catalogue.exports] == ["run", "bound-operations"]
    assert catalogue.package == "gg:sdk@0.1.0"


def test_every_scalar_and_every_container_is_read(catalogue: Catalogue) -> None:
    types = {typedef.name: typedef for typedef in catalogue.types}
    assert [str(field.type) for field in types["scalars"].fields] == [
        *("bool", "u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "f32", "f64", "char", "string"),
    ]
    assert str(types["entry"].fields[3].type) == "option<list<option<string>>>"
    assert [(case.name, str(case.type)) for case in types["found"].cases] == [
        ("entry", "store.entry"),
        ("many", "list<store.entry>"),
        ("nothing", "None"),
    ]
    assert types["error-code"].kind == "enum"
    assert [case.name for case in types["error-code"].cases] == ["invalid-argument", "not-found", "other"]


def test_an_alias_is_resolved_and_a_used_type_keeps_its_home(catalogue: Catalogue) -> None:
    keep = catalogue.module("store").functions[1]
    assert [str(param.type) for param in keep.params] == ["store.entry", "list<string>", "core.text-edit"]
    assert "tags" not in [typedef.name for typedef in catalogue.types]


def test_docs_are_split_and_arguments_joined(catalogue: Catalogue) -> None:
    find = catalogue.module("store").functions[0]
    assert (find.brief, find.detail) == ("Find a value.", "The newest wins.")
    assert find.params[0].doc == "its name, over two lines."
    assert find.arguments[1] == ("limit", "how many at most; 10 when absent.")
    text = catalogue.module("store").types[0].fields[-1]
    assert (text.brief, text.detail) == ("Text.", "Of any length.")


def test_optional_is_an_option_or_a_list_that_defaults_to_empty(catalogue: Catalogue) -> None:
    find, keep, _ = catalogue.module("store").functions
    assert [param.optional for param in find.params] == [False, True]
    assert [(param.optional, param.default_empty) for param in keep.params] == [
        (False, False),
        (True, True),
        (False, False),
    ]
    entry = catalogue.module("store").types[1]
    assert [field.optional for field in entry.fields] == [False, False, True, True]


def test_reach_says_where_operations_use_a_type(catalogue: Catalogue) -> None:
    reach = {typedef.name: (typedef.in_argument, typedef.in_result) for typedef in catalogue.types}
    assert reach["scalars"] == (True, True)
    assert reach["found"] == (False, True)
    assert reach["text-edit"] == (True, False)
    assert reach["failure"] == (False, True)
    assert reach["source-module"] == (False, False)


def test_operations_hold_the_row_but_no_binding(catalogue: Catalogue) -> None:
    find, keep, clear = catalogue.operations
    assert (find.id, find.codes, find.takes_input) == ("store.find", ("not-found",), True)
    assert keep.dispatches
    assert not keep.deferred
    assert clear.deferred
    assert "find-things" not in repr(catalogue)
    assert "review" not in repr(catalogue)


def test_the_parsed_package_is_kept_and_a_planted_or_torn_copy_is_not_trusted(tmp_path: Path, package: Path) -> None:
    first = load_catalogue(package)
    (kept,) = (tmp_path / "cache" / "codegen" / "wit-json").glob("*.json")
    kept.write_text("{ torn")
    assert load_catalogue(package) == first
    assert kept.read_text().startswith("{\n")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("broken: func() -> result<list<u8>, failure>;", "store.broken: list<u8> is not supported"),
        ("broken: func() -> result<tuple<u8, u8>, failure>;", "store.broken: an unnamed tuple is not supported"),
        ("flags many { one }", "store.many: flags are not supported"),
        ("resource thing;", "store.thing: a resource is not supported"),
        ("broken: func() -> result<u8, string>;", "store.broken: returns an error of string"),
        ("broken: func(", "the WIT package is wrong"),
        ("broken: func() -> result<nowhere, failure>;", "`nowhere` does not exist"),
    ],
)
def test_what_not_every_arm_can_express_is_refused_by_name(package: Path, line: str, says: str) -> None:
    replace(package / "store.wit", "    /// Forget everything.", f"    {line}\n    /// Forget everything.")
    if line.startswith("broken"):
        with (package / "operations.toml").open("a") as table:
            table.write('\n[[operation]]\nid = "store.broken"\nbinding = { always = true }\ntakes-input = false\n')
    with pytest.raises(KitError) as caught:
        load_catalogue(package)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("file", "old", "new", "says"),
    [
        (
            "operations.toml",
            'id = "store.clear"',
            'id = "store.gone"',
            "store.gone: there is no WIT function gone",
        ),
        ("operations.toml", 'id = "store.clear"', 'id = "store.gone"', 'add an [[operation]] with id = "store.clear"'),
        ("operations.toml", 'id = "store.clear"', 'id = "store.find"', "operation store.find: has 2 rows"),
        ("operations.toml", "machine = true", "machine = false", "operation store.keep_entry: binding: must be one of"),
        ("operations.toml", "takes-input = false", 'takes-input = "no way"', "operation store.clear: takes-input"),
        ("operations.toml", "deferred", "defered", "operation store.clear: defered"),
        ("operations.toml", "deferred = true", "deferred = ", "not TOML"),
        (
            "operations.toml",
            '"store.entry.links"',
            '"store.entry.link"',
            "default store.entry.link: names nothing",
        ),
        (
            "operations.toml",
            '"store.entry.links"',
            '"store.entry.name"',
            "default store.entry.name: is a string",
        ),
        ("store.wit", "-> result<u64, failure>", "-> u64", "WIT function store.clear: must return result"),
        ("world.wit", "world guest", "world other", "has no world 'guest', only: other"),
    ],
)
def test_damage_is_named_with_its_row(package: Path, file: str, old: str, new: str, says: str) -> None:
    replace(package / file, old, new)
    with pytest.raises(KitError) as caught:
        load_catalogue(package)
    assert says in str(caught.value)


def test_a_missing_table_and_an_empty_folder_are_named(package: Path, tmp_path: Path) -> None:
    (package / "operations.toml").unlink()
    with pytest.raises(KitError, match=r"operations\.toml: cannot be read"):
        load_catalogue(package)
    (tmp_path / "empty").mkdir()
    with pytest.raises(KitError, match=r"holds no \.wit file"):
        load_catalogue(tmp_path / "empty")
