"""Clock, randomness and the log: all of the machine that a program sees."""

from __future__ import annotations

from typing import Any

import pytest

SHOWN = [
    ("'text', 1, true, null, undefined", "text 1 true null undefined"),
    ("-0, NaN, 10n, Symbol('s')", "-0 NaN 10n Symbol(s)"),
    ("{ a: 1, 'b-c': 'x', [Symbol('k')]: [] }", '{ a: 1, "b-c": "x", [Symbol(k)]: [] }'),
    ("[1, , 'a']", '[ 1, <empty>, "a" ]'),
    ("new Map([[{ a: 1 }, new Set(['x'])]])", 'Map(1) { { a: 1 } => Set(1) { "x" } }'),
    ("() => 1, class A {}, function f() {}", "[Function: (anonymous)] [class A] [Function: f]"),
    ("new (class Point { x = 1 })()", "Point { x: 1 }"),
    ("Object.create(null)", "[Object: null prototype] {}"),
    ("new Date(0), new Date(NaN), /a/gi", "1970-01-01T00:00:00.000Z Invalid Date /a/gi"),
    ("{ get x() { throw 1; } }, new Proxy({}, {})", "{ x: [Getter] } [Proxy]"),
    ("Promise.resolve(1)", "Promise { <fulfilled> }"),
    ("(() => { const a = {}; a.a = a; return a; })()", "{ a: [Circular] }"),
    ("{ a: { b: { c: { d: { e: { f: 1 } } } } } }", "{ a: { b: { c: { d: { e: [Object] } } } } }"),
    ("'%s is %d%% of %o', 'x', 5, { a: 1 }, 'more'", "x is 5% of { a: 1 } more"),
    ("'%d %i %f', '7', 1.9, 1.5", "7 1 1.5"),
    ("'100%'", "100%"),
    ("'%s'", "%s"),
    ("'a\\ud800b'", "a\ufffdb"),
    ("new Uint8Array(2)", 'Uint8Array { "0": 0, "1": 0 }'),
]


@pytest.mark.parametrize(("values", "line"), SHOWN, ids=[row[0][:40] for row in SHOWN])
def test_values_are_put_in_words(run: Any, values: str, line: str) -> None:
    report = run(f"console.log({values});")
    assert report.error_type is None, report.text
    assert " ".join(part.strip() for part in report.logs) == line


def test_a_pattern_is_put_in_words_without_the_programs_code(run: Any) -> None:
    report = run(
        """
        const own = /a\\/b/giy;
        own.toString = () => { throw new Error("called"); };
        RegExp.prototype.toString = own.toString;
        Object.defineProperty(RegExp.prototype, "flags", { get: own.toString });
        console.log(own, /c/dmsu, /d/v, new RegExp(""));
        """
    )
    assert report.logs == ("/a\\/b/giy /c/dmsu /d/v /(?:)/",), report.text


def test_a_large_value_is_laid_out_over_lines_and_cut_with_a_count(run: Any) -> None:
    report = run("console.log(Array.from({ length: 1000 }, (_, i) => ({ i })));")
    assert (report.logs[0], report.logs[-1]) == ("[", "]")
    assert report.logs[-2] == "  ... 900 more"


def test_a_value_shared_many_times_over_does_not_grow_without_bound(run: Any) -> None:
    report = run("""
      let a = [1];
      for (let i = 0; i < 40; i++) a = [a, a];
      console.log(Array(100).fill(Array(100).fill(Array(100).fill(a))));
    """)
    assert report.error_type is None
    assert report.times.guest_cpu < 2_000_000_000


def test_a_line_of_text_is_a_line_of_the_log(run: Any) -> None:
    report = run(
        "console.log('one\\ntwo\\n'); console.warn('three'); console.error(); console.debug(''); console.info('end');"
    )
    assert report.logs == ("one", "two", "", "three", "", "", "end")


def test_the_clock_is_the_runs_own(run: Any) -> None:
    report = run(
        "console.log(Date.now() === new Date().getTime() || 'ticked', new Date().getTimezoneOffset(), Date.now());"
    )
    assert report.logs[0].split()[1] == "0"
    assert abs(int(report.logs[0].split()[2]) - report.clock_start_ns // 1_000_000) < 60_000


def test_random_numbers_differ_from_run_to_run_and_fill_their_range(run: Any) -> None:
    program = """
      const n = Array.from({ length: 1000 }, Math.random);
      console.log(n.every((x) => 0 <= x && x < 1), Math.min(...n) < 0.02, Math.max(...n) > 0.98, n[0]);
    """
    first, second = run(program).logs[0], run(program).logs[0]
    assert first.startswith("true true true ")
    assert first != second


def test_what_a_browser_or_node_has_is_not_there(run: Any) -> None:
    names = [
        "process",
        "require",
        "setTimeout",
        "fetch",
        "performance",
        "navigator",
        "window",
        "document",
        "Deno",
        "Bun",
        "std",
        "os",
        "print",
        "scriptArgs",
        "Worker",
    ]
    report = run("console.log(" + ", ".join(f"typeof {name}" for name in names) + ");")
    assert report.logs == (" ".join(["undefined"] * len(names)),)
