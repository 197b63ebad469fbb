"""Builds the binding generator, ``codegen/bindgen``, once into the cache.

Its crates are pinned in ``packages.lock``, which is a ``Cargo.lock`` without the lines that name a registry; cargo
itself is asked how it names its own, and then builds under the completed lock, checksums and all.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from gg_arm_kit.errors import KitError

from gg_codegen.cache import cache_folder, digest_of

CRATE = "codegen/bindgen"
PINS = "packages.lock"
_SOURCE = re.compile(r'^source = "[^"]+"$', re.MULTILINE)
_CHECKSUM = re.compile(r"^checksum = ", re.MULTILINE)
_BUILD_TIMEOUT_SECONDS = 900


def crate_hash(root: Path) -> str:
    """The SHA-256 of the generator's sources and pins, in hexadecimal.

    Raises:
        KitError: one of them cannot be read.
    """
    folder = root / CRATE
    paths = [folder / "Cargo.toml", folder / PINS, *sorted((folder / "src").rglob("*.rs"))]
    try:
        return digest_of((path.relative_to(folder).as_posix(), path.read_bytes()) for path in paths)
    except OSError as error:
        raise KitError(f"{error.filename}: cannot be read: {error.strerror}", "Restore the crate's sources.") from error


def built_program(root: Path, tell: Callable[[str], None]) -> Path | None:
    """The generator's program, built if it is not yet in the cache; None where that needs cargo and there is none.

    Parameters:
        root: the repository's folder.
        tell: called before something slow, with what it is.

    Raises:
        KitError: it cannot be built; cargo's own words follow.
    """
    program = cache_folder("bindgen") / f"gg-bindgen-{crate_hash(root)}"
    if program.is_file():
        return program
    if shutil.which("cargo") is None:
        return None
    tell("building the binding generator (once, under a minute of CPU)")
    with tempfile.TemporaryDirectory(dir=program.parent) as scratch:
        crate = Path(scratch, "crate")
        try:
            shutil.copytree(root / CRATE, crate, ignore=shutil.ignore_patterns("target", "Cargo.lock"))
            run_program(["cargo", "generate-lockfile", "--quiet"], crate, "cargo cannot find the generator's crates")
            _pin(crate)
            run_program(["cargo", "build", "--locked", "--quiet"], crate, "the binding generator cannot be built")
            (crate / "target" / "debug" / "gg-bindgen").replace(program)
        except OSError as error:
            raise KitError(f"{error.filename}: the binding generator cannot be built: {error.strerror}") from error
    return program


def run_program(command: list[str], folder: Path, failure: str) -> None:
    """Run a program in ``folder``.

    Raises:
        KitError: it cannot be run or fails; ``failure`` and its own words say how.
    """
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, timeout=_BUILD_TIMEOUT_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise KitError(f"{failure}: {error}") from error
    if done.returncode != 0:
        raise KitError(f"{failure}:\n{done.stderr.decode(errors='replace').strip()}")


def _pin(crate: Path) -> None:
    """Complete the pins with cargo's name for its registry, in place of the lock that it has just resolved."""
    lock = crate / "Cargo.lock"
    sources = set(_SOURCE.findall(lock.read_text(encoding="utf-8")))
    if len(sources) != 1:
        raise KitError("cargo names other than one registry for the generator's crates", "Build without a [patch].")
    pins = (crate / PINS).read_text(encoding="utf-8")
    lock.write_text(_CHECKSUM.sub(f"{sources.pop()}\nchecksum = ", pins), encoding="utf-8")
