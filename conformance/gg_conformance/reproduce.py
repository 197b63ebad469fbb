"""``./nox -s reproduce``: build every arm twice under different circumstances and compare every byte.

The two builds differ in everything that must not matter: folder of the sources, cache, home, time zone, locale, umask
and hash seed. They share the pinned downloads, which are checked by hash.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from gg_arm_kit import artifacts, command, progress, registry, source
from gg_arm_kit.cache import Cache, open_cache, write_atomically
from gg_arm_kit.errors import KitError
from gg_arm_kit.kit import Kit
from gg_arm_kit.manifest import MANIFEST
from gg_arm_kit.progress import Progress
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gg_conformance.model import FOLDER

SHARED = ("downloads", "trees")
BLOCK = 1 << 16


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What differs between the builds."""

    name: str
    depth: str
    time_zone: str
    locale: str
    umask: int
    hash_seed: str


FIRST = Circumstances("first", "a", "UTC", "C", 0o022, "1")
SECOND = Circumstances("second", "a/longer/way", "Asia/Kathmandu", "C.UTF-8", 0o077, "2")


def copy_tree(target: Path) -> None:
    """Copy what git knows of the repository, and what it does not ignore, to ``target``."""
    root = source.root()
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        capture_output=True,
        check=True,
    ).stdout.decode()
    for name in filter(None, listing.split("\0")):
        if (root / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, target / name, follow_symlinks=False)


def search_path(tree: Path) -> str:
    """PYTHONPATH that makes Python use a copied tree in the place of the checkout."""
    folders = [path.parent for path in [*tree.glob("*/pyproject.toml"), *tree.glob("arms/*/pyproject.toml")]]
    return os.pathsep.join(str(folder) for folder in sorted(folders))


def build(arm_id: str, how: Circumstances, scratch: Path, cache: Cache) -> Path:
    """Build one arm under ``how``; returns the artifact's folder.

    Raises:
        KitError: the build failed; its own words are in the message.
    """
    place = scratch / how.name / how.depth
    tree, own_cache, home = place / "tree", place / "cache", place / "home"
    for folder in (tree, own_cache, home):
        folder.mkdir(parents=True)
        folder.chmod(0o700)
    copy_tree(tree)
    for name in SHARED:
        (own_cache / name).symlink_to(cache.folder(name))
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": search_path(tree),
        "PYTHONHASHSEED": how.hash_seed,
        "GG_CACHE": str(own_cache),
        "HOME": str(home),
        "TZ": how.time_zone,
        "LC_ALL": how.locale,
    }
    done = subprocess.run(
        [sys.executable, "-m", "gg_arm_kit.build_command", arm_id],
        cwd=tree,
        env=environment,
        umask=how.umask,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise KitError(f"the {how.name} build of {arm_id} failed:\n{done.stdout}{done.stderr}")
    return (own_cache / "artifacts" / arm_id / artifacts.CURRENT).resolve()


@dataclass(frozen=True, slots=True)
class Difference:
    """A file that is not the same in two builds.

    ``bytes`` counts the places that differ; None where the two cannot be compared place by place.
    """

    file: str
    what: str
    bytes: int | None = None

    def __str__(self) -> str:
        return f"{self.file}: {self.what}"


class Listed(BaseModel):
    """A known and explained difference, from ``conformance/differences.toml``; it may be no larger than it says."""

    model_config = ConfigDict(frozen=True, extra="forbid", alias_generator=lambda name: name.replace("_", "-"))

    arm: str
    file: str
    most_bytes: int = Field(ge=1)
    reason: str = Field(min_length=20)


def read_listed(path: Path = FOLDER / "differences.toml") -> list[Listed]:
    """Every listed difference.

    Raises:
        KitError: the file is not TOML or a row is wrong.
    """
    try:
        return [Listed.model_validate(row) for row in tomllib.loads(path.read_text(encoding="utf-8"))["difference"]]
    except (OSError, KeyError, tomllib.TOMLDecodeError, ValidationError) as error:
        raise KitError(f"{path}: {error}", "Mend the row; the file's comment says what one holds.") from error


def differences(first: Path, second: Path) -> list[Difference]:
    """Every file that is not the same in both folders, by name and what differs."""
    found = []
    names = {
        path.relative_to(folder).as_posix()
        for folder in (first, second)
        for path in folder.rglob("*")
        if path.is_file()
    }
    for name in sorted(names):
        one, other = first / name, second / name
        if not one.is_file() or not other.is_file():
            found.append(Difference(name, f"only in the {'second' if other.is_file() else 'first'} build"))
        elif (a := one.read_bytes()) != (b := other.read_bytes()):
            places = list(_places(a, b))
            start = places[0] if places else min(len(a), len(b))
            what = f"{len(a)} and {len(b)} bytes, {len(places)} of them different, from byte {start} on"
            found.append(Difference(name, what, len(places) if len(a) == len(b) else None))
        elif (one.stat().st_mode ^ other.stat().st_mode) & 0o111:
            found.append(Difference(name, "executable in one build only"))
    return found


def _places(first: bytes, second: bytes) -> Iterator[int]:
    """Where two texts of bytes differ, up to the end of the shorter one; a block at a time, as most are the same."""
    for start in range(0, min(len(first), len(second)), BLOCK):
        one, other = first[start : start + BLOCK], second[start : start + BLOCK]
        if one != other:
            yield from (start + place for place, (x, y) in enumerate(zip(one, other, strict=False)) if x != y)


def unlisted(arm_id: str, found: Sequence[Difference], listed: Sequence[Listed]) -> list[Difference]:
    """The differences that no row explains. A manifest follows the files whose hashes it holds."""
    known = {row.file: row for row in listed if row.arm == arm_id}
    left = [
        each
        for each in found
        if each.file not in known or each.bytes is None or each.bytes > known[each.file].most_bytes
    ]
    return [] if [each.file for each in left] == [MANIFEST] and len(found) > 1 else left


def compare(arm_id: str, cache: Cache, shown: Progress) -> list[Difference]:
    """Build ``arm_id`` twice and name every difference."""
    with tempfile.TemporaryDirectory(prefix="gg-reproduce-") as folder:
        made = []
        for how in (FIRST, SECOND):
            with shown.step(f"{arm_id}: {how.name} build"):
                made.append(build(arm_id, how, Path(folder), cache))
        return differences(*made)


def stamp(arm_id: str, kit: Kit) -> Path:
    """The file that tells that this very artifact was reproduced; a changed artifact has a stamp of its own."""
    artifact = registry.find(arm_id).build(kit)
    return kit.cache.folder("reproduced") / f"{arm_id}-{artifact.folder.name}"


def reproduced(arm_id: str, kit: Kit, again: bool, shown: Progress) -> list[Difference]:
    """Unlisted differences between two builds of an arm; without ``again``, one once reproduced is not built again."""
    mark = stamp(arm_id, kit)
    if mark.exists() and not again:
        return []
    found, listed = compare(arm_id, kit.cache, shown), read_listed()
    faults = unlisted(arm_id, found, listed)
    for row in listed:
        if found and row.arm == arm_id:
            shown.note(f"{arm_id}: {row.file} differs in at most {row.most_bytes} bytes, as listed: {row.reason}")
    if not faults:
        write_atomically(mark, b"")
    return faults


def main(arguments: Sequence[str] | None = None) -> int:
    """The command. Returns 0 when every byte agrees, 1 when one does not.

    Raises:
        KitError: an arm is not known, or a build failed.
    """
    parser = argparse.ArgumentParser(prog="reproduce", description=__doc__)
    parser.add_argument("arm", nargs="*", help="arms to build twice (all that are in the repository)")
    parser.add_argument("--json", action="store_true", help="print the result as JSON on standard output")
    given = parser.parse_args(arguments)
    shown = progress.choose()
    kit = Kit(progress=shown, cache=open_cache())
    ids = [registry.find(arm_id).facts.id for arm_id in given.arm] or list(registry.available())
    found = {arm_id: reproduced(arm_id, kit, True, shown) for arm_id in ids}
    for arm_id, faults in found.items():
        shown.note(f"{arm_id}: {'the two builds agree' if not faults else 'the two builds differ'}")
        for fault in faults:
            shown.note(f"  {fault}")
    if given.json:
        sys.stdout.write(
            json.dumps({"arms": {arm_id: [*map(str, faults)] for arm_id, faults in found.items()}}, indent=2) + "\n"
        )
    return 1 if any(found.values()) else 0


if __name__ == "__main__":
    sys.exit(command.run("reproduce", main))
