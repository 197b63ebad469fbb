"""Values that cross both ways, at their edges."""

from __future__ import annotations

import json
from typing import Any

import pytest
from gg_host.generated.types import FileImage, FileReadImage, ProgramEntry, ShellOutput

EDGES = [
    "",
    "a",
    "\x00",
    "a\x00b",
    "é",
    "\u2028",
    "\U0001f600",
    "\ufeff",
    "x" * (1 << 20),
    "é" * 300_000,
    "\U0001f600" * 9,
]


@pytest.mark.parametrize("text", EDGES, ids=lambda text: f"{text[:1]!r}*{len(text)}")
def test_text_is_the_same_on_both_sides(run: Any, text: str) -> None:
    seen: list[str] = []

    def write(_: str, contents: str) -> int:
        seen.append(contents)
        return len(contents)

    program = f"""
      import {{ files }} from "gg";
      const text = {json.dumps(text)};
      files.writeFile("a", text);
      console.log(files.readTextFile("a") === text, text.length);
    """
    answers = {"files.write_file": write, "files.read_text_file": text}
    report = run(program, answers=answers)
    assert report.error_type is None, report.text
    assert seen == [text]
    assert report.logs == (f"true {len(text.encode('utf-16-le')) // 2}",)


@pytest.mark.parametrize("size", [0, 1, 2**31, 2**32, 2**53 - 1])
def test_a_large_number_is_exact(run: Any, size: int) -> None:
    report = run(
        'import { files } from "gg";\nconsole.log(files.writeFile("a", ""));', answers={"files.write_file": size}
    )
    assert report.logs == (str(size),)


@pytest.mark.parametrize("size", [2**53, 2**64 - 1])
def test_a_number_that_would_not_be_exact_fails_loudly(run: Any, size: int) -> None:
    report = run('import { files } from "gg";\nfiles.writeFile("a", "");', answers={"files.write_file": size})
    assert report.error_type == "program_throw"
    assert f"RangeError: the call gave {size}, which a number cannot hold exactly" in report.text


@pytest.mark.parametrize(
    ("written", "arrived"), [("0.5", 0.5), ("-0", -0.0), ("Infinity", float("inf")), ("1e308", 1e308)]
)
def test_a_float_arrives(run: Any, written: str, arrived: float) -> None:
    seen: list[float] = []

    def shell(_: str, timeout: float) -> Any:
        seen.append(timeout)
        return ShellOutput(exit_code=None, output="", truncated=False)

    report = run(
        f'import {{ shell }} from "gg";\nconsole.log(shell.shell("ls", {{ timeoutSecs: {written} }}));',
        answers={"shell.shell": shell},
    )
    assert seen == [arrived]
    assert report.logs == ('{ exitCode: undefined, output: "", truncated: false }',)


def test_a_variant_is_told_by_its_kind_and_an_absent_field_is_undefined(run: Any) -> None:
    image = FileImage(media_type="image/png", label="a", bytes=3, shown=False, not_shown_reason=None)
    program = """
      import { files } from "gg";
      console.log(JSON.stringify(Object.entries(files.readFile("a"))));
    """
    report = run(program, answers={"files.read_file": FileReadImage(image)})
    assert json.loads(report.logs[0]) == [
        ["kind", "image"], ["mediaType", "image/png"], ["label", "a"], ["bytes", 3], ["shown", False],
        ["notShownReason", None],
    ]  # fmt: skip


def test_a_list_of_records_is_an_array_of_plain_objects(run: Any) -> None:
    entries = [ProgramEntry(turn=turn, lines=1, chars=2, ok=turn > 0, error=None if turn else "e") for turn in (0, 1)]
    report = run(
        """
          import { programs } from "gg";
          const entries = programs.history();
          console.log(Array.isArray(entries), Object.getPrototypeOf(entries[0]) === Object.prototype, entries);
        """,
        answers={"programs.history": entries},
    )
    assert "".join(report.logs).startswith('true true [  { turn: 0, lines: 1, chars: 2, ok: false, error: "e" },')


def test_ten_thousand_calls_leave_no_memory_behind(run: Any) -> None:
    program = """
      import { files } from "gg";
      for (let i = 0; i < COUNT; i++) files.readTextFile("a" + i, { offset: i });
    """
    few, many = (
        run(program.replace("COUNT", count), answers={"files.read_text_file": "x" * 10_000})
        for count in ("100", "10000")
    )
    assert many.calls_count == 10_000
    assert many.peak_memory_bytes <= few.peak_memory_bytes + (1 << 20)
