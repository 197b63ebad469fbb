"""Everything a person can give wrongly to ``gg``: one message, the next step, nothing written."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from gg_arm_kit import artifacts
from gg_arm_kit.errors import KitError
from gg_conformance.user import GG, call, listing

READS = 'import { files } from "gg";\nconsole.log(files.readTextFile("notes.md").length);\n'


@pytest.fixture(autouse=True)
def _javascript_is_built() -> None:
    try:
        artifacts.load("javascript")
    except KitError as error:
        pytest.skip(f"{error.message}: {error.hint}")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "a folder, é"
    place.mkdir()
    (place / "hello.js").write_text(READS)
    (place / "notes.md").write_text("12345")
    (place / "latin.js").write_bytes(b"// fine\n// caf\xe9\n")
    return place


RUN = ("run", "--arm", "javascript")


@pytest.mark.parametrize(
    ("arguments", "says", "next_step"),
    [
        ((*RUN, "missing.js"), "missing.js cannot be read: no such file", "Name a file"),
        ((*RUN, "."), "cannot be read: is a directory", "Name a file"),
        ((*RUN, "latin.js"), "latin.js is not UTF-8: byte 0xe9 in line 2", "Save it as UTF-8"),
        ((*RUN, "hello.js", "--workspace", "nowhere"), "workspace nowhere does not exist", "Create the folder"),
        ((*RUN, "hello.js", "--workspace", "notes.md"), "workspace notes.md is not a folder", "Name a folder"),
        ((*RUN, "hello.js", "--allow", "files.raed_file"), "no operation 'files.raed_file'", "files.read_file"),
        ((*RUN, "hello.js", "--allow", "session.finish"), "session.finish is an ending", "--ending standard"),
        ((*RUN, "hello.js", "--timeout-secs", "nan"), "must be a positive number", "Set the limits"),
        ((*RUN, "hello.js", "--memory-bytes", "5"), "a JavaScript program needs", "or more"),
        (("run", "--arm", "javascrip", "hello.js"), "there is no arm 'javascrip'", "`javascript`"),
        (("run", "--arm", "ruby", "hello.js"), "arm 'ruby' is not built yet", "Known arms: "),
        (("search", "--arm", "ruby", "read"), "arm 'ruby' is not built yet", "Known arms: "),
        (("docs", "--arm", "javascript", "nothing"), "no documentation of 'nothing'", "gg search WORDS"),
        (("operations", "files.tre"), "there is no operation 'files.tre'", "files.tree"),
        (("rn",), "there is no command 'rn'", "run"),
    ],
)
def test_wrong_input_is_one_message_and_the_next_step(
    folder: Path, arguments: tuple[str, ...], says: str, next_step: str
) -> None:
    before = listing(folder)
    done = call([*GG, *arguments], folder)
    lines = done.complaint()
    assert done.code == 2
    assert done.out == ""
    assert lines[0].startswith("gg: ")
    assert says in lines[0]
    assert next_step in lines[1]
    assert all(line.startswith("  ") for line in lines[1:])
    assert listing(folder) == before


@pytest.mark.parametrize(
    "environment",
    [
        {"LC_ALL": "C", "LANG": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
        {"PYTHONIOENCODING": "ascii"},
        {"HOME": None, "XDG_CACHE_HOME": None},
        {"PATH": "/nowhere"},
        {"TERM": "dumb", "NO_COLOR": "1", "COLUMNS": "20"},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_it_works_in_any_environment(folder: Path, environment: dict[str, str | None]) -> None:
    done = call([*GG, *RUN, "hello.js", "--allow", "files.read_text_file"], folder, environment)
    assert done.code == 0, done.err
    assert "5" in done.out


def test_a_read_only_folder_is_enough(folder: Path) -> None:
    folder.chmod(0o500)
    before = listing(folder)
    done = call([*GG, *RUN, "hello.js", "--allow", "files.read_text_file", "--json"], folder)
    folder.chmod(0o700)
    assert done.code == 0
    assert json.loads(done.out)["logs"] == ["5"]
    assert listing(folder) == before


@pytest.mark.parametrize(
    ("value", "says", "next_step"),
    [
        ("relative", "not an absolute path", "Give the whole path"),
        ("/proc/none", "cannot be used", "Set GG_CACHE"),
        ("{folder}/notes.md", "cannot be used", "Set GG_CACHE"),
    ],
)
@pytest.mark.parametrize("command", [("arms",), (*RUN, "hello.js")], ids=["arms", "run"])
def test_a_cache_that_cannot_be_used_is_told_once(
    folder: Path, command: tuple[str, ...], value: str, says: str, next_step: str
) -> None:
    done = call([*GG, *command], folder, {"GG_CACHE": value.format(folder=folder)})
    lines = done.complaint()
    assert done.code == 2
    assert (len(lines), done.out) == (2, "")
    assert says in lines[0]
    assert next_step in lines[1]


def test_a_cache_that_others_can_write_to_is_refused(folder: Path) -> None:
    cache = folder / "cache"
    cache.mkdir()
    cache.chmod(0o777)
    done = call([*GG, *RUN, "hello.js"], folder, {"GG_CACHE": str(cache)})
    assert done.code == 2
    assert "can be written by other users" in done.complaint()[0]
    assert "chmod 700" in done.err
    assert list(cache.iterdir()) == []


@pytest.mark.parametrize(("ending", "code"), [("| head -1", 0), (">&-", 0), ("2>&-", 0), ("> /dev/full", 2)])
def test_an_output_that_nobody_reads(folder: Path, ending: str, code: int) -> None:
    line = f'{" ".join(GG)} operations {ending}; exit "${{PIPESTATUS[0]}}"'
    done = subprocess.run(["bash", "-c", line], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    assert len(done.stderr.splitlines()) == (2 if code else 0)


def test_folders_of_the_caller_are_not_imported_from(folder: Path) -> None:
    (folder / "click.py").write_text("raise SystemExit('shadowed')")
    program = Path(GG[0]).with_name("gg")
    if not program.is_file():
        pytest.skip("the gg command is not installed beside this Python")
    done = call([program, "arms"], folder, {"PATH": os.environ["PATH"]})
    assert done.code == 0
    assert "JavaScript" in done.out
