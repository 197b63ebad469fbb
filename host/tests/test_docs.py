"""Documentation: narrowing, ranking, pages, suggestions, and the provider over every arm's own catalogue."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from gg_arm_kit import source
from gg_arm_kit.errors import KitError
from gg_host.catalogue import load_catalogue
from gg_host.docs.documentation import Documentation, load_documentation
from gg_host.docs.library import Library, key_of
from gg_host.docs.names import did_you_mean, fold, suggestions
from gg_host.docs.search import Question, search
from gg_host.failures import ErrorCode, Failure
from gg_host.generated.types import DocHits, DocKind
from gg_host.providers.call import Call
from gg_host.providers.docs import DocsProvider, DocViewTypes
from gg_host.providers.records import DocsView, SearchView, TurnViews
from gg_host.providers.scope import RunScope

CALL = Call("docs.search")
EVERYTHING = frozenset(load_catalogue().operations)
CATALOGUES = sorted(source.arms().glob("*/generated/signatures.json"))


def function(name: str, module: str = "files", **changes: object) -> dict[str, object]:
    entry: dict[str, object] = {
        "operation": f"{module}.{name}",
        "module": module,
        "name": name,
        "fqn": f"gg.{module}.{name}",
        "call": f"{module}.{name}",
        "brief": "",
        "signatures": [{"signature": f"{name}()", "parameters": []}],
    }
    return {**entry, **changes}


def type_(name: str, module: str = "files", **changes: object) -> dict[str, object]:
    entry: dict[str, object] = {"name": name, "fqn": f"gg.{module}.{name}", "module": module, "declaration": ""}
    return {**entry, "brief": "", "members": [], **changes}


def parameter(name: str, **changes: object) -> dict[str, object]:
    return {"name": name, "type": "string", "optional": False, "kind": "positional", "doc": "", **changes}


def named(*names: str) -> list[dict[str, str]]:
    return [{"spelled": name.rpartition(".")[2], "fqn": name} for name in names]


def library(
    folder: Path, functions: list[dict[str, object]], types: list[dict[str, object]] | None = None, **permitted: bool
) -> Library:
    """A library of a catalogue written to ``folder``; every function is permitted but those given as ``name=False``."""
    ids = dict.fromkeys(str(entry["module"]) for entry in (*functions, *(types or [])))
    modules = [
        {"id": name, "path": f"gg.{name}", "brief": f"The {name}.", "import": f"import gg.{name}"} for name in ids
    ]
    data = {"schema": 1, "language": "x", "generatedFrom": "y", "modules": modules}
    path = folder / "signatures.json"
    path.write_text(json.dumps({**data, "functions": functions, "types": types or []}))
    wanted = frozenset(str(one["operation"]) for one in functions if permitted.get(str(one["name"]), True))
    return Library(load_documentation(path), wanted)


def keys(found: Library, query: str | None = None, **filters: object) -> list[str]:
    return [key_of(entry) for entry in search(found, Question(query, **filters))]  # type: ignore[arg-type]


# -- ranking ------------------------------------------------------------------------------------------------------


def test_the_six_tiers_come_in_order(tmp_path: Path) -> None:
    found = library(
        tmp_path,
        [
            function("f6", detail="It is a Needle."),
            function("f5", brief="A NEEDLE here."),
            function("f4", signatures=[{"signature": "f4()", "parameters": [parameter("needleSize")]}]),
            function("theNeedle"),
            function("needleWork"),
            function("nee_dle"),
        ],
    )
    assert keys(found, "needle") == [
        f"gg.files.{name}" for name in ("nee_dle", "needleWork", "theNeedle", "f4", "f5", "f6")
    ]


def test_fields_of_arguments_count_as_signature_and_their_texts_as_detail(tmp_path: Path) -> None:
    options = parameter("options", fields=[parameter("needle")])
    described = parameter("options", fields=[parameter("other", doc="a needle")])
    found = library(
        tmp_path,
        [
            function("b", signatures=[{"signature": "b(x)", "parameters": [described]}]),
            function("a", signatures=[{"signature": "a(x)", "parameters": [options]}]),
        ],
    )
    assert keys(found, "needle") == ["gg.files.a", "gg.files.b"]


def test_within_a_tier_more_words_then_more_often_then_the_key_decide(tmp_path: Path) -> None:
    found = library(
        tmp_path,
        [
            function("d", brief="red"),
            function("c", brief="red"),
            function("b", brief="red red"),
            function("a", brief="red blue"),
        ],
    )
    assert keys(found, "red blue") == ["gg.files.a", "gg.files.b", "gg.files.c", "gg.files.d"]


def test_the_best_single_word_decides_the_tier(tmp_path: Path) -> None:
    found = library(tmp_path, [function("a", brief="one two three"), function("one")])
    assert keys(found, "one two three") == ["gg.files.one", "gg.files.a"]


def test_a_type_comes_before_a_function_of_the_same_name_only_among_names(tmp_path: Path) -> None:
    writes = function("entry", returns=named("gg.files.Entry"), brief="x")
    found = library(tmp_path, [writes], [type_("Entry", brief="x", declaration="Entry")])
    assert keys(found, "entry")[0] == "gg.files.Entry"
    assert keys(found, "x", kind="function") == ["gg.files.entry"]
    later = library(
        tmp_path,
        [function("a", returns=named("gg.files.B"), brief="zzz")],
        [type_("B", brief="zzz", declaration="b()")],
    )
    assert keys(later, "zzz") == ["gg.files.B", "gg.files.a"]  # by key, not by kind


def test_a_qualified_word_is_a_name(tmp_path: Path) -> None:
    found = library(tmp_path, [function("readFile"), function("x", brief="gg.files.readFile")])
    assert keys(found, "gg.files.READ_FILE")[0] == "gg.files.readFile"


def test_filters_are_exact_ignore_case_and_compose(tmp_path: Path) -> None:
    found = library(
        tmp_path,
        [
            function("read", returns=named("gg.files.Text")),
            function("write", types=named("gg.files.Text")),
            function("run", "shell", types=named("gg.files.Text")),
        ],
        [type_("Text")],
    )
    assert keys(found, modules=("FILES",)) == ["gg.files", "gg.files.read", "gg.files.write", "gg.files.Text"]
    assert keys(found, modules=("gg.shell", "files"), kind="Module") == ["gg.files", "gg.shell"]
    assert keys(found, type="text") == ["gg.files.read", "gg.files.write", "gg.shell.run", "gg.files.Text"]
    assert keys(found, "run", type="GG.files.Text", modules=("shell",)) == ["gg.shell.run"]
    assert keys(found, modules=("file",)) == []
    assert keys(found, type="Tex") == []


# -- narrowing ----------------------------------------------------------------------------------------------------


def test_only_what_is_permitted_is_there(tmp_path: Path) -> None:
    found = library(
        tmp_path,
        [
            function("read", returns=named("gg.files.Text")),
            function("secret", "vault", returns=named("gg.vault.Hidden")),
        ],
        [
            type_("Text", declaration="record Text { part: Part[] }"),
            type_("Part", members=[{"name": "unit", "type": "list<Unit>", "brief": ""}]),
            type_("Unit", "core"),
            type_("Hidden", "vault"),
        ],
        secret=False,
    )
    expected = ["gg.files", "gg.core", "gg.files.read", "gg.files.Text", "gg.files.Part", "gg.core.Unit"]
    assert [key_of(entry) for entry in found.entries] == expected
    assert keys(found, "secret") == keys(found, "hidden") == []
    for name in ("gg.vault.secret", "secret", "vault", "gg.vault", "Hidden"):
        assert found.find(name) == []


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parts[-3])
def test_every_hit_of_every_arm_can_be_opened(path: Path) -> None:
    documentation = load_documentation(path)
    for permitted in (EVERYTHING, frozenset({"docs.search", "files.read_file"}), frozenset[str]()):
        found = Library(documentation, permitted)
        views = TurnViews()
        provider = DocsProvider(views, library=found)
        for entry in found.entries:
            provider.open_page(key_of(entry))
        bodies = [view.body for view in views.views if isinstance(view, DocsView)]
        assert len(bodies) == len(found.entries)
        assert all(body.strip() for body in bodies)
        opened = {view.heading for view in views.views}
        assert not [one.fqn for one in documentation.functions if one.operation not in permitted and one.fqn in opened]
    assert {one.operation for one in documentation.functions} == EVERYTHING


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parts[-3])
def test_plain_words_find_the_call(path: Path) -> None:
    documentation = load_documentation(path)
    found = Library(documentation, EVERYTHING)
    by_operation = {one.operation: one.fqn for one in documentation.functions}
    for words, operation in (
        ("read file", "files.read_file"),
        ("run command", "shell.shell"),
        ("search documentation", "docs.search"),
        ("finish session", "session.finish"),
        ("spawn subagent", "delegation.spawn_subagent"),
    ):
        assert by_operation[operation] in keys(found, words)[:8], words


# -- names --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["gg.files.readFile", "GG::Files.read_file", "gg::files::read_file", "Gg.Files.ReadFile", "READFILE"]
)
def test_folding_drops_qualifiers_separators_and_case(name: str) -> None:
    assert fold(name) == "readfile"


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ("READ_FILE", ["readFile"]),
        ("read", ["readFile", "readSkill", "readTextFile"]),
        ("readFileNow", ["readFile"]),
        ("File", ["openFile", "readFile", "readTextFile"]),
        ("raedFile", ["readFile"]),
        ("redFyle", ["readFile"]),
        ("lis", ["list"]),
        ("lost", ["list"]),
        ("l00t", []),
        ("zz", []),
        ("", []),
        ("!?", []),
    ],
)
def test_suggestions(wanted: str, expected: list[str]) -> None:
    names = ["readFile", "readTextFile", "openFile", "evictFileView", "readSkill", "list"]
    assert suggestions(wanted, names) == expected


def test_short_names_are_never_near_by_edits() -> None:
    assert suggestions("ab", ["xb"]) == []
    assert suggestions("abc", ["abx", "axx"]) == ["abx"]


def test_the_line_of_suggestions() -> None:
    assert did_you_mean([]) == ""
    assert did_you_mean(["a"]) == "\n  Did you mean `a`?"
    assert did_you_mean(["a", "b", "c"]) == "\n  Did you mean `a`, `b` or `c`?"


# -- the provider -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def javascript() -> Documentation:
    return load_documentation(source.generated("javascript") / "signatures.json")


def ask(provider: DocsProvider, query: str | None = None, **rest: object) -> DocHits:
    names = ("modules", "type", "kind", "offset", "limit")
    return provider.search(CALL, query, *({"modules": [], **rest}.get(name) for name in names))  # type: ignore[arg-type]


def body(views: TurnViews) -> str:
    view = views.views[0]
    assert isinstance(view, DocsView | SearchView)
    return view.body


def test_a_search_is_paged_and_shows_itself(javascript: Documentation) -> None:
    views = TurnViews()
    provider = DocsProvider(views, library=Library(javascript, EVERYTHING))
    whole = ask(provider, "e", limit=100)
    first = ask(provider, "e")
    assert first.hits == whole.hits[:20]
    assert ask(provider, "e", offset=20, limit=5).hits == whole.hits[20:25]
    assert ask(provider, "e", offset=whole.total).hits == []
    assert [type(view) for view in views.views] == [SearchView]
    assert body(views).splitlines()[1] == f"Offset {whole.total} is past the last of {whole.total}."
    ask(provider, "read file", modules=["files"], kind=DocKind.FUNCTION, limit=1)
    assert body(views) == (
        "Search: `read file` in `files` of kind function\n"
        f"1 to 1 of {ask(provider, 'read file', modules=['files'], kind=DocKind.FUNCTION).total}. "
        "6 more with offset 1.\n\n"
        "Functions\n  gg.files.readTextFile: Read a text file of the workspace and give back its text alone."
    )
    assert ask(provider, "qqqq") == DocHits(0, 0, [])
    assert body(views) == "Search: `qqqq`\nNothing found."


def test_a_page_has_100_entries_at_most(tmp_path: Path) -> None:
    found = library(tmp_path, [function(f"call{number}") for number in range(150)])
    answer = ask(DocsProvider(TurnViews(), library=found), "call", limit=4_000_000_000)
    assert (answer.total, len(answer.hits)) == (150, 100)


@pytest.mark.parametrize("asked", [{}, {"query": " "}, {"query": "x", "limit": 0}])
def test_searches_that_are_refused(javascript: Documentation, asked: dict[str, object]) -> None:
    views = TurnViews()
    with pytest.raises(Failure) as failed:
        ask(DocsProvider(views, library=Library(javascript, EVERYTHING)), **asked)  # type: ignore[arg-type]
    assert failed.value.code is ErrorCode.INVALID_ARGUMENT
    assert views.views == ()


def test_a_page_of_a_function_has_everything(javascript: Documentation) -> None:
    views = TurnViews()
    provider = DocsProvider(views, library=Library(javascript, EVERYTHING))
    for name in ("readFile", "files.readFile", "gg.files.readFile"):
        provider.open_page(name)
    assert [view.heading for view in views.views] == ["gg.files.readFile"]
    lines = body(views).splitlines()
    assert lines[0].startswith("readFile(path: string")
    assert "  path: string: the file to read." in lines
    assert any(line.startswith("    limit?: number | undefined = undefined (passed by name): ") for line in lines)
    assert 'Module gg.files: import { files } from "gg";' in lines
    assert "Read a file of the workspace for the program." in lines
    assert "Fails with `not-found`" in body(views)


@pytest.mark.parametrize(
    ("types", "expected"),
    [
        (DocViewTypes(), []),
        (DocViewTypes(returns=True), ["gg.docs.DocHits"]),
        (DocViewTypes(parameters=True), ["gg.docs.DocKind"]),
        (DocViewTypes(returns=True, parameters=True, errors=True), ["gg.docs.DocHits", "gg.docs.DocKind"]),
    ],
)
def test_types_open_beside_a_function_as_configured(
    javascript: Documentation, types: DocViewTypes, expected: list[str]
) -> None:
    views = TurnViews()
    provider = DocsProvider(views, types, Library(javascript, EVERYTHING))
    provider.open_page("gg.docs.search")
    assert [view.heading for view in views.views] == ["gg.docs.search", *expected]


def test_a_miss_suggests_only_what_is_permitted(javascript: Documentation) -> None:
    provider = DocsProvider(TurnViews(), library=Library(javascript, frozenset({"files.read_text_file"})))
    with pytest.raises(Failure) as failed:
        provider.open_page("readFile")
    assert failed.value.code is ErrorCode.NOT_FOUND
    assert failed.value.message == "there is no documentation of `readFile`"
    with pytest.raises(Failure, match=r"Did you mean `gg\.files\.readTextFile`"):
        provider.open_page("readTxtFile")


def test_a_bare_name_of_two_things_names_both(javascript: Documentation) -> None:
    provider = DocsProvider(TurnViews(), library=Library(javascript, EVERYTHING))
    with pytest.raises(Failure, match=r"Did you mean `gg\.files\.search` or `gg\.docs\.search`"):
        provider.open_page("search")


def test_the_run_decides_what_is_documented() -> None:
    views = TurnViews()
    provider = DocsProvider(views)
    for arm, name in (("javascript", "gg.files.readFile"), ("python", "gg.files.read_file")):
        provider.enter_run(RunScope(source.generated(arm) / "signatures.json", ("files.read_file",)))
        assert [hit.key for hit in ask(provider, kind=DocKind.FUNCTION).hits] == [name]


# -- loading ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "is no documentation catalogue"),
        ("[]", "is no documentation catalogue"),
        ('{"schema": 1}', "it lacks"),
        ('{"schema": 2}', "has schema 2"),
        ('{"schema": 1, "language": "x", "modules": [{}], "functions": [], "types": []}', "it lacks 'id'"),
    ],
)
def test_a_damaged_catalogue_is_told(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "signatures.json"
    path.write_text(text)
    with pytest.raises(KitError, match=words):
        load_documentation(path)
    with pytest.raises(KitError, match="cannot be read"):
        load_documentation(tmp_path / "nothing.json")
