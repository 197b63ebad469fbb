"""The ``gg`` command: what it prints, how it fails, and that an interrupted run leaves nothing behind."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from gg_arm_kit import artifacts
from gg_arm_kit.errors import KitError
from gg_host.catalogue import load_catalogue
from gg_host.cli.app import run_command

GG = (sys.executable, "-m", "gg_host.cli")
FAILING = """// a read that fails
import { files, views, session } from "gg";

console.log("started");
views.openText("a label", "a body");
try { files.writeFile("a", "b"); } catch (error) { console.log(error.message); }
session.finish("done");
files.readTextFile("missing.md");
"""


@pytest.fixture(autouse=True)
def keep_signal_handler() -> Iterator[None]:
    """``run_command`` takes SIGTERM over, which is right for a process of its own and not for the tests'."""
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


@pytest.fixture(scope="session")
def javascript() -> str:
    """The id of an arm that is built; programs of these tests are in its language."""
    try:
        artifacts.load("javascript")
    except KitError as error:
        pytest.skip(f"{error.message}: {error.hint}")
    return "javascript"


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program.js"
    path.write_text('import { files } from "gg";\nconsole.log(files.readTextFile("notes.md").length);\n')
    (tmp_path / "notes.md").write_text("12345")
    return path


def gg(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = run_command([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def descendants(of: int) -> list[int]:
    """Every process below ``of``."""
    found = [of]
    for process in found:
        for task in Path(f"/proc/{process}/task").glob("*/children"):
            found += [int(child) for child in task.read_text().split()]
    return found[1:]


def alive(processes: list[int]) -> list[str]:
    """Those of ``processes`` that still run."""
    left = []
    for process in processes:
        try:
            state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
            command = Path(f"/proc/{process}/cmdline").read_text().replace("\0", " ")
        except OSError:
            continue
        if state not in "ZX":
            left.append(f"{process} {state} {command}")
    return left


# -- help and start ------------------------------------------------------------------------------------------------


def test_help_is_quick_and_loads_nothing_heavy() -> None:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    for _ in range(5):
        done = subprocess.run([*GG, "--help"], capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / 5
    assert spent < 0.15
    for word in ("run", "arms", "operations", "docs", "search", "Exit codes:", "130"):
        assert word in done.stdout
    code = "import sys\nfrom gg_host.cli.app import run_command\nrun_command(['--help'])\nprint(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"wasmtime", "pydantic", "rich", "gg_host.host"} & set(loaded)


@pytest.mark.parametrize("command", ["run", "arms", "operations", "docs", "search"])
def test_every_command_has_help_and_json(capsys: pytest.CaptureFixture[str], command: str) -> None:
    code, out, _ = gg(capsys, command, "--help")
    assert code == 0
    assert "--json" in out


def test_the_help_of_run_tells_the_limits_that_hold(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = gg(capsys, "run", "--help")
    for word in ("30.0", "268435456", "Exit codes", "none"):
        assert word in out


def test_nothing_is_bad_input_and_shows_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = gg(capsys)
    assert code == 2
    assert "Commands:" in err


# -- run -----------------------------------------------------------------------------------------------------------


def test_a_program_that_works(capsys: pytest.CaptureFixture[str], javascript: str, program: Path) -> None:
    code, out, err = gg(
        capsys, "run", "--arm", javascript, program, "--workspace", program.parent, "--allow", "files.read_text_file"
    )
    assert code == 0
    assert "javascript: progressed" in out
    assert "log\n  5\n" in out
    assert "30 s of processor time, 268,435,456 bytes" in err
    assert "granted: files.read_text_file" in err


def test_nothing_is_granted_unless_asked(capsys: pytest.CaptureFixture[str], javascript: str, program: Path) -> None:
    code, out, err = gg(capsys, "run", "--arm", javascript, program, "--workspace", program.parent)
    assert code == 1
    assert "granted: nothing" in err
    assert "`gg.files.readTextFile` is not available." in out
    assert "program_unknown_name" in out


def test_a_program_that_fails_tells_the_message_first(
    capsys: pytest.CaptureFixture[str], javascript: str, program: Path
) -> None:
    program.write_text(FAILING)
    arguments = ("run", "--arm", javascript, program, "--workspace", program.parent, "--ending", "standard")
    allowed = ("--allow", "files.read_text_file,views.open_text", "--allow", "session.finish")
    code, out, _ = gg(capsys, *arguments, *allowed)
    assert code == 1
    json_code, text, _ = gg(capsys, *arguments, *allowed, "--json")
    report = json.loads(text)
    assert json_code == 1
    assert out.startswith(report["text"])
    assert report["location"] == "program.js:8:7"
    assert report["error_type"] == "program_api_error"
    assert report["ending"] is None
    assert [call["operation"] for call in report["calls"]] == [
        "views.open_text",
        "files.write_file",
        "session.finish",
        "files.read_text_file",
    ]
    for word in ("calls: 4", "refused: 1", "views", "a label", "log\n  started", "guest CPU", "peak memory"):
        assert word in out


def test_a_program_can_come_from_standard_input(javascript: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [*GG, "run", "--arm", javascript, "-", "--json"],
        input=b'console.log("from stdin");',
        capture_output=True,
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["logs"] == ["from stdin"]


def test_all_grants_everything_but_the_endings(
    capsys: pytest.CaptureFixture[str], javascript: str, program: Path
) -> None:
    program.write_text('import { session } from "gg";\nsession.finish("done");\n')
    code, out, err = gg(capsys, "run", "--arm", javascript, program, "--all", "--workspace", program.parent)
    assert code == 1
    assert "every operation" in err
    assert "`gg.session.finish` is not available." in out
    code, out, _ = gg(capsys, "run", "--arm", javascript, program, "--ending", "standard")
    assert code == 0
    assert "finished" in out
    assert "ended with session.finish" in out


@pytest.mark.parametrize(
    ("more", "shown"), [((), b"\\x1b[31mred\\x07\\x9b1m"), (("--json",), b"\\u001b[31mred\\u0007\\u009b1m")]
)
def test_what_a_terminal_would_obey_is_written_out(
    javascript: str, tmp_path: Path, more: tuple[str, ...], shown: bytes
) -> None:
    (tmp_path / "program.js").write_text('console.log("\\u001b[31mred\\u0007\\u009b1m");')
    host, terminal = os.openpty()
    command = [*GG, "run", "--arm", javascript, str(tmp_path / "program.js"), *more]
    with subprocess.Popen(command, stdout=terminal, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL) as child:
        os.close(terminal)
        out = b""
        try:
            while block := os.read(host, 65536):
                out += block
        except OSError:  # the other end was closed
            pass
        os.close(host)
        assert child.wait() == 0
    assert shown in out
    assert not {0x07, 0x1B} & set(out)
    assert "\x9b".encode() not in out


def test_a_message_that_quotes_what_a_terminal_would_obey_writes_it_out(javascript: str) -> None:
    host, terminal = os.openpty()
    command = [*GG, "run", "--arm", javascript, "red\x1b[31m"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=terminal, stdin=subprocess.DEVNULL, check=False)
    os.close(terminal)
    told = os.read(host, 65536)
    os.close(host)
    assert done.returncode == 2
    assert b"\\x1b" in told
    assert b"\x1b[31m" not in told


# -- interrupted ---------------------------------------------------------------------------------------------------

LOOPS = {
    "guest": ("for (;;) {}\n", ()),
    "command": (
        'import { shell } from "gg";\nshell.shell("(setsid sleep 3333 &) ; sleep 3334");\n',
        ("--allow", "shell.shell"),
    ),
}


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_run_ends_at_once_and_leaves_nothing(
    javascript: str, tmp_path: Path, loop: str, number: signal.Signals, code: int
) -> None:
    text, options = LOOPS[loop]
    (tmp_path / "program.js").write_text(text)
    command = [*GG, "run", "--arm", javascript, str(tmp_path / "program.js"), "--timeout-secs", "600", *options]
    child = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path, start_new_session=True
    )
    assert child.stderr is not None
    try:
        assert child.stderr.readline().startswith("javascript: 600 s")
        assert child.stderr.readline().startswith("granted: ")
        time.sleep(1.5)  # let it get into the loop
        assert child.poll() is None
        below = descendants(child.pid)
        assert loop == "guest" or [line for line in alive(below) if "sleep 3334" in line]
        started = time.monotonic()
        os.killpg(child.pid, number)  # a terminal sends Ctrl-C to the whole group
        out, err = child.communicate(timeout=20)
    finally:
        child.kill()
        child.wait()
    assert child.returncode == code, err
    assert time.monotonic() - started < 5
    assert "Traceback" not in out + err
    deadline = time.monotonic() + 2
    while (left := alive(below)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not left


# -- bad input -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words", "hint"),
    [
        (("rnu",), "there is no command 'rnu'", "Did you mean `run`?"),
        (("run", "--arm", "javascript"), "Missing argument 'FILE'", "gg run --help"),
        (("run", "FILE"), "Missing option '--arm'", "gg run --help"),
        (("run", "--arm", "javscript", "FILE"), "there is no arm 'javscript'", "Did you mean `javascript`?"),
        (("docs", "x", "--arm", "qqqqqqqq"), "there is no arm 'qqqqqqqq'", "gg arms"),
        (("run", "--arm", "javascript", "nothing.js"), "nothing.js cannot be read: no such file", "Name a file"),
        (("run", "--arm", "javascript", "."), "cannot be read: is a directory", "Name a file"),
        (("run", "--arm", "javascript", "BAD"), "is not UTF-8: byte 0xff in line 2", "Save it as UTF-8"),
        (("run", "--arm", "javascript", "FILE", "--workspace", "nothing"), "nothing does not exist", "Create the"),
        (("run", "--arm", "javascript", "FILE", "--workspace", "FILE"), "is not a folder", "Name a folder"),
        (
            ("run", "--arm", "javascript", "FILE", "--allow", "files.raed_file,docs.search"),
            "there is no operation 'files.raed_file'",
            "Did you mean `files.read_file`?",
        ),
        (
            ("run", "--arm", "javascript", "FILE", "--allow", "a.b,files.c"),
            "there are no operations 'a.b', 'files.c'",
            "gg operations",
        ),
        (("run", "--arm", "javascript", "FILE", "--allow", "session.approve"), "is an ending", "--ending review"),
        (("run", "--arm", "javascript", "FILE", "--allow", "delegation.transition_state"), "needs a machine", "Leave"),
        (("run", "--arm", "javascript", "FILE", "--ending", "maybe"), "'maybe'", "gg run --help"),
        (("run", "--arm", "javascript", "FILE", "--timeout-secs", "0"), "timeout_secs is 0.0", "limits"),
        (("run", "--arm", "javascript", "FILE", "--timeout-secs", "nan"), "timeout_secs is nan", "limits"),
        (("run", "--arm", "javascript", "FILE", "--memory-bytes", "5e8"), "'5e8'", "gg run --help"),
        (("run", "--arm", "javascript", "FILE", "--memory-bytes", "-1"), "max_memory_bytes is -1", "limits"),
        (("operations", "files.serch"), "there is no operation 'files.serch'", "Did you mean `files.search`?"),
        (("docs", "readFil", "--arm", "javascript"), "no documentation of 'readFil'", "`gg.files.readFile`"),
        (("docs", "search", "--arm", "javascript"), "the name of 2 entries", "`gg.docs.search`"),
        (("docs", "zzzz", "--arm", "javascript"), "no documentation of 'zzzz'", "gg search"),
        (("search", "--arm", "javascript"), "Missing argument", "gg search --help"),
        (("arms", "extra"), "unexpected extra argument", "gg arms --help"),
    ],
)
def test_bad_input_is_one_message_with_the_next_step(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    words: str,
    hint: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "FILE").write_text("")
    (tmp_path / "BAD").write_bytes(b"ok\n\xff")
    code, out, err = gg(capsys, *arguments)
    assert code == 2
    assert out == ""
    first, _, rest = err.partition("\n")
    assert first.startswith("gg: ")
    assert words in first
    assert hint in rest
    assert len(err.splitlines()) == 2


def test_a_damaged_artifact_is_named(
    capsys: pytest.CaptureFixture[str], javascript: str, program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = artifacts.load(javascript).folder
    cache = program.parent / "cache"
    copy = cache / "artifacts" / javascript / whole.name
    shutil.copytree(whole, copy)
    cache.chmod(0o700)
    (copy.parent / "current").symlink_to(whole.name)
    with (copy / "component.wasm").open("r+b") as stream:
        stream.seek(100)
        stream.write(b"\0\0\0\0")
    monkeypatch.setenv("GG_CACHE", str(cache))
    code, _, err = gg(capsys, "run", "--arm", javascript, program, "--workspace", program.parent)
    assert code == 2
    assert "is damaged: component.wasm has the sha256" in err
    assert "./nox -s build -- javascript" in err
    monkeypatch.setenv("GG_CACHE", str(program.parent / "empty"))
    code, _, err = gg(capsys, "run", "--arm", javascript, program, "--workspace", program.parent)
    assert code == 2
    assert "has not been built" in err


# -- the other commands --------------------------------------------------------------------------------------------


def test_operations_are_those_of_the_catalogue(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = gg(capsys, "operations", "--json")
    rows = json.loads(out)
    assert [row["id"] for row in rows] == list(load_catalogue().operations)
    served = {row["id"] for row in rows if row["served"]}
    assert {"files.search", "shell.shell", "docs.search", "views.open_file", "session.finish"} <= served
    assert not {"tasks.add_task", "views.close", "docs.close"} & served
    _, out, _ = gg(capsys, "operations")
    assert out.count("files.") >= 6
    _, out, _ = gg(capsys, "operations", "files.read_file")
    assert "bound by: capability read-file" in out
    _, out, _ = gg(capsys, "operations", "session.approve", "--json")
    assert json.loads(out)["bound_by"] == "ending review"


def test_arms_tell_what_is_built_and_what_is_confined(capsys: pytest.CaptureFixture[str], javascript: str) -> None:
    _, out, _ = gg(capsys, "arms", "--json")
    told = json.loads(out)
    states = {row["id"]: row["state"] for row in told["arms"]}
    assert states[javascript] == "built"
    assert states["swift"] == "not-built"
    assert len(states) == 11
    assert all(row["reason"] for row in told["arms"] if row["state"] != "built")
    assert {"name", "active", "reason"} == set(told["confinement"][0])
    _, out, _ = gg(capsys, "arms")
    assert ("Not confined here" in out) == any(not one["active"] for one in told["confinement"])


def test_documentation_is_shown_and_searched(capsys: pytest.CaptureFixture[str]) -> None:
    _, by_id, _ = gg(capsys, "docs", "files.read_file", "--arm", "python")
    _, by_name, _ = gg(capsys, "docs", "read_file", "--arm", "python")
    assert by_id == by_name
    assert by_id.startswith("read_file(path: str")
    _, out, _ = gg(capsys, "docs", "files.read_file", "--arm", "python", "--json")
    assert json.loads(out) == {"arm": "python", "key": "gg.files.read_file", "page": by_id.rstrip("\n")}
    _, out, _ = gg(capsys, "search", "read", "file", "--arm", "python", "--limit", "2")
    assert "gg.files.read_file: " in out
    _, out, _ = gg(capsys, "search", "read file", "--arm", "python", "--limit", "2", "--offset", "1", "--json")
    told = json.loads(out)
    assert (told["offset"], len(told["hits"])) == (1, 2)
    assert told["total"] > 2


def test_a_reader_that_leaves_is_no_error() -> None:
    command = f"{' '.join(GG)} operations | head -n 1 > /dev/null; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert done.stderr == ""
