"""How a program ends, and what is told of it."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

ENDS = tomllib.loads(Path(__file__).with_name("endings.toml").read_text(encoding="utf-8"))["end"]


@pytest.mark.parametrize("end", ENDS, ids=[end["program"].strip()[:50] for end in ENDS])
def test_an_uncaught_error_is_told(run: Any, end: dict[str, str]) -> None:
    report = run(end["program"])
    assert report.error_type == end["filed-as"], report.text
    assert end["words"] in report.text
    if "location" in end:
        assert report.location == end["location"]


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


@pytest.mark.parametrize("beyond", [0, 1, 15, 64])
def test_a_message_that_is_hardly_longer_is_whole(run: Any, beyond: int) -> None:
    """The note on what is missing would take more room than what it stands for."""
    words = "Uncaught " + "y" * (16 * 1024 + beyond - len("Uncaught "))
    report = run(f"throw '{words.removeprefix('Uncaught ')}';")
    assert report.error_type == "program_throw"
    assert words in report.text


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
    "async function f() { try { for (;;) Math.sqrt(1); } catch { return 1; } }\nawait f().catch(() => 2); for (;;);",
]


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
