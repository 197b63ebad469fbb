"""What a program does to built-in objects and to the SDK does not change what the SDK does."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from gg_host import Failure
from gg_host.failures import ErrorCode


def fail(*_: object) -> None:
    raise Failure(ErrorCode.CONFLICT, "taken")


ROWS = tomllib.loads(Path(__file__).with_name("pollutions.toml").read_text(encoding="utf-8"))["pollution"]
POLLUTIONS = {row["name"]: row["program"] for row in ROWS}


@pytest.mark.parametrize("pollution", POLLUTIONS.values(), ids=POLLUTIONS)
def test_a_failure_is_still_a_failure(run: Any, pollution: str) -> None:
    program = f'import {{ tasks }} from "gg";\n{pollution}\ntasks.completeTask("1");\nconsole.log("went on");'
    report = run(program, {"tasks.complete_task": fail})
    assert report.error_type == "program_api_error"
    assert "`complete_task` failed (conflict): taken" in report.text
    assert report.logs == ()


@pytest.mark.parametrize("pollution", POLLUTIONS.values(), ids=POLLUTIONS)
def test_a_result_is_still_a_result(run: Any, pollution: str) -> None:
    program = f"""
      import {{ files }} from "gg";
      const {{ log }} = console;
      {pollution}
      log(files.readTextFile("a"));
    """
    report = run(program, {"files.read_text_file": "kept"})
    assert report.error_type is None, report.text
    assert report.logs == ("kept",)


CHANGES = [
    "files.readFile = () => 'mine'",
    "delete files.readFile",
    "files.extra = 1",
    "Object.defineProperty(files, 'readFile', { value: 1 })",
    "Object.setPrototypeOf(files, {})",
    "files.readFile.extra = 1",
    "gg.files = {}",
    "delete gg.files",
    "core.ApiError = class {}",
    "core.ApiError.prototype.toJSON = () => 1",
    "Object.setPrototypeOf(core.ApiError, Array)",
]


@pytest.mark.parametrize("change", CHANGES)
def test_the_sdk_cannot_be_changed(run: Any, change: str) -> None:
    report = run(f"""
      import * as gg from "gg";
      import {{ core, files }} from "gg";
      try {{ {change}; console.log("changed"); }} catch (error) {{ console.log(error.constructor.name); }}
    """)
    assert report.logs == ("TypeError",)


def test_nothing_of_the_sdk_is_there_without_its_line(run: Any) -> None:
    report = run("console.log(typeof gg, typeof files, typeof core, Object.keys(globalThis).length);")
    assert report.logs == ("undefined undefined undefined 0",)


@pytest.mark.parametrize("name", ["fs", "node:fs", "os", "std", "gg:runtime", "gg:native", "./gg", "gg/", "Gg"])
def test_nothing_else_can_be_imported(run: Any, name: str) -> None:
    report = run(f'import * as other from "{name}";')
    assert report.error_type == "program_unknown_name"
    assert f"no module named '{name}'" in report.text
    caught = run(f'try {{ await import("{name}"); }} catch (error) {{ console.log(error.name); }}')
    assert caught.logs == ("ReferenceError",)


def test_a_default_import_is_not_offered(run: Any) -> None:
    report = run('import gg from "gg";')
    assert report.error_type == "program_throw"
    assert "SyntaxError" in report.text


def test_a_run_sees_nothing_of_the_one_before(run: Any) -> None:
    run("globalThis.left = 1; Object.prototype.left = 1; console.log = null;")
    report = run("console.log(typeof left, typeof {}.left);")
    assert report.logs == ("undefined undefined",)
