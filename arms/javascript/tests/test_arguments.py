"""Every malformed argument is refused in the guest: by the SDK's failure, before anything crosses."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

MALFORMED = tomllib.loads(Path(__file__).with_name("malformed.toml").read_text(encoding="utf-8"))["call"]


@pytest.mark.parametrize("call", MALFORMED, ids=[call["program"][:60] for call in MALFORMED])
def test_a_malformed_argument_is_a_failure_of_the_guest(run: Any, call: dict[str, str]) -> None:
    program = f"""
      import {{ core, context, delegation, files, memories, shell, tasks }} from "gg";
      try {{ {call["program"]}; }} catch (error) {{
        console.log(JSON.stringify([error instanceof core.ApiError, error instanceof Error, error.name, error]));
      }}
    """
    report = run(program)
    assert report.error_type is None, report.text
    failure = {"operation": call["operation"], "code": "invalid-argument", "message": call["message"]}
    assert json.loads(report.logs[0]) == [True, True, "ApiError", failure]
    assert report.calls_count == 0
    assert report.refusals == ()


def test_uncaught_it_ends_the_program_as_a_failed_call(run: Any) -> None:
    report = run('import { files } from "gg";\n\nfiles.readFile(3);\n')
    assert (report.error_type, report.location) == ("program_api_error", "program.js:3:7")
    assert "ApiError: `read_file` failed (invalid-argument): `path` must be a string, but is 3" in report.text


def test_what_a_getter_throws_goes_to_the_program(run: Any) -> None:
    report = run("""
      import { files } from "gg";
      const options = { get offset() { throw new RangeError("mine"); } };
      try { files.readFile("a", options); } catch (error) { console.log(error.message); }
    """)
    assert report.logs == ("mine",)
    assert report.calls_count == 0


def test_a_getter_may_call_the_sdk_itself(run: Any) -> None:
    program = """
      import { files } from "gg";
      const options = { get offset() { files.writeFile("inner", "x"); return 7; }, limit: 3 };
      files.readTextFile("outer", options);
    """
    seen: list[Any] = []

    def answer(*given: Any) -> Any:
        seen.append(given)
        return 1 if given[0] == "inner" else "text"

    answers = {"files.write_file": answer, "files.read_text_file": answer}
    assert run(program, answers=answers).error_type is None
    assert seen == [("inner", "x"), ("outer", 7, 3)]


def test_what_a_proxy_does_goes_to_the_program(run: Any) -> None:
    report = run("""
      import { files, memories } from "gg";
      const trap = () => { throw new RangeError("trapped"); };
      for (const handler of [{ ownKeys: trap }, { get: trap }])
        try { files.readFile("a", new Proxy({}, handler)); } catch (error) { console.log(error.message); }
      try { memories.searchMemories(new Proxy(["a"], {})); } catch (error) { console.log(error.code); }
    """)
    assert report.logs == ("trapped", "trapped", "invalid-argument")
    assert report.calls_count == 0


def test_extra_arguments_are_ignored_as_everywhere_in_the_language(run: Any) -> None:
    report = run('import { tasks } from "gg";\n["1", "2"].forEach(tasks.completeTask);')
    assert report.error_type is None, report.text
    assert report.calls_count == 2


@pytest.mark.parametrize(
    ("given", "arrived"),
    [
        ("{}", ("keep", None)),
        ("{ description: undefined }", ("keep", None)),
        ("{ description: null }", ("clear", None)),
        ("{ description: '' }", ("set", "")),
    ],
)
def test_a_three_way_change_arrives_as_its_case(run: Any, given: str, arrived: tuple[str, str | None]) -> None:
    seen: list[Any] = []
    report = run(
        f'import {{ tasks }} from "gg";\ntasks.updateTask("1", {given});',
        answers={"tasks.update_task": lambda _, patch: seen.append(patch.description)},
    )
    assert report.error_type is None, report.text
    (change,) = seen
    assert type(change).__name__.lower().endswith(arrived[0])
    assert getattr(change, "value", None) == arrived[1]
