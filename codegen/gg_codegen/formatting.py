"""Lays generated Python out as ``ruff format`` does, so that templates need not count columns."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from gg_arm_kit.errors import KitError

_ENDINGS = (".py", ".pyi")
_SETTINGS = ("--isolated", "--no-cache", "--quiet", "--line-length=120", "--target-version=py311")
_TIMEOUT_SECONDS = 60


def format_python(files: Mapping[str, str]) -> dict[str, str]:
    """The same files with every Python text formatted, in one run of ruff; other files are not touched.

    Parameters:
        files: text by path; a path only serves to name the file in errors.

    Raises:
        KitError: ruff is missing, or a text is not Python; ruff's own words name the file and line.
    """
    python = [path for path in files if path.endswith(_ENDINGS)]
    if not python:
        return dict(files)
    try:
        with tempfile.TemporaryDirectory() as folder:
            places = {path: Path(folder, path) for path in python}
            for path, place in places.items():
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_text(files[path], encoding="utf-8")
            _run_ruff(Path(folder))
            formatted = {path: place.read_text(encoding="utf-8") for path, place in places.items()}
    except OSError as error:
        where = tempfile.gettempdir()
        raise KitError(
            f"{where}: there is no room to format Python in: {error.strerror}", "Free space there."
        ) from error
    return {**files, **formatted}


def _run_ruff(folder: Path) -> None:
    beside = Path(sys.executable).parent / "ruff"
    ruff = str(beside) if beside.is_file() else shutil.which("ruff")
    if ruff is None:
        raise KitError("ruff is not installed", "Install requirements/project.txt: its wheel brings the command.")
    command = [ruff, "format", *_SETTINGS, "."]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, timeout=_TIMEOUT_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise KitError(f"ruff could not be run: {error}") from error
    if done.returncode != 0:
        words = done.stderr.decode(errors="replace").strip()
        raise KitError(f"generated Python cannot be formatted:\n{words}", "Mend the template of that file.")
