"""The bootstrap script says what is wrong before it makes anything."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

import pytest
from gg_arm_kit import source

SCRIPT = source.root() / "nox"


@pytest.fixture
def bootstrap() -> ModuleType:
    loader = SourceFileLoader("bootstrap", str(SCRIPT))
    spec = importlib.util.spec_from_loader("bootstrap", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def run(**environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(SCRIPT), "-l"], capture_output=True, text=True, check=False, env=os.environ | environment
    )


def test_an_old_python_is_told_before_anything_is_imported(bootstrap, monkeypatch, capsys) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 8, 1, "final", 0))
    with pytest.raises(SystemExit) as ended:
        bootstrap.check_platform()
    assert ended.value.code == 2
    assert "3.11 or newer" in capsys.readouterr().err


def test_another_platform_is_told(bootstrap, monkeypatch, capsys) -> None:
    monkeypatch.setattr("platform.machine", lambda: "aarch64")
    with pytest.raises(SystemExit):
        bootstrap.check_platform()
    assert "Linux on x86_64 only" in capsys.readouterr().err


def test_a_cache_that_others_may_write_to_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    done = run(GG_CACHE=str(tmp_path))
    assert done.returncode == 2
    assert "can be written by other users" in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can hand a folder to another user")
def test_a_cache_of_another_user_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    os.chown(tmp_path, 65534, 65534)
    done = run(GG_CACHE=str(tmp_path))
    assert done.returncode == 2
    assert "belongs to another user" in done.stderr


def test_a_cache_that_is_no_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = run(GG_CACHE=str(tmp_path / "file"))
    assert done.returncode == 2
    assert "cannot be used" in done.stderr


def test_every_package_is_found(bootstrap) -> None:
    assert {"codegen", "host", "arms/kit", "conformance", "benchmarks"} <= set(bootstrap.packages())


def test_the_environment_depends_on_the_lock_and_the_checkout(bootstrap, monkeypatch, tmp_path) -> None:
    names = bootstrap.packages()
    first = bootstrap.key(names)
    assert bootstrap.key(names) == first
    changed = tmp_path / "project.txt"
    changed.write_text(Path(bootstrap.REQUIREMENTS).read_text() + "\n")
    monkeypatch.setattr(bootstrap, "REQUIREMENTS", str(changed))
    assert bootstrap.key(names) != first
