# ruff: noqa: E501 -- a case of a table is one line, a program in it too
"""The generated SDK is what its documentation says, and the check that says so finds what is damaged."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from gg_arm_kit import source
from gg_arm_python.reflect import differences
from gg_host.generated import operations as generated

GENERATED = source.generated("python")


def test_what_signatures_json_says_is_what_griffe_reads() -> None:
    assert differences(GENERATED) == []


@pytest.mark.parametrize(
    ("file", "old", "new", "names"),
    [
        ("files.py", "offset: int | None = None", "offset: int = 0", "gg.files.read_file"),
        ("files.py", "def write_file(path: str, contents: str) -> int", "def write_file(path: str) -> int", "gg.files.write_file"),
        ("tasks.py", 'DONE = "done"', 'DONE = "finished"', "gg.tasks.TaskStatus"),
        ("files.py", "total_lines: int\n", "total_lines: str\n", "gg.files.FileText"),
        ("files.py", "@dataclass(frozen=True, slots=True)\nclass DirEntry", "@dataclass(slots=True)\nclass DirEntry", "gg.files.DirEntry"),
        ("delegation.py", "SubagentTask = SubagentTaskPrompt | SubagentTaskIssue", "SubagentTask = SubagentTaskPrompt", "gg.delegation.SubagentTask"),
        ("shell.py", '    "shell",\n', "", "gg.shell.shell"),
        ("shell.py", "Args:\n        command:", "Args:\n        order:", "gg.shell.shell"),
        ("shell.py", '"""Run a command', '"""Start a command', "gg.shell.shell"),
    ],
)  # fmt: skip
def test_damage_is_found(tmp_path: Path, file: str, old: str, new: str, names: str) -> None:
    shutil.copytree(GENERATED, tmp_path / "generated")
    path = tmp_path / "generated" / "gg" / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    assert any(complaint.startswith(f"{names}:") for complaint in differences(tmp_path / "generated"))


def test_no_name_without_its_line(run: Any) -> None:
    assert run("files.read_file('a')\n").error_type == "program_unknown_name"
    assert run("gg.files.read_file('a')\n").error_type == "program_unknown_name"
    assert run.logs("import builtins\nprint([n for n in dir(builtins) if 'gg' in n.lower()])\n") == ["[]"]


@pytest.mark.parametrize(
    "line",
    [
        "import gg",
        "from gg import files",
        "import gg.files",
        "from gg.files import read_file",
        "from gg.core import ApiError",
    ],
)
def test_import_lines(run: Any, line: str) -> None:
    assert run.logs(f"{line}\nprint('imported')\n") == ["imported"]


def test_the_component_binds_the_catalogue(host: Any) -> None:
    functions = json.loads((GENERATED / "signatures.json").read_text(encoding="utf-8"))["functions"]
    assert {function["operation"] for function in functions} == {row.id for row in generated.OPERATIONS}


def test_every_operation_reaches_the_host_function_of_its_own_name(run: Any) -> None:
    """Numbers of imports are read off the binding layer; a wrong one would call another operation."""
    from gg_host import full_grant
    from gg_host.failures import ErrorCode, Failure
    from gg_host.generated.types import EndingRole

    def answer(operation: str, _arguments: tuple[Any, ...]) -> Any:
        raise Failure(ErrorCode.CONFLICT, f"reached {operation}")

    program = """
import gg, inspect
GIVEN = {"str": "'x'", "int": "1", "Sequence[str]": "['x']", "IssuePatch": "gg.board.IssuePatch(title='x')",
         "TaskPatch": "gg.tasks.TaskPatch(title='x')", "SubagentTask": "gg.delegation.SubagentTaskPrompt('x')",
         "Sequence[TurnRange]": "[gg.context.TurnRange(1, 2)]"}
for module in gg.__all__:
    for name in getattr(gg, module).__all__:
        function = getattr(getattr(gg, module), name)
        if not inspect.isfunction(function):
            continue
        required = [p for p in inspect.signature(function).parameters.values() if p.default is p.empty]
        try:
            function(*[eval(GIVEN[p.annotation]) for p in required])
            print(module, name, "returned")
        except gg.core.ApiError as error:
            print(module, name, error.code.name, error.operation, error.message)
"""
    lines = []
    for role in (EndingRole.STANDARD, EndingRole.REVIEW):
        lines += run.logs(program, answer, grant=full_grant(role))
    reached = {line for line in lines if "CONFLICT" in line}
    wanted = {
        f"{namespace} {key} CONFLICT {key} reached {namespace}.{key}"
        for namespace, key in (row.id.split(".") for row in generated.OPERATIONS)
    }
    assert wanted - reached == set()


def test_the_package_is_typed() -> None:
    assert (GENERATED / "gg" / "py.typed").is_file()
    assert "gg" in {path.parent.name for path in GENERATED.glob("*/py.typed")}
