"""Generation as a whole: what is written, what is removed, and when nothing need be done at all.

A *stamp* in the cache remembers, for the hash of every input, the hash of every output. While both still hold, neither
templates nor models are read: that is the case of nothing changed, which must cost next to nothing.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gg_arm_kit import source
from gg_arm_kit.errors import KitError

from gg_codegen.cache import cache_folder, digest_of
from gg_codegen.comparing import Difference, compare, digest_of_bytes, untracked_by_git
from gg_codegen.writing import write_if_changed

_INPUTS = (
    "wit/**/*.wit",
    "wit/operations.toml",
    "arms/*/arm.toml",
    "arms/*/templates/**/*",
    "host/templates/*",
    "codegen/bindgen/Cargo.toml",
    "codegen/bindgen/packages.lock",
    "codegen/bindgen/src/**/*.rs",
    "requirements/project.txt",
)
"""What outputs are made from, beside this package and the arms' facts. Requirements stand for the tools' versions."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """What the outputs of some inputs are: SHA-256 by path, and the folders that hold nothing else."""

    digests: dict[str, str]
    folders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """What generation did or found. ``unchecked`` are layers that could not be made anew, each with its reason."""

    difference: Difference
    written: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()


def generate(root: Path, tell: Callable[[str], None]) -> Result:
    """Write every output that is not there yet, and remove what nothing generates any more.

    Parameters:
        root: the repository's folder.
        tell: called before something slow, with what it is.

    Raises:
        KitError: an input is wrong (nothing was written), or a file cannot be written.
    """
    key = inputs_hash(root)
    stamp = _read_stamp(key)
    if stamp is not None and not compare(root, stamp.digests, stamp.folders):
        return Result(Difference())
    stamp, contents, unchecked = _make(root, key, tell)
    difference = compare(root, stamp.digests, stamp.folders)
    written = tuple(path for path in sorted(contents) if write_if_changed(root / path, contents[path]))
    for path in difference.unknown:
        _remove(root, path, stamp.folders)
    return Result(Difference(), written, difference.unknown, unchecked)


def check(root: Path, tell: Callable[[str], None]) -> Result:
    """Tell how the tree differs from what ``generate`` would write; writes nothing in it.

    Raises:
        KitError: an input is wrong.
    """
    key = inputs_hash(root)
    stamp = _read_stamp(key)
    unchecked: tuple[str, ...] = ()
    if stamp is None:
        stamp, _, unchecked = _make(root, key, tell)
    difference = compare(root, stamp.digests, stamp.folders)
    there = (path for path in stamp.digests if path not in difference.missing)
    return Result(replace(difference, uncommitted=untracked_by_git(root, there)), unchecked=unchecked)


def inputs_hash(root: Path) -> str:
    """The SHA-256 of everything that outputs are made from, this program included.

    Raises:
        KitError: an input cannot be read.
    """
    try:
        return digest_of(_inputs(root))
    except OSError as error:
        raise KitError(f"{error.filename}: cannot be read: {error.strerror}") from error


def _inputs(root: Path) -> Iterator[tuple[str, bytes]]:
    yield "python", sys.version.encode()
    for pattern in _INPUTS:
        for path in sorted(root.glob(pattern)):
            if path.is_file():
                yield path.relative_to(root).as_posix(), path.read_bytes()
    package = Path(__file__).parent
    for path in (*sorted(package.rglob("*.py")), Path(source.__file__).with_name("facts.py")):
        yield f"{path.parent.name}/{path.name}", path.read_bytes()


def _make(root: Path, key: str, tell: Callable[[str], None]) -> tuple[Stamp, dict[str, bytes], tuple[str, ...]]:
    from gg_codegen.outputs import make_outputs  # templates and models cost time that an unchanged tree need not spend

    outputs = make_outputs(root, tell)
    digests = {path: digest_of_bytes(content) for path, content in outputs.files.items()}
    stamp = Stamp(digests, outputs.folders)
    if not outputs.unchecked and inputs_hash(root) == key:  # else somebody edited an input meanwhile
        text = json.dumps({"digests": stamp.digests, "folders": stamp.folders})
        write_if_changed(_stamp_path(key), text.encode())
    return stamp, outputs.files, outputs.unchecked


def _read_stamp(key: str) -> Stamp | None:
    try:
        kept: dict[str, Any] = json.loads(_stamp_path(key).read_bytes())
        return Stamp(dict(kept["digests"]), tuple(kept["folders"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _stamp_path(key: str) -> Path:
    return cache_folder("stamps") / f"{key}.json"


def _remove(root: Path, path: str, folders: tuple[str, ...]) -> None:
    """Remove a file that nothing generates, and the folders it leaves empty; never a generated folder itself."""
    try:
        (root / path).unlink(missing_ok=True)
        parent = (root / path).parent
        while parent.relative_to(root).as_posix() not in folders and not any(parent.iterdir()):
            parent.rmdir()
            parent = parent.parent
    except OSError as error:
        raise KitError(f"{root / path}: cannot be removed: {error.strerror}") from error
