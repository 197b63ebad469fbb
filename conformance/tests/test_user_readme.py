"""What the README shows is run as it stands there."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from gg_arm_kit import artifacts, source
from gg_arm_kit.errors import KitError
from gg_conformance.user import GG, call

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def blocks(language: str, *documents: str) -> list[str]:
    """The code blocks of a language in the repository's documents."""
    texts = [(source.root() / name).read_text(encoding="utf-8") for name in documents]
    return [body for text in texts for kind, body in BLOCK.findall(text) if kind == language]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    try:
        artifacts.load("javascript")
    except KitError as error:
        pytest.skip(f"{error.message}: {error.hint}")
    (tmp_path / "notes.md").write_text("12345")
    return tmp_path


def test_the_python_snippet_runs(folder: Path) -> None:
    (snippet,) = blocks("python", "README.md")
    (folder / "snippet.py").write_text(snippet)
    done = call([sys.executable, "snippet.py"], folder)
    assert done.code == 0, done.err
    assert "['5']" in done.out or "('5',)" in done.out
    assert "progressed" in done.out


def test_the_shown_run_works(folder: Path) -> None:
    (shown,) = [block for block in blocks("console", "README.md") if "$ cat hello.js" in block]
    program, _, command = shown.partition("$ cat hello.js\n")[2].partition("$ gg ")
    (folder / "hello.js").write_text(program)
    done = call([*GG, *shlex.split(command)], folder)
    assert done.code == 0, done.err
    assert "log\n  5\n" in done.out
    denied = call([*GG, *shlex.split(command.partition(" --allow")[0])], folder)
    assert denied.code == 1
    assert "(unavailable)" in denied.out


def test_every_session_that_the_documents_name_is_there() -> None:
    text = "".join((source.root() / name).read_text(encoding="utf-8") for name in ("README.md", "CONTRIBUTING.md"))
    named = set(re.findall(r"\./nox -s ([a-z]+)", text))
    command = [sys.executable, "-m", "nox", "--noxfile", str(source.root() / "noxfile.py"), "-l"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ | {"NO_COLOR": "1"})
    sessions = dict(re.findall(r"^[-*] (\w+) -> (.+)$", listed.stdout, re.MULTILINE))
    assert named
    assert named <= set(sessions)
    assert all(len(brief) > 10 for brief in sessions.values())
    assert "uv binary" not in listed.stdout + listed.stderr
