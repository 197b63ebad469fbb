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
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gg_arm_kit import artifacts, command, progress, registry, source
from gg_arm_kit.cache import Cache, open_cache, write_atomically
from gg_arm_kit.errors import KitError
from gg_arm_kit.kit import Kit
from gg_arm_kit.progress import Progress

SHARED = ("downloads", "trees")


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


def differences(first: Path, second: Path) -> list[str]:
    """Every file that is not the same in both folders, by name and what differs."""
    faults = []
    names = {
        path.relative_to(folder).as_posix()
        for folder in (first, second)
        for path in folder.rglob("*")
        if path.is_file()
    }
    for name in sorted(names):
        one, other = first / name, second / name
        if not one.is_file() or not other.is_file():
            faults.append(f"{name}: only in the {'second' if other.is_file() else 'first'} build")
        elif (a := one.read_bytes()) != (b := other.read_bytes()):
            place = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
            faults.append(f"{name}: {len(a)} and {len(b)} bytes, different from byte {place} on")
        elif (one.stat().st_mode ^ other.stat().st_mode) & 0o111:
            faults.append(f"{name}: executable in one build only")
    return faults


def compare(arm_id: str, cache: Cache, shown: Progress) -> list[str]:
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


def reproduced(arm_id: str, kit: Kit, again: bool, shown: Progress) -> list[str]:
    """Differences between two builds of an arm; without ``again`` an artifact once reproduced is not built again."""
    mark = stamp(arm_id, kit)
    if mark.exists() and not again:
        return []
    faults = compare(arm_id, kit.cache, shown)
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
        shown.note(f"{arm_id}: {'every byte agrees' if not faults else 'differs'}")
        for fault in faults:
            shown.note(f"  {fault}")
    if given.json:
        sys.stdout.write(json.dumps({"arms": found}, indent=2) + "\n")
    return 1 if any(found.values()) else 0


if __name__ == "__main__":
    sys.exit(command.run("reproduce", main))
