"""How a program ends, and what is told of it."""

from __future__ import annotations

from typing import Any

import pytest

ENDS = [
    # program, filed as, location, words
    ("throw 42;", "program_throw", None, "Uncaught 42"),
    ("throw null;", "program_throw", None, "Uncaught null"),
    ("throw undefined;", "program_throw", None, "Uncaught undefined"),
    ("throw 'words';", "program_throw", None, "Uncaught words"),
    ("throw Symbol('s');", "program_throw", None, "Uncaught Symbol(s)"),
    ("throw { a: [1, { b: 2 }] };", "program_throw", None, "Uncaught { a: [ 1, { b: 2 } ] }"),
    ("throw Object.freeze(new Error('kept'));", "program_throw", "program.js:1:21", "Error: kept"),
    ("throw Object.freeze({});", "program_throw", None, "Uncaught {}"),
    ("throw new Proxy({}, {});", "program_throw", None, "Uncaught [Proxy]"),
    ("class Mine extends Error {}\n\nfunction f() {\n  throw new Mine('m');\n}\nf();", "program_throw", None, "Mine: m"),
    ("const e = new Error('a\\ud800b'); throw e;", "program_throw", "program.js:1:11", "Error: a\ufffdb"),
    ("throw new Error('nul\\0nul');", "program_throw", "program.js:1:7", "Error: nul\0nul"),
    ("throw new Error('outer', { cause: new TypeError('inner') });", "program_throw", "program.js:1:7", "[cause]: TypeError: inner"),
    ("const e = new Error('x'); Object.defineProperty(e, 'message', { get() { for (;;); } }); throw e;", "program_throw", "program.js:1:11", "Error"),
    ("missing;", "program_unknown_name", "program.js:1:1", "ReferenceError: missing is not defined"),
    ("x; let x = 1;", "program_unknown_name", "program.js:1:1", "ReferenceError"),
    ("let x = ;", "program_throw", "program.js:1:9", "SyntaxError"),
    ("JSON.parse('{');", "program_throw", "program.js:1:6", "SyntaxError"),
    ("await Promise.reject(new Error('late'));", "program_throw", "program.js:1:22", "Error: late"),
    ("queueMicrotask(() => { throw new Error('micro'); });", "program_throw", "program.js:1:30", "Error: micro"),
    ("await new Promise(() => {});", "program_throw", None, "its `await` never returned"),
    ("const a = []; a[0] = a; JSON.stringify(a);", "program_throw", "program.js:1:30", "TypeError: circular reference"),
    ("function f() { f(); }\nf();", "program_throw", "program.js:1:16", "Maximum call stack size exceeded"),
    ("(function f() { [1, 2].sort(f); })();", "program_throw", "program.js:1:24", "Maximum call stack size exceeded"),
    ("JSON.stringify(Array.from({ length: 1e5 }).reduce((a) => [a], []));", "program_throw", "program.js:1:6", "Maximum call stack"),
    ("new Function('('.repeat(1e5));", "program_throw", None, "stack"),
    ("new Array(-1);", "program_throw", "program.js:1:1", "RangeError"),
    ("'x'.repeat(2 ** 31);", "program_throw", "program.js:1:5", "RangeError"),
]  # fmt: skip


@pytest.mark.parametrize(("program", "filed_as", "location", "words"), ENDS, ids=[row[0][:50] for row in ENDS])
def test_an_uncaught_error_is_told(run: Any, program: str, filed_as: str, location: str | None, words: str) -> None:
    report = run(program)
    assert report.error_type == filed_as, report.text
    assert words in report.text
    if location is not None:
        assert report.location == location


@pytest.mark.parametrize(
    "program",
    [
        "",
        "// nothing",
        "\ufeff1;",
        "#!/usr/bin/env node\n1;",
        "await 1;",
        "Promise.reject(1).catch(() => {});",
        "const p = Promise.reject(1); await null; p.catch(() => {});",
        "try { null.x } catch {}",
        "async function f() { throw 1; }\ntry { await f(); } catch {}",
        "export default 1;\nexport const a = 2;",
        "return_: { break return_; }",
    ],
)
def test_a_program_that_ends_well_is_told_as_such(run: Any, program: str) -> None:
    report = run(program)
    assert (report.outcome, report.error_type, report.text) == ("progressed", None, "")


def test_the_first_unobserved_failure_ends_it_and_the_others_are_told_beside(run: Any) -> None:
    report = run("for (const word of ['one', 'two', 'three']) (async () => { throw new Error(word); })();")
    assert report.error_type == "program_throw"
    assert "Error: one" in report.text
    assert [note.split("\n")[0] for note in report.deferred] == ["Error: two", "Error: three"]


def test_an_error_of_the_program_comes_before_unobserved_ones(run: Any) -> None:
    report = run("(async () => { throw new Error('beside'); })();\nthrow new Error('main');")
    assert "Error: main" in report.text
    assert [note.split("\n")[0] for note in report.deferred] == ["Error: beside"]


def test_a_failure_the_program_made_itself_is_filed_by_its_code(run: Any) -> None:
    made = 'import { core } from "gg";\nthrow new core.ApiError("mine", "CODE", "m");'
    assert run(made.replace("CODE", "other")).error_type == "program_api_error"
    assert run(made.replace("CODE", "no-such-code")).error_type == "program_throw"


def test_a_very_long_message_is_cut_with_a_count(run: Any) -> None:
    report = run("throw new Error('é'.repeat(1e6));")
    assert report.error_type == "program_throw"
    assert "more bytes)" in report.text
    assert len(report.text) < 20_000


LOOPS = [
    "for (;;);",
    "while (true) try { for (;;); } catch {} finally { continue; }",
    "const f = () => queueMicrotask(f); f();",
    "/^(a+)+$/.test('a'.repeat(40) + 'b');",
    "[2, 1].sort(() => { for (;;); });",
    "(async () => { for (;;) await null; })(); await new Promise(() => {});",
    "new Proxy({}, { get() { for (;;); } }).x;",
    "JSON.stringify({ toJSON() { for (;;); } });",
    "function* g() { for (;;) yield 1; }\nfor (const x of g());",
    "async function f() { try { for (let i = 0; ; i++) Math.sqrt(i); } catch { return 1; } }\nawait f().catch(() => 2); for (;;);",
]  # fmt: skip


@pytest.mark.parametrize("program", LOOPS)
def test_a_loop_without_an_end_is_stopped_by_the_engine(run: Any, program: str) -> None:
    report = run(program, timeout_secs=0.5)
    assert report.error_type == "sandbox_timeout"
    assert "InternalError: interrupted" in report.text
    assert report.times.guest_cpu <= 600_000_000


@pytest.mark.parametrize(
    "program",
    [
        "const a = []; for (;;) a.push(new Array(1000).fill(1));",
        "let s = 'x'; for (const kept = [];; kept.push(s)) s += 'x'.repeat(1e5);",
        "new ArrayBuffer(1e9);",
        "const m = new Map(); for (let i = 0; ; i++) m.set(i, { i });",
        "for (let i = 0, a = []; ; i++) a[i] = 'x'.repeat(1e5) + i;",
    ],
)
def test_memory_without_an_end_is_filed_as_such(run: Any, program: str) -> None:
    report = run(program, max_memory_bytes=48 << 20)
    assert report.error_type == "sandbox_out_of_memory", report.text
    assert report.peak_memory_bytes <= (48 << 20) + 65536


def test_want_of_memory_can_be_caught(run: Any) -> None:
    report = run(
        "try { const a = []; for (;;) a.push(new Array(1000).fill(1)); } catch (e) { console.log(e.message); }",
        max_memory_bytes=48 << 20,
    )
    assert report.error_type is None
    assert report.logs == ("out of memory",)
