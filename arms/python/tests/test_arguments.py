# ruff: noqa: E501 -- a case of a table is one line, a program in it too
"""Arguments are checked in the guest: what is malformed never reaches the host, and what is right arrives as it was."""

from __future__ import annotations

from typing import Any

import pytest
from gg_host.generated import types as t

BIG = 2**32


@pytest.mark.parametrize(
    ("call", "operation", "says"),
    [
        ("files.read_file(3)", "read_file", "path must be str, not int"),
        ("files.read_file(None)", "read_file", "path must be str, not NoneType"),
        ("files.read_file(b'a')", "read_file", "path must be str, not bytes"),
        ("files.read_file('a', offset='1')", "read_file", "offset must be int, not str"),
        ("files.read_file('a', offset=True)", "read_file", "offset must be int, not bool"),
        ("files.read_file('a', offset=1.0)", "read_file", "offset must be int, not float"),
        ("files.read_file('a', limit=-1)", "read_file", "limit must be from 0 to 4294967295, not -1"),
        (f"files.read_file('a', limit={BIG})", "read_file", "limit must be from 0 to 4294967295, not 4294967296"),
        ("files.read_file('a', limit=10**100_000)", "read_file", "not a number of 332193 bits"),
        ("files.read_file('a\\ud800')", "read_file", "path must be text that can be encoded as UTF-8, but it has a lone surrogate U+D800 at index 1"),
        ("files.write_file('a', 'x' * 1000 + '\\udfff')", "write_file", "contents must be text that can be encoded as UTF-8"),
        ("files.write_file('a', ['b'])", "write_file", "contents must be str, not list"),
        ("shell.shell('a', timeout_secs='1')", "shell", "timeout_secs must be float, not str"),
        ("shell.shell('a', timeout_secs=True)", "shell", "timeout_secs must be float, not bool"),
        ("shell.shell('a', timeout_secs=10**400)", "shell", "timeout_secs must be in the range of float, not a number of 1329 bits"),
        ("tasks.set_blocked_by('a', 'bc')", "set_blocked_by", "blocked_by must be a list or another sequence, not str"),
        ("tasks.set_blocked_by('a', {'b'})", "set_blocked_by", "blocked_by must be a list or another sequence, not set"),
        ("tasks.set_blocked_by('a', b'b')", "set_blocked_by", "blocked_by must be a list or another sequence, not bytes"),
        ("tasks.set_blocked_by('a', iter(['b']))", "set_blocked_by", "blocked_by must be a list or another sequence"),
        ("tasks.set_blocked_by('a', ['b', 3])", "set_blocked_by", "blocked_by[1] must be str, not int"),
        ("tasks.set_blocked_by('a', ['b', None, '\\udc00'])", "set_blocked_by", "blocked_by[1] must be str, not NoneType"),
        ("tasks.add_task('a', 3)", "add_task", "title must be str, not int"),
        ("tasks.add_task('a', 'b', blocked_by=None)", "add_task", "blocked_by must be a list or another sequence, not NoneType"),
        ("tasks.update_task('a', {'title': 'b'})", "update_task", "patch must be gg.tasks.TaskPatch, not dict"),
        ("tasks.update_task('a', gg.tasks.TaskPatch(status='done'))", "update_task", "patch.status must be one of TaskStatus.PENDING, TaskStatus.IN_PROGRESS, TaskStatus.DONE, not str"),
        ("tasks.update_task('a', gg.tasks.TaskPatch(status=gg.board.IssueStatus.DONE))", "update_task", "not IssueStatus"),
        ("tasks.update_task('a', gg.tasks.TaskPatch(description=3))", "update_task", "patch.description must be str, not int"),
        ("tasks.update_task('a', gg.tasks.TaskPatch(title=gg.core.UNCHANGED))", "update_task", "patch.title must be str, not Unchanged"),
        ("docs.search(kind='type')", "search", "kind must be one of DocKind.MODULE"),
        ("delegation.spawn_subagent('a', 'do it')", "spawn_subagent", "task must be gg.delegation.SubagentTaskPrompt or gg.delegation.SubagentTaskIssue, not str"),
        ("delegation.spawn_subagent('a', gg.delegation.SubagentTaskPrompt(3))", "spawn_subagent", "task.value must be str, not int"),
        ("context.archive_thread([gg.context.TurnRange(1, -2)])", "archive_thread", "ranges[0].end must be from 0 to 4294967295, not -2"),
        ("context.archive_thread([(1, 2)])", "archive_thread", "ranges[0] must be gg.context.TurnRange, not tuple"),
        ("context.archive_thread(gg.context.TurnRange(1, 2))", "archive_thread", "ranges must be a list or another sequence"),
        ("session.request_changes(['a', b'b'])", "request_changes", "items[1] must be str, not bytes"),
        ("views.open_docs_view(gg.files.read_file)", "open_docs_view", "name must be str, not function"),
    ],
)  # fmt: skip
def test_a_malformed_argument_fails_in_the_guest(run: Any, call: str, operation: str, says: str) -> None:
    program = f"""
import gg
try:
    gg.{call}
except gg.core.ApiError as error:
    assert error.code is gg.core.ApiErrorCode.INVALID_ARGUMENT
    assert error.operation == {operation!r}, error.operation
    assert str(error) == f"{operation}: invalid-argument: {{error.message}}"
    print(error.message)
"""
    (line,) = run.logs(program)
    assert says in line
    assert run.calls == []


def test_a_malformed_call_of_a_refused_operation_is_malformed(run: Any) -> None:
    from gg_host import Grant

    report = run("import gg\ngg.shell.shell(3)\n", grant=Grant())
    assert report.error_type == "program_api_error"
    assert report.refusals == ()


@pytest.mark.parametrize(
    "call", ["files.read_file()", "files.read_file('a', 1)", "files.read_file('a', nope=1)", "session.approve(1)"]
)
def test_a_call_of_another_shape_is_pythons_own_error(run: Any, call: str) -> None:
    report = run(f"import gg\ngg.{call}\n")
    assert (report.error_type, report.location) == ("program_throw", "line 2, column 1")
    assert "TypeError" in report.text


EDGES = ["", "a" * (1 << 20), "é😀\U0010ffff", "a\0b", "\r\n\u2028", "\ufeff", "\u0000" * 3]


def test_text_arrives_as_it_was(run: Any) -> None:
    program = f"import gg\nfor text in {EDGES[0:1] + EDGES[2:]!r} + ['a' * (1 << 20)]:\n    print(gg.files.write_file(text, text))\n"
    lines = run.logs(program, lambda _operation, arguments: len(arguments[1].encode()))
    texts = [*EDGES[0:1], *EDGES[2:], EDGES[1]]
    assert [arguments for _, arguments in run.calls] == [(text, text) for text in texts]
    assert lines == [str(len(text.encode())) for text in texts]


def test_subclasses_of_text_and_numbers_are_what_they_are(run: Any) -> None:
    program = """
import enum, gg
class Path(str):
    def __str__(self): return "another"
    def encode(self, *a): raise RuntimeError
class N(enum.IntEnum):
    TWO = 2
class F(float): pass
gg.files.read_file(Path("own"), offset=N.TWO)
gg.shell.shell("x", timeout_secs=F(1.5))
gg.shell.shell("x", timeout_secs=3)
gg.shell.shell("x", timeout_secs=float("nan"))
"""
    text, output = t.FileReadText(t.FileText("", 0, 0, 0, False)), t.ShellOutput(0, "", False)
    run.logs(program, lambda operation, _arguments: text if operation == "files.read_file" else output)
    assert run.calls[0] == ("files.read_file", ("own", 2, None))
    assert run.calls[1:3] == [("shell.shell", ("x", 1.5)), ("shell.shell", ("x", 3.0))]
    assert run.calls[3][1][1] != run.calls[3][1][1]


def test_sequences_of_any_kind_are_lists(run: Any) -> None:
    program = """
import collections, gg
for each in (["a"], ("a",), collections.deque(["a"]), collections.UserList(["a"])):
    gg.tasks.set_blocked_by("t", each)
"""
    run.logs(program)
    assert [arguments for _, arguments in run.calls] == [("t", ["a"])] * 4


def test_changes_of_three_kinds(run: Any) -> None:
    program = """
import gg
P = gg.board.IssuePatch
for patch in (P(), P(description=None, epic=None), P(description="d", epic="e", title="t", status=gg.board.IssueStatus.IN_PROGRESS),
              P(description=gg.core.UNCHANGED)):
    gg.board.update_issue("A-1", patch)
gg.board.create_issue("t", "in", "out", "done", "agent", reviewers=["r"])
"""
    usage = t.BoardUsage(1, 2, 3, 4)
    run.logs(program, lambda operation, _: t.CreatedIssue("A-1", usage) if operation == "board.create_issue" else None)
    patches = [arguments[1] for _, arguments in run.calls[:4]]
    keep = (t.TextEditKeep(), t.EpicAssignmentKeep())
    assert [(patch.description, patch.epic) for patch in patches] == [
        keep, (t.TextEditClear(), t.EpicAssignmentUngroup()), (t.TextEditSet("d"), t.EpicAssignmentSet("e")), keep
    ]  # fmt: skip
    assert (patches[2].title, patches[2].status) == ("t", t.IssueStatus.IN_PROGRESS)
    issue = run.calls[4][1][0]
    assert (issue.title, issue.agent, issue.description, issue.blocked_by, issue.reviewers) == (
        "t",
        "agent",
        None,
        [],
        ["r"],
    )


RESULTS: dict[str, tuple[str, Any, str]] = {
    "file as text": ("files.read_file('a')", t.FileReadText(t.FileText("é\n", 1, 1, 1, True)),
                     "FileText(contents='é\\n', first_line=1, last_line=1, total_lines=1, byte_truncated=True)"),
    "file as picture": ("views.open_file('a')", t.FileReadImage(t.FileImage("image/png", "a", 2**64 - 1, False, "why")),
                        "FileImage(media_type='image/png', label='a', bytes=18446744073709551615, shown=False, not_shown_reason='why')"),
    "list of records": ("files.list_dir()", [t.DirEntry("a", t.EntryKind.DIRECTORY), t.DirEntry("b", t.EntryKind.OTHER)],
                        "[DirEntry(name='a', kind=<EntryKind.DIRECTORY: 'directory'>), DirEntry(name='b', kind=<EntryKind.OTHER: 'other'>)]"),
    "empty list": ("files.search('a')", [], "[]"),
    "option": ("shell.shell('a')", t.ShellOutput(None, "", False), "ShellOutput(exit_code=None, output='', truncated=False)"),
    "negative": ("shell.shell('a')", t.ShellOutput(-(2**31), "", True), "ShellOutput(exit_code=-2147483648, output='', truncated=True)"),
    "nested": ("context.search_archive('a')", t.ArchiveHits(False, [t.ArchiveHit(2**64 - 1, t.ArchiveRole.TOOL, "x")]),
               "ArchiveHits(archive_empty=False, hits=[ArchiveHit(seq=18446744073709551615, role=<ArchiveRole.TOOL: 'tool'>, text='x')])"),
    "optional record": ("views.current()", [t.OpenView(t.ViewKind.FILE, "a", 1, t.ViewRegion(1, 2)), t.OpenView(t.ViewKind.DOCS, "b", 0, None)],
                        "[OpenView(kind=<ViewKind.FILE: 'file'>, selector='a', tokens=1, region=ViewRegion(offset=1, limit=2)), OpenView(kind=<ViewKind.DOCS: 'docs'>, selector='b', tokens=0, region=None)]"),
    "optional enum": ("delegation.wait_for_subagents()", [t.SubagentOutcome("a", None, ""), t.SubagentOutcome("b", t.SubagentStatus.TIMED_OUT, "s")],
                      "[SubagentOutcome(id='a', status=None, summary=''), SubagentOutcome(id='b', status=<SubagentStatus.TIMED_OUT: 'timed-out'>, summary='s')]"),
    "nothing": ("tasks.complete_task('x')", None, "None"),
}  # fmt: skip


@pytest.mark.parametrize("case", RESULTS)
def test_results_are_values_of_the_sdk(run: Any, case: str) -> None:
    call, result, shown = RESULTS[case]
    assert run.logs(f"import gg\nprint(repr(gg.{call}))\n", lambda *_: result) == [shown]


def test_results_are_frozen_and_match_by_class(run: Any) -> None:
    program = """
import dataclasses, gg
match gg.files.read_file("a"):
    case gg.files.FileText(contents=text, total_lines=1):
        print(text)
text = gg.files.read_file("a")
assert isinstance(text, gg.files.FileRead) and text == gg.files.read_file("a") and hash(text)
try:
    text.contents = "other"
except dataclasses.FrozenInstanceError:
    print("frozen")
print(dataclasses.replace(text, contents="b").contents, not hasattr(text, "__dict__"))
"""
    answer = t.FileReadText(t.FileText("words", 1, 1, 1, False))
    assert run.logs(program, lambda *_: answer) == ["words", "frozen", "b True"]


def test_ten_thousand_calls_and_failures_in_one_run(run: Any) -> None:
    from gg_host.failures import ErrorCode, Failure

    def answer(operation: str, _arguments: tuple[Any, ...]) -> Any:
        if operation == "files.read_text_file":
            return "x"
        raise Failure(ErrorCode.NOT_FOUND, "no")

    program = """
import gg
failed = 0
for n in range(10_000):
    assert gg.files.read_text_file("a") == "x"
    try:
        gg.files.edit_file("a", "b", "c")
    except gg.core.ApiError as error:
        failed += error.code is gg.core.ApiErrorCode.NOT_FOUND
print(failed)
"""
    assert run.logs(program, answer, seconds=60) == ["10000"]
