"""Programs through the real compiler, confined as in use."""

from __future__ import annotations

from typing import Any

import pytest
from gg_arm_kit.errors import KitError
from gg_arm_kit.seam import Location, Prepared, RefusalKind, Refused, TextForm

REFUSED = [
    ("let x = ;", RefusalKind.SYNTAX, 1, 9, "TS1109"),
    ("\n\n  process.exit(3);", RefusalKind.COMPILE, 3, 3, "TS2591"),
    ('import { nothing } from "gg";\nnothing();', RefusalKind.COMPILE, 1, 10, "TS2305"),
    ('import { readFileSync } from "fs";\nreadFileSync("x");', RefusalKind.COMPILE, 1, 30, "TS2591"),
    ('import { files } from "gg";\nfiles.readFile(3);', RefusalKind.COMPILE, 2, 16, "TS2345"),
    ('import { files } from "gg";\nfiles.readFile("a", { ofset: 1 });', RefusalKind.COMPILE, 2, 23, "TS2561"),
    ('import { files } from "gg";\nfiles.readFile("a").contents;', RefusalKind.COMPILE, 2, 21, "TS2339"),
    ("document.title;", RefusalKind.COMPILE, 1, 1, "TS2584"),
    ("setTimeout(() => 1, 2);", RefusalKind.COMPILE, 1, 1, "TS2304"),
    ("const f = (x) => x;", RefusalKind.COMPILE, 1, 12, "TS7006"),
    ("files.readFile('a');", RefusalKind.COMPILE, 1, 1, "TS2304"),
    ("gg.files.readFile('a');", RefusalKind.COMPILE, 1, 1, "TS2304"),
    ('import gg from "gg";\ngg;', RefusalKind.COMPILE, 1, 8, "TS1192"),
]


@pytest.mark.parametrize(("program", "kind", "line", "column", "code"), REFUSED, ids=[row[0][:40] for row in REFUSED])
def test_what_the_compiler_refuses(
    prepare: Any, program: str, kind: RefusalKind, line: int, column: int, code: str
) -> None:
    refused = prepare(program)
    assert isinstance(refused, Refused), refused
    assert refused.diagnostics.startswith(f"program.ts({line},{column}): error {code}: ")
    assert refused.location == Location("program.ts", line, column)
    expected = RefusalKind.SYNTAX if code.startswith("TS1") else kind
    assert refused.kind is expected


ACCEPTED = [
    "",
    "// nothing\n",
    "\ufeffconsole.log(1);",
    "enum Colour { Red, Green }\nconsole.log(Colour[0]);",
    "namespace A { export const b = 1; }\nconsole.log(A.b);",
    "class P { constructor(readonly x: number) {} }\nconsole.log(new P(1).x);",
    "function logged(_f: unknown, _: unknown) {}\nclass C { @logged m() {} }\nnew C().m();",
    'import * as gg from "gg";\nconst f: typeof gg.files.readFile = gg.files.readFile;\nconsole.log(typeof f);',
    'import type { files } from "gg";\nlet read: files.FileRead | undefined;\nconsole.log(read);',
    "await Promise.resolve(1);\nqueueMicrotask(() => {});",
    "console.log([3, 1, 2].toSorted().findLast((n) => n > 1));",
]


@pytest.mark.parametrize("program", ACCEPTED)
def test_what_the_compiler_accepts_runs(prepare: Any, run: Any, program: str) -> None:
    made = prepare(program)
    assert isinstance(made, Prepared), made
    assert isinstance(made.form, TextForm)
    report = run(program)
    assert report.error_type is None, report.text


FAULTS = [
    ("interface A {\n  b: number;\n}\nconst a: A[] = [];\nconsole.log(a[0].b);\n", "program.ts:5:13"),
    ("type N =\n  | 1;\n\nfunction fail(x: N): never {\n  throw new Error(`${x}`);\n}\nfail(1);\n", "program.ts:5:9"),
    # Columns are those of the compiler, in UTF-16 units: the two characters in quotes take two each.
    ("enum E { A }\n\nconst é: string = '\U0001f600\U0001f600'; (undefined as any).x;\n", "program.ts:3:28"),
]


@pytest.mark.parametrize(("program", "location"), FAULTS)
def test_a_fault_is_told_at_its_place_in_the_program(run: Any, program: str, location: str) -> None:
    report = run(program)
    assert report.error_type == "program_throw"
    assert report.location == location
    assert location in report.text
    assert "program.js" not in report.text


def test_bytes_that_are_no_text_are_refused_by_name(prepare: Any) -> None:
    with pytest.raises(KitError, match=r"program\.ts: not UTF-8: byte 3 is 0xff"):
        prepare(b"abc\xff")


def test_a_program_cannot_read_what_lies_outside(prepare: Any) -> None:
    for path in ("/etc/passwd", "/proc/self/environ", "../../secret"):
        refused = prepare(f'/// <reference path="{path}" />\nexport {{}};\n')
        assert isinstance(refused, Refused)
        assert "root:" not in refused.diagnostics


def test_types_without_an_end_do_not_take_the_host_down(prepare: Any) -> None:
    program = "type Grow<T extends unknown[]> = Grow<[...T, ...T, 1]>;\nlet x: Grow<[1]>;\nexport { x };\n"
    refused = prepare(program)
    assert isinstance(refused, Refused)
    assert refused.kind is RefusalKind.COMPILE


def test_the_same_program_gives_the_same_text(prepare: Any) -> None:
    program = "const x: number = 1;\nconsole.log(x);\n"
    assert prepare(program) == prepare(program)
