"""Build steps: run when something changed and only then, and leave a whole result or nothing."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gg_arm_kit
import pytest
from gg_arm_kit import trees
from gg_arm_kit.cache import Cache, open_cache
from gg_arm_kit.errors import KitError
from gg_arm_kit.progress import QuietProgress
from gg_arm_kit.steps import Input, Steps, only_tools, refuse_undeclared


class Work:
    """A step's work that counts its runs."""

    def __init__(self) -> None:
        self.runs = 0

    def __call__(self, out: Path) -> None:
        self.runs += 1
        (out / "result").write_text("made")


@pytest.fixture
def steps(cache: Cache) -> Steps:
    return Steps(cache, QuietProgress())


def new_process(steps: Steps) -> Steps:
    return Steps(steps.cache, QuietProgress())


def left(cache: Cache) -> list[str]:
    """What stands in the cache besides locks."""
    return [path.name for folder in ("steps", "temp") for path in cache.folder(folder).iterdir()]


def test_nothing_changed_means_nothing_runs(steps: Steps, tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "a.c").write_text("int a;")
    work = Work()
    inputs: dict[str, Input] = {"source": source, "text": "text", "bytes": b"bytes"}
    first = steps.step("sample", "1", inputs, {"tool": "hash"}, work)
    assert (first / "result").read_text() == "made"
    assert new_process(steps).step("sample", "1", dict(sorted(inputs.items())), {"tool": "hash"}, work) == first
    assert work.runs == 1


def test_each_part_of_the_key_makes_another_result(steps: Steps, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    file = folder / "file"
    file.write_text("1")
    work = Work()
    made = set()

    def run(name: str = "sample", version: str = "1", tool: str = "hash", **inputs: Any) -> None:
        made.add(new_process(steps).step(name, version, {"a": "1", **inputs}, {"tool": tool}, work))

    run()
    run(name="other")
    run(version="2")
    run(tool="other")
    run(a="2")
    run(b="")
    run(c=file)
    run(c=folder)
    file.write_text("2")
    run(c=file)
    run(c=folder)
    file.chmod(0o755)
    run(c=folder)
    file.rename(folder / "renamed")
    run(c=folder)
    assert work.runs == len(made) == 12


def test_the_same_content_elsewhere_is_the_same_step(steps: Steps, tmp_path: Path) -> None:
    work = Work()
    made = set()
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "file").write_text("same")
        made.add(new_process(steps).step("sample", "1", {"folder": folder}, {}, work))
    assert (work.runs, len(made)) == (1, 1)


def test_a_step_s_result_can_be_another_s_input(steps: Steps) -> None:
    first = steps.step("first", "1", {}, {}, Work())
    work = Work()
    second = steps.step("second", "1", {"first": first}, {}, work)
    fresh = new_process(steps)
    assert fresh.step("second", "1", {"first": first}, {}, work) == second, "the hash is the same when taken anew"
    assert work.runs == 1


@pytest.mark.parametrize("error", [KitError("no"), ValueError("no"), KeyboardInterrupt(), SystemExit(3)])
def test_a_step_that_fails_or_is_interrupted_leaves_nothing(steps: Steps, error: BaseException) -> None:
    def fail(out: Path) -> None:
        (out / "half").write_text("half")
        raise error

    with pytest.raises(type(error)):
        steps.step("sample", "1", {}, {}, fail)
    assert left(steps.cache) == []
    work = Work()
    steps.step("sample", "1", {}, {}, work)
    assert work.runs == 1


def test_a_step_that_writes_nothing_is_an_error(steps: Steps) -> None:
    with pytest.raises(KitError, match="sample ended well and wrote nothing"):
        steps.step("sample", "1", {}, {}, lambda out: None)
    assert left(steps.cache) == []


@pytest.mark.parametrize("damage", ["changed", "planted", "lost"])
def test_a_damaged_result_is_made_again(steps: Steps, damage: str) -> None:
    work = Work()
    folder = steps.step("sample", "1", {}, {}, work)
    folder.chmod(0o700)
    (folder / "result").chmod(0o600)
    match damage:
        case "changed":
            (folder / "result").write_text("MADE")
        case "planted":
            (folder / "planted").write_text("")
        case "lost":
            (folder / "result").unlink()
    again = new_process(steps).step("sample", "1", {}, {}, work)
    assert [path.name for path in again.iterdir()] == ["result"]
    assert (again / "result").read_text() == "made"
    assert work.runs == 2


def test_a_missing_input_is_named(steps: Steps, tmp_path: Path) -> None:
    with pytest.raises(KitError, match=r"step sample: its input 'program' cannot be read: .*absent"):
        steps.step("sample", "1", {"program": tmp_path / "absent"}, {}, Work())


@pytest.mark.parametrize("name", ["../sample", "a/b", "", "Sample", "-a"])
def test_a_name_that_is_no_file_name_is_refused(steps: Steps, name: str) -> None:
    with pytest.raises(KitError, match="cannot be a step's name"):
        steps.step(name, "1", {}, {}, Work())


def test_a_tool_that_was_not_declared_is_refused_inside_a_step(steps: Steps) -> None:
    def use(tool: str) -> Callable[[Path], None]:
        def make(out: Path) -> None:
            refuse_undeclared(tool)
            (out / "result").write_text("")

        return make

    steps.step("sample", "1", {}, {"declared": "hash"}, use("declared"))
    with pytest.raises(KitError, match="uses tool 'other' without naming it"):
        steps.step("sample", "2", {}, {"declared": "hash"}, use("other"))
    refuse_undeclared("anything")
    with only_tools(["a"]), pytest.raises(KitError, match="'b'"):
        refuse_undeclared("b")


def test_a_link_that_leads_out_of_the_result_is_refused(steps: Steps) -> None:
    with pytest.raises(KitError, match="a link that leads out"):
        steps.step("sample", "1", {}, {}, lambda out: (out / "bad").symlink_to("/etc/passwd"))
    assert left(steps.cache) == []


PROGRAM = """
import sys, time
from pathlib import Path
from gg_arm_kit.cache import open_cache
from gg_arm_kit.progress import QuietProgress
from gg_arm_kit.steps import Steps
root, log, pause = sys.argv[1:]

def make(out):
    with open(log, "a") as stream:
        stream.write("run\\n")
    (out / "result").write_text("ma")
    print("half", flush=True)
    time.sleep(float(pause))
    (out / "result").write_text("made")

folder = Steps(open_cache(Path(root)), QuietProgress()).step("sample", "1", {}, {}, make)
print((folder / "result").read_text(), flush=True)
"""


def test_two_processes_at_once_run_it_once(cache: Cache, tmp_path: Path, start: Any) -> None:
    log = tmp_path / "log"
    children = [start(PROGRAM, cache.root, log, 0.5) for _ in range(3)]
    outputs = [child.communicate(timeout=60) for child in children]
    assert [child.returncode for child in children] == [0, 0, 0], outputs
    assert all(out.endswith("made\n") for out, _ in outputs)
    assert log.read_text() == "run\n"


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_a_process_killed_or_interrupted_in_the_middle_leaves_no_result(
    cache: Cache, tmp_path: Path, start: Any, number: signal.Signals
) -> None:
    child = start(PROGRAM, cache.root, tmp_path / "log", 60)
    assert child.stdout.readline() == "half\n"
    os.kill(child.pid, number)
    child.communicate(timeout=30)
    assert list(cache.folder("steps").iterdir()) == []
    if number == signal.SIGINT:
        assert list(cache.folder("temp").iterdir()) == [], "an interrupt cleans up itself"
    work = Work()
    folder = Steps(open_cache(cache.root), QuietProgress()).step("sample", "1", {}, {}, work)
    assert (folder / "result").read_text() == "made"
    assert list(cache.folder("temp").iterdir()) == []


def test_a_full_device_is_one_clear_error(steps: Steps) -> None:
    def fill(out: Path) -> None:
        (out / "half").write_text("half")
        Path("/dev/full").write_bytes(b"data")  # the kernel says ENOSPC, as a full disk does

    with pytest.raises(KitError, match="is full: step sample was given up") as caught:
        steps.step("sample", "1", {}, {}, fill)
    assert isinstance(caught.value.__cause__, OSError)
    assert caught.value.__cause__.errno == errno.ENOSPC
    assert "GG_CACHE" in caught.value.hint
    assert left(steps.cache) == []


FULL = """
import subprocess, sys
from pathlib import Path
from gg_arm_kit.cache import open_cache
from gg_arm_kit.errors import KitError
from gg_arm_kit.progress import QuietProgress
from gg_arm_kit.steps import Steps
root, how = Path(sys.argv[1]), sys.argv[2]
cache = open_cache(root / "cache")

def make(out):
    if how == "child":
        command = ["dd", "if=/dev/zero", f"of={out / 'big'}", "bs=64k", "count=200"]
        if subprocess.run(command, stderr=subprocess.DEVNULL).returncode:
            raise KitError("the tool ended with status 1")
    else:
        (out / "big").write_bytes(bytes(12_000_000))

try:
    Steps(cache, QuietProgress()).step("sample", "1", {}, {}, make)
except KitError as error:
    print(error.message)
print([path.name for name in ("steps", "temp") for path in cache.folder(name).iterdir()])
"""


@pytest.mark.parametrize("how", ["itself", "child"])
def test_a_full_disk_is_one_clear_error_and_nothing_is_kept(tmp_path: Path, how: str) -> None:
    """On a real, small file system, mounted in a namespace of its own."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-ec"]
    small = 'mount -t tmpfs -o size=8m tmpfs "$1"; shift; exec "$@"'
    tried = subprocess.run([*mount, small, "sh", str(disk), "true"], capture_output=True, text=True, check=False)
    if tried.returncode:
        pytest.skip(f"a small file system cannot be mounted here: {tried.stderr.strip()}")
    env = {**os.environ, "PYTHONPATH": str(Path(gg_arm_kit.__file__).parents[1])}
    command = [*mount, small, "sh", str(disk), sys.executable, "-c", FULL, str(disk), how]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=env)
    assert done.returncode == 0, done.stderr
    message, rest = done.stdout.splitlines()
    assert message.startswith(f"the disk that holds {disk}/cache is full: step sample was given up")
    assert rest == "[]"


def test_what_a_step_wrote_is_sealed(steps: Steps) -> None:
    folder = steps.step("sample", "1", {}, {}, Work())
    assert trees.check(folder.parent) == trees.tree_sha256(folder)
    assert (folder / "result").stat().st_mode & 0o777 == 0o444
