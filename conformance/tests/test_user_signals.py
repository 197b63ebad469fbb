"""Ctrl-C, SIGTERM and kill -9 at work: the exit code, one message, no orphan, nothing half-made, a sane terminal."""

from __future__ import annotations

import json
import os
import pty
import runpy
import select
import signal
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from gg_arm_kit import artifacts, source
from gg_arm_kit.cache import open_cache
from gg_arm_kit.errors import KitError
from gg_conformance.reproduce import SHARED
from gg_conformance.user import BUILD, GG, PATIENCE_SECS, TABLE, alive, call, descendants

RUN = ("run", "--arm", "javascript", "--timeout-secs", "30")
_bootstrap = runpy.run_path(str(source.root() / "nox"), run_name="bootstrap")
NOX = (sys.executable, "-P", "-c", _bootstrap["RUN_NOX"], "--noxfile", str(source.root() / "noxfile.py"))
"""What the bootstrap script hands over to, in the environment that the tests run in."""
TOOL = "ziglang"
"""A tool whose child process shows that the build is in the middle of a step."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    try:
        artifacts.load("javascript")
    except KitError as error:
        pytest.skip(f"{error.message}: {error.hint}")
    (tmp_path / "loop.js").write_text("for (;;) {}")
    (tmp_path / "wait.js").write_text('import { shell } from "gg";\nshell.shell("sleep 97 & sleep 98");\n')
    return tmp_path


@pytest.fixture
def empty_cache(tmp_path: Path) -> Path:
    """A cache of which only what was downloaded is there."""
    cache = tmp_path / "cache"
    cache.mkdir(mode=0o700)
    for name in SHARED:
        if not (open_cache().root / name).is_dir():
            pytest.skip("nothing has been downloaded yet")
        (cache / name).symlink_to(open_cache().folder(name))
    return cache


def runs(word: str) -> Callable[[int], bool]:
    """Whether a process below has ``word`` in its command line."""
    return lambda process: any(word in line for line in alive(descendants(process)))


def looping(process: int) -> bool:
    """Whether ``gg`` has used more processor time than its start takes."""
    spent = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(spent[11]) + int(spent[12])) / os.sysconf("SC_CLK_TCK") > 2


@pytest.mark.parametrize(
    ("signals", "group", "code"),
    [
        ([signal.SIGINT], True, 130),
        ([signal.SIGINT, signal.SIGINT, signal.SIGINT], True, 130),
        ([signal.SIGTERM], False, 143),
    ],
    ids=["once", "thrice", "SIGTERM"],
)
def test_a_run_ends_in_order(folder: Path, signals: list[int], group: bool, code: int) -> None:
    done = call([*GG, *RUN, "loop.js", "--json"], folder, None, signals, looping, group)
    # A further Ctrl-C may come when Python itself is ending and has let go of its handler; a shell tells 130 as well.
    assert done.code == code or (len(signals) > 1 and done.code == -signal.SIGINT)
    assert done.left == []
    assert any(line.startswith("gg: ") for line in done.complaint())
    if len(signals) == 1 and code == 130:
        assert json.loads(done.out)["outcome"] == "cancelled"


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)])
def test_what_a_run_started_ends_with_it(folder: Path, number: int, code: int) -> None:
    done = call([*GG, *RUN, "wait.js", "--all"], folder, None, [number], runs("sleep 98"), False)
    assert done.code == code
    assert done.left == []
    done.complaint()


@pytest.mark.parametrize("secs", [0.2, 0.5, 0.8])
def test_ctrl_c_while_it_starts_is_no_traceback(folder: Path, secs: float) -> None:
    began = time.monotonic()
    command = [*NOX, "-s", "gg", "--", *RUN, "loop.js"]
    done = call(command, folder, None, [signal.SIGINT], lambda _: time.monotonic() - began > secs)
    assert done.code in (130, -signal.SIGINT)
    assert done.left == []
    done.complaint()


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)], ids=["C-c", "TERM", "KILL"]
)
@pytest.mark.parametrize("command", [(*BUILD, "javascript"), (*TABLE, "javascript", "--html", "page.html")])
def test_a_build_that_is_ended_leaves_nothing(
    folder: Path, empty_cache: Path, command: tuple[str, ...], number: int, code: int
) -> None:
    done = call(command, folder, {"GG_CACHE": str(empty_cache)}, [number], runs(TOOL), number == signal.SIGINT)
    assert done.code == code
    assert done.left == []
    done.complaint()
    if number != signal.SIGKILL:
        assert any("run the same command again" in line for line in done.err.splitlines())
    else:  # the next one to open the cache takes away what the killed one could not
        assert call([*GG, "arms"], folder, {"GG_CACHE": str(empty_cache)}).code == 0
    assert list((empty_cache / "temp").iterdir()) == []
    assert list(empty_cache.glob("artifacts/*/*")) == []
    assert not (folder / "page.html").exists()


# -- through nox -------------------------------------------------------------------------------------------------


def test_nox_keeps_folder_streams_and_exit_code(folder: Path) -> None:
    (folder / "fails.js").write_text("throw new Error('of the program');")
    (folder / "click.py").write_text("raise SystemExit('shadowed')")
    done = call([*NOX, "-s", "gg", "--", *RUN, "fails.js", "--json"], folder)
    assert done.code == 1
    assert json.loads(done.out)["error_type"]
    assert call([*NOX, "-s", "gg", "--", *RUN, "gone.js"], folder).code == 2
    done = call([*NOX, "-s", "build", "--", "jav"], folder)
    assert done.code == 2
    assert "there is no arm 'jav'" in done.err


@pytest.mark.parametrize(
    ("number", "group", "code"),
    [
        (signal.SIGINT, True, 130),
        (signal.SIGINT, False, 130),
        (signal.SIGTERM, False, 143),
        (signal.SIGKILL, False, -9),
    ],
)
def test_nox_passes_signals_on_and_leaves_no_orphan(folder: Path, number: int, group: bool, code: int) -> None:
    def is_looping(process: int) -> bool:
        return any(looping(child) for child in descendants(process)[:1])

    done = call([*NOX, "-s", "gg", "--", *RUN, "loop.js"], folder, None, [number], is_looping, group)
    assert done.code == code
    assert done.left == []
    done.complaint()


# -- in a terminal -----------------------------------------------------------------------------------------------


def in_terminal(
    argv: tuple[str, ...], cwd: Path, environment: dict[str, str], ready: Callable[[int], bool]
) -> tuple[int, str, bool]:
    """Run ``argv`` as the foreground of a terminal of its own and press Ctrl-C when ``ready``.

    Returns:
        Exit code, what the terminal showed, and whether its settings are what they were.
    """
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(cwd)
        os.execvpe(argv[0], argv, {**os.environ, **environment, "TERM": "xterm"})
    before = termios.tcgetattr(terminal)
    shown = b""
    pressed = False
    until = time.monotonic() + PATIENCE_SECS
    while time.monotonic() < until:
        if select.select([terminal], [], [], 0.05)[0]:
            try:
                shown += os.read(terminal, 4096)
            except OSError:
                break
        if not pressed and ready(process):
            os.write(terminal, b"\x03")
            pressed = True
    same = termios.tcgetattr(terminal)[:4] == before[:4]
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), shown.decode("utf-8", "replace"), same


def test_a_terminal_is_as_it_was(folder: Path, empty_cache: Path) -> None:
    command = (*NOX, "-s", "build", "--", "javascript")
    code, shown, same = in_terminal(command, folder, {"GG_CACHE": str(empty_cache)}, runs(TOOL))
    assert code == 130
    assert same
    assert "build: interrupted" in shown
    assert "Traceback" not in shown
    assert shown.rfind("\x1b[?25h") > shown.rfind("\x1b[?25l")  # the cursor is shown again
