"""How a program's own failure is told."""

from __future__ import annotations

from typing import Any

import pytest
from gg_host.failures import ErrorCode, Failure


@pytest.mark.parametrize(
    ("program", "filed", "location", "says"),
    [
        ("x = 1\nif x\n", "program_throw", "line 2, column 5", "SyntaxError: expected ':'"),
        ("a = 'é' ; b = (", "program_throw", "line 1, column 15", "'(' was never closed"),
        ("x = 'éé😀' + nope\n", "program_unknown_name", "line 1, column 13", "NameError: name 'nope' is not defined"),
        (
            "def f():\n    raise ValueError('own words')\n\n\nf()\n",
            "program_throw",
            "line 2, column 5",
            "ValueError: own words",
        ),
        ("import json\njson.loads('{')\n", "program_throw", "line 2, column 1", "JSONDecodeError"),
        ("raise 42\n", "program_throw", "line 1, column 1", "exceptions must derive from BaseException"),
        ("raise KeyboardInterrupt\n", "program_throw", "line 1, column 1", "KeyboardInterrupt"),
        ("import sys\nsys.exit()\n", "program_throw", "line 2, column 1", "SystemExit"),
        ("import sys\nsys.exit(0)\n", "program_throw", "line 2, column 1", "SystemExit: 0"),
        ("exit(7)\n", "program_throw", "line 1, column 1", "SystemExit: 7"),
        ("import nowhere\n", "program_throw", "line 1, column 1", "No module named 'nowhere'"),
        ("\0", "program_throw", None, "null bytes"),
        (
            "raise ExceptionGroup('many', [ValueError(1), TypeError(2)])\n",
            "program_throw",
            "line 1, column 1",
            "TypeError: 2",
        ),
        ("raise Exception('\\ud800')\n", "program_throw", "line 1, column 1", "\\ud800"),
        ("class E(Exception):\n    def __str__(self): return 3\nraise E\n", "program_throw", "line 3, column 1", "E"),
        ("async def f(): pass\nawait f()\n", "program_throw", "line 2, column 1", "'await' outside function"),
    ],
)
def test_kind_place_and_words(run: Any, program: str, filed: str, location: str | None, says: str) -> None:
    report = run(program)
    assert (report.error_type, report.location) == (filed, location), report.text
    assert says in report.text


def test_a_failed_call_has_its_code_and_no_frame_of_the_sdk(run: Any) -> None:
    def answer(_operation: str, _arguments: tuple[Any, ...]) -> Any:
        raise Failure(ErrorCode.CONFLICT, "the text occurs 3 times")

    report = run("import gg\n\ngg.files.edit_file('a', 'b', 'c')\n", answer)
    assert (report.error_type, report.location) == ("program_api_error", "line 3, column 1")
    assert "gg.core.ApiError: edit_file: conflict: the text occurs 3 times" in report.text
    assert "crossing" not in report.text
    assert report.text.count("File ") == 1


def test_a_refused_call_is_an_unknown_name(run: Any) -> None:
    from gg_host import Grant

    report = run("import gg\ngg.shell.shell('ls')\n", grant=Grant())
    assert report.error_type == "program_unknown_name"
    assert "`gg.shell.shell` is not available." in report.text
    assert run.calls == []


def test_a_missing_name_of_the_sdk_lists_what_the_module_declares(run: Any) -> None:
    report = run("import gg\ngg.shell.run('ls')\n")
    assert report.error_type == "program_unknown_name"
    assert "module 'gg.shell' has no attribute 'run'" in report.text
    assert "gg.shell declares: ShellOutput, shell" in report.text
    assert run("import math\nmath.nope\n").error_type == "program_throw"


def test_a_failure_of_its_own_keeps_the_code_the_program_gave(run: Any) -> None:
    program = "import gg\nraise gg.core.ApiError(gg.core.ApiErrorCode.OTHER, 'step', 'by itself')\n"
    report = run(program)
    assert report.error_type == "program_api_error"
    assert "step: other: by itself" in report.text


@pytest.mark.parametrize(
    ("depth", "left_out"), [(15, None), (16, "(1 frames left out)"), (500, "(485 frames left out)")]
)
def test_a_long_traceback_is_cut_in_the_middle(run: Any, depth: int, left_out: str | None) -> None:
    lines = [f"def f{n}(): f{n + 1}()" for n in range(depth - 1)]
    program = "\n".join([*lines, f"def f{depth - 1}(): 1 / 0", "f0()"])
    report = run(program)
    shown = report.text.count('File "program.py"')
    assert shown == min(depth + 1, 16)
    assert ("frames left out" in report.text) == (left_out is not None)
    assert left_out is None or left_out in report.text
    assert f"in f{depth - 1}\n" in report.text
    assert "in f0\n" in report.text


def test_causes_are_told_and_the_error_itself_is_last(run: Any) -> None:
    program = "try:\n    {}['k']\nexcept KeyError as error:\n    raise ValueError('outer') from error\n"
    report = run(program)
    assert report.location == "line 4, column 5"
    assert (
        report.text.index("KeyError: 'k'") < report.text.index("direct cause") < report.text.index("ValueError: outer")
    )


def test_a_chain_of_a_thousand_causes_is_cut(run: Any) -> None:
    program = "e = None\nfor n in range(1000):\n    f = ValueError(n); f.__cause__ = e; e = f\nraise e\n"
    report = run(program)
    assert "ValueError: 999" in report.text
    assert "ValueError: 996" in report.text
    assert "ValueError: 990" not in report.text


def test_a_message_without_end_is_cut(run: Any) -> None:
    report = run("raise Exception('a' * 1_000_000 + 'the end')\n")
    assert "characters left out)" in report.text
    assert "the end" in report.text
    assert len(report.text) < 9000


def test_memory_that_ran_out_is_told_as_such(run: Any) -> None:
    report = run("kept = []\nwhile True:\n    kept.append(bytearray(1 << 20))\n", memory=96 << 20)
    assert report.error_type == "sandbox_out_of_memory", report.text
    assert run("print(len(bytes(50 << 20)))\n", memory=96 << 20).logs == (str(50 << 20),)


def test_memory_that_ran_out_in_small_pieces(run: Any) -> None:
    report = run("kept = []\nwhile True:\n    kept.append([len(kept)])\n", memory=96 << 20)
    assert report.error_type == "sandbox_out_of_memory", report.text


def test_nesting_too_deep_to_read_is_no_lack_of_memory(run: Any) -> None:
    report = run("x = " + "(" * 100_000)
    assert report.error_type == "program_throw", report.text


@pytest.mark.parametrize("status", [0, 3, -1, 255])
def test_an_exit_that_no_handler_sees_tells_its_status(run: Any, status: int) -> None:
    program = f"import os\nprint('before', end='')\ntry:\n    os._exit({status})\nfinally:\n    print('never')\n"
    report = run(program)
    assert report.error_type == "sandbox_trap"
    assert f"status {status}" in report.text
    assert report.logs == ("before",)


def test_exit_by_the_module_below(run: Any) -> None:
    assert "status 5" in run("import posix\nposix._exit(5)\n").text
    assert run("import os\nos._exit('3')\n").error_type == "program_throw"


def test_an_abort_is_a_trap_that_says_so(run: Any) -> None:
    report = run("import os\nprint('before')\nos.abort()\n")
    assert report.error_type == "sandbox_trap"
    assert "Fatal Python error: Aborted" in report.stderr
    assert report.logs == ("before",)


def test_what_was_printed_before_a_failure_is_there(run: Any) -> None:
    report = run("import sys\nprint('whole')\nprint('half', end='')\nprint('err', end='', file=sys.stderr)\n1 / 0\n")
    assert report.logs == ("whole", "half")
    assert report.stderr == "err"


def test_exit_functions_run_and_their_output_is_kept(run: Any) -> None:
    assert run.logs("import atexit\natexit.register(print, 'at the end')\nprint('first')\n") == ["first", "at the end"]


def test_the_program_is_main_and_its_names_are_its_own(run: Any) -> None:
    program = "print(__name__, sorted(n for n in globals() if not n.startswith('__')), __file__)\n"
    assert run.logs(program) == ["__main__ [] program.py"]
    program = "import sys\nx = 5\nprint(sys.modules['__main__'].x)\nimport dataclasses, pickle\n"
    program += "@dataclasses.dataclass\nclass P:\n    a: int\nprint(pickle.loads(pickle.dumps(P(3))))\n"
    assert run.logs(program) == ["5", "P(a=3)"]


def test_a_byte_order_mark_is_no_error(run: Any) -> None:
    assert run.logs("\ufeffprint(1)\n") == ["1"]


def test_a_traceback_the_program_prints_itself_shows_its_lines(run: Any) -> None:
    report = run("import traceback\ntry:\n    [][3]\nexcept IndexError:\n    traceback.print_exc()\n")
    assert "    [][3]\n" in report.stderr
    assert report.outcome.value == "progressed"
