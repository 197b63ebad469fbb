"""Running real commands, and proving that nothing of them is left."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from gg_host.failures import ErrorCode, Failure
from gg_host.generated.types import ShellOutput
from gg_host.providers.call import Call
from gg_host.providers.paths import Workspace
from gg_host.providers.shell import ShellProvider
from gg_host.providers.supervision import SUPERVISION

CALL = Call("shell.shell")


@pytest.fixture
def shell(tmp_path: Path) -> ShellProvider:
    return ShellProvider(Workspace(tmp_path))


def processes(marker: str) -> list[str]:
    """Command lines of every process that has ``marker`` in it."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
            if marker in command:
                found.append(f"{entry.name} {command}")
    return found


@pytest.fixture
def marker(tmp_path: Path) -> Iterator[str]:
    """A number of seconds that no other test sleeps for, to find the processes that do."""
    number = f"3{os.getpid()}{abs(hash(tmp_path)) % 10_000:04}"
    yield number
    for line in processes(f"sleep {number}"):
        os.kill(int(line.split()[0]), signal.SIGKILL)


def until_gone(marker: str) -> list[str]:
    for _ in range(100):
        if not (left := processes(f"sleep {marker}")):
            return []
        time.sleep(0.02)
    return left


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("echo out; echo err >&2; echo out", ShellOutput(0, "out\nout\nerr\n", False)),
        ("exit 7", ShellOutput(7, "", False)),
        ("kill -9 $$", ShellOutput(None, "", False)),
        ("no-such-command 2>/dev/null", ShellOutput(127, "", False)),
        ("cat; echo end", ShellOutput(0, "end\n", False)),
        ("printf 'caf\\351'", ShellOutput(0, "caf\ufffd", False)),
        ("", ShellOutput(0, "", False)),
        ("-c", None),
        ("yes 2>/dev/null | head -n 1", ShellOutput(0, "y\n", False)),
    ],
)
def test_commands(shell: ShellProvider, command: str, expected: ShellOutput | None) -> None:
    found = shell.shell(CALL, command, None)
    assert found == expected if expected else found.exit_code == 127


def test_it_runs_in_the_workspace_with_a_small_environment(
    shell: ShellProvider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_OF_THE_EMBEDDER", "1")
    lines = shell.shell(CALL, "env; pwd", None).output.splitlines()
    assert lines[-1] == str(tmp_path)
    names = {line.partition("=")[0] for line in lines[:-1]}
    assert {"PATH", "HOME", "LANG"} <= names <= {"PATH", "HOME", "LANG", "PWD", "OLDPWD", "SHLVL", "_"}
    assert f"HOME={tmp_path}" in lines


def test_no_descriptor_of_the_host_reaches_a_command(shell: ShellProvider, tmp_path: Path) -> None:
    with (tmp_path / "open").open("wb") as stream:
        os.set_inheritable(stream.fileno(), True)
        listed = shell.shell(CALL, "ls -l /proc/self/fd", None).output
    assert str(tmp_path / "open") not in listed
    assert sorted(line.split()[-3] for line in listed.splitlines() if "->" in line) == [
        "0",
        "1",
        "2",
        "3",
    ]  # 3 is ls's own


@pytest.mark.parametrize("character", ["a", "é", "€", "😀"])
@pytest.mark.parametrize("shift", range(3))
def test_the_end_of_long_output_is_kept_at_a_character(
    shell: ShellProvider, tmp_path: Path, character: str, shift: int
) -> None:
    text = character * 30_000 + "z" * shift
    (tmp_path / "a").write_text(text)
    found = shell.shell(CALL, "cat a", None)
    assert found.truncated
    assert text.endswith(found.output)
    assert 16384 - 4 < len(found.output.encode()) <= 16384


def test_errors_push_the_output_out_and_16_kib_are_whole(shell: ShellProvider) -> None:
    found = shell.shell(CALL, "printf '%16380s' x; printf 'error' >&2", None)
    assert found.truncated
    assert len(found.output) == 16384
    assert found.output.endswith("xerror")
    assert not shell.shell(CALL, "printf '%16384s' x", None).truncated
    binary = shell.shell(CALL, "head -c 16000 /dev/zero | tr '\\0' '\\377'", None)
    assert binary.truncated
    assert len(binary.output.encode()) <= 16384


TREES = {
    "foreground": "sleep N",
    "background": "sleep N & sleep N & wait",
    "double fork": "(sleep N &) ; (sleep N & sleep N &) ; sleep N",
    "own session": "setsid sh -c 'sleep N & sleep N' & sleep N",
    "ignores signals": "trap '' TERM INT HUP; sh -c 'trap \"\" TERM HUP; sleep N; sleep N'",
    "no parents left": "setsid sh -c '(setsid sleep N &) ; exit' ; sleep N",
}


@pytest.mark.parametrize("tree", TREES)
def test_a_timeout_ends_the_whole_tree(shell: ShellProvider, tree: str, marker: str) -> None:
    started = time.monotonic()
    with pytest.raises(Failure, match=r"killed after 0\.4 s") as failed:
        shell.shell(CALL, TREES[tree].replace("N", marker), 0.4)
    assert failed.value.code is ErrorCode.LIMIT_EXCEEDED
    assert time.monotonic() - started < 3
    assert not processes(f"sleep {marker}"), "the call came back while something of it was running"


def test_what_a_command_leaves_in_the_background_ends_with_it(shell: ShellProvider, marker: str) -> None:
    started = time.monotonic()
    command = f"(setsid sleep {marker} &) ; sleep {marker} & echo done"
    assert shell.shell(CALL, command, None) == ShellOutput(0, "done\n", False)
    assert time.monotonic() - started < 3
    assert not processes(f"sleep {marker}")


def test_a_command_that_kills_its_supervisor_comes_back(shell: ShellProvider, marker: str) -> None:
    started = time.monotonic()
    found = shell.shell(CALL, f"sleep {marker} & echo before; kill -9 $PPID; sleep {marker}", 30)
    assert found.exit_code is None
    assert found.output == "before\n"
    assert time.monotonic() - started < 10
    assert not until_gone(marker)


def test_cancelling_ends_the_tree(shell: ShellProvider, marker: str) -> None:
    call = Call("shell.shell")
    threading.Timer(0.3, call.cancelled.set).start()
    started = time.monotonic()
    with pytest.raises(Failure, match="cancelled"):
        shell.shell(call, f"(sleep {marker} &) ; sleep {marker}", None)
    assert time.monotonic() - started < 3
    assert not processes(f"sleep {marker}")


def test_the_time_of_the_run_bounds_the_timeout(shell: ShellProvider, marker: str) -> None:
    with pytest.raises(Failure, match="time of the run is spent") as failed:
        shell.shell(Call("shell.shell", time.monotonic() + 0.4), f"sleep {marker}", 100)
    assert failed.value.code is ErrorCode.LIMIT_EXCEEDED
    with pytest.raises(Failure, match="time of the run is spent"):
        shell.shell(Call("shell.shell", time.monotonic() - 1), "echo", None)


def test_a_host_that_dies_takes_the_command_with_it(tmp_path: Path, marker: str) -> None:
    script = (
        "import sys; from gg_host.providers.shell import *; from gg_host.providers.call import Call\n"
        f"ShellProvider(Workspace(sys.argv[1])).shell(Call('shell.shell'), '(sleep {marker} &) ; sleep {marker}', None)"
    )
    host = subprocess.Popen([sys.executable, "-c", script, str(tmp_path)])
    try:
        for _ in range(500):
            if processes(f"sleep {marker}"):
                break
            time.sleep(0.02)
        else:
            pytest.fail("the command never started")
    finally:
        host.kill()
        host.wait()
    assert not until_gone(marker)


@pytest.mark.parametrize("seconds", [0.0, -1.0, float("nan"), float("-inf")])
def test_timeouts_that_are_not_above_zero(shell: ShellProvider, seconds: float) -> None:
    with pytest.raises(Failure, match="above 0") as failed:
        shell.shell(CALL, "echo", seconds)
    assert failed.value.code is ErrorCode.INVALID_ARGUMENT


def test_a_timeout_of_any_length_is_cut_to_a_day(shell: ShellProvider) -> None:
    assert shell.shell(CALL, "echo x", float("inf")).output == "x\n"
    assert shell.shell(CALL, "echo x", 1e300).output == "x\n"


@pytest.mark.parametrize("command", ["a\0b", "x" * 200_000])
def test_commands_that_the_system_cannot_take(shell: ShellProvider, command: str) -> None:
    with pytest.raises(Failure) as failed:
        shell.shell(CALL, command, None)
    assert failed.value.code is ErrorCode.INVALID_ARGUMENT


def test_a_workspace_that_went_away_is_an_io_error(tmp_path: Path) -> None:
    folder = tmp_path / "workspace"
    folder.mkdir()
    shell = ShellProvider(Workspace(folder))
    folder.rmdir()
    with pytest.raises(Failure, match="could not be launched") as failed:
        shell.shell(CALL, "echo", None)
    assert failed.value.code is ErrorCode.IO_ERROR


def test_nothing_is_left_open_and_no_child_is_left_unwaited(shell: ShellProvider) -> None:
    shell.shell(CALL, "true", None)
    gc.collect()  # what earlier tests left to the collector would close in between
    before = descriptors(), children()
    for _ in range(5):
        shell.shell(CALL, "echo x", None)
        with pytest.raises(Failure):
            shell.shell(CALL, "sleep 5", 0.1)
    assert (descriptors(), children()) == before


def descriptors() -> list[str]:
    """Every descriptor this process has open."""
    return sorted(path.name for path in Path("/proc/self/fd").iterdir())


def children() -> set[str]:
    """Processes this one has started, also those that ended and were not waited for."""
    tasks = Path("/proc/self/task").iterdir()
    return {child for task in tasks for child in (task / "children").read_text().split()}


def test_commands_of_many_threads_do_not_meet(shell: ShellProvider) -> None:
    with ThreadPoolExecutor(16) as pool:
        found = list(pool.map(lambda number: shell.shell(CALL, f"echo {number}; exit {number % 7}", None), range(64)))
    assert found == [ShellOutput(number % 7, f"{number}\n", False) for number in range(64)]


def test_a_supervision_that_was_killed_is_started_again(shell: ShellProvider) -> None:
    assert shell.shell(CALL, "echo 1", None).output == "1\n"
    process = SUPERVISION._process
    assert process is not None
    process.kill()
    process.wait()
    assert shell.shell(CALL, "echo 2", None).output == "2\n"
