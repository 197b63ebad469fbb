"""What the README tells a reader to type does what it says."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from gg_arm_kit import source

README = (source.root() / "README.md").read_text(encoding="utf-8")
NOTES = "twelve chars"


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "notes.md").write_text(NOTES)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_program_runs_by_the_command_that_stands_below_it(workspace: Path) -> None:
    found = re.search(r"^\$ cat (\S+)\n(.*?)\n\$ gg (run .*?)$", README, re.MULTILINE | re.DOTALL)
    assert found is not None
    (workspace / found[1]).write_text(found[2])
    command = [sys.executable, "-m", "gg_host.cli", *shlex.split(found[3])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert f"log\n  {len(NOTES)}\n" in done.stdout
    allowed = command.index("--allow")
    done = subprocess.run([*command[:allowed], *command[allowed + 2 :]], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "unavailable" in done.stdout


def test_the_lines_that_embed_the_host_run(workspace: Path) -> None:
    found = re.search(r"^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    assert found is not None
    done = subprocess.run([sys.executable, "-c", found[1]], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"progressed  ('{len(NOTES)}',)\n"
