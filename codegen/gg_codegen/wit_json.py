"""WIT as JSON, by wasm-tools' own parser; kept by content, so that an unchanged package costs no process."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from gg_arm_kit.errors import KitError

from gg_codegen.cache import cache_folder, digest_of
from gg_codegen.writing import write_if_changed

# Part of the cache's key: raise it when another version of wasm-tools or another command line is used.
_FORM = "wasm-tools component wit --json; 1.262.0"
_TIMEOUT_SECONDS = 60


def wit_files(folder: Path) -> list[Path]:
    """The package's WIT files, dependencies included, in one order everywhere.

    Raises:
        KitError: the folder has none.
    """
    files = sorted(folder.rglob("*.wit"), key=lambda path: path.relative_to(folder).as_posix())
    if not files:
        raise KitError(f"{folder}: holds no .wit file", "Give the repository's folder by --root.")
    return files


def wit_hash(folder: Path) -> str:
    """The SHA-256 of the WIT package's names and contents, in hexadecimal."""
    try:
        return digest_of((path.relative_to(folder).as_posix(), path.read_bytes()) for path in wit_files(folder))
    except OSError as error:
        raise KitError(f"{error.filename}: cannot be read: {error.strerror}") from error


def read_wit_json(folder: Path) -> dict[str, Any]:
    """Parse the WIT package in ``folder``.

    Raises:
        KitError: the WIT is wrong (the parser's own words follow), or wasm-tools is missing or fails.
    """
    key = digest_of([("form", _FORM.encode()), ("wit", wit_hash(folder).encode())])
    kept = cache_folder("wit-json") / f"{key}.json"
    try:
        document: dict[str, Any] = json.loads(kept.read_bytes())
    except (OSError, ValueError):
        text = _run_wasm_tools(folder)
        document = json.loads(text)
        write_if_changed(kept, text)
    return document


def _wasm_tools() -> str:
    beside = Path(sys.executable).parent / "wasm-tools"
    found = str(beside) if beside.is_file() else shutil.which("wasm-tools")
    if found is None:
        raise KitError("wasm-tools is not installed", "Install requirements/project.txt: its wheel brings the command.")
    return found


def _run_wasm_tools(folder: Path) -> bytes:
    command = [_wasm_tools(), "component", "wit", "--json", str(folder)]
    try:
        done = subprocess.run(command, capture_output=True, timeout=_TIMEOUT_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise KitError(f"wasm-tools could not be run: {error}") from error
    if done.returncode != 0:
        words = done.stderr.decode(errors="replace").strip()
        raise KitError(f"{folder}: the WIT package is wrong:\n{words}", "Mend the WIT at the place it names.")
    return done.stdout
