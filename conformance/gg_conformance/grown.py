"""A copy of the tree that has grown by one interface and one operation, generated and built like the real one.

It has a cache of its own, so that its artifacts are never taken for the repository's; what is kept by content there is
shared with the repository's cache.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from gg_arm_kit.cache import open_cache
from gg_arm_kit.errors import KitError

from gg_conformance import suites
from gg_conformance.reproduce import copy_tree, search_path

SHARED = ("downloads", "trees", "steps", "compiled", "zig", "codegen", "environments", "locks")
TIMEOUT_SECONDS = 900


@dataclass(frozen=True, slots=True)
class Job:
    """One program to run in the grown tree.

    arm: id of the arm.
    program: its text.
    values: whether the values of the suite are served, else the operation that was added, in a folder with files.
    """

    arm: str
    program: str
    values: bool


@dataclass(frozen=True, slots=True)
class Grown:
    """The copied tree and the cache of its own."""

    tree: Path
    cache: Path

    def run(self, *arguments: str, given: str | None = None) -> subprocess.CompletedProcess[str]:
        """Run Python with the copied tree in the place of the checkout."""
        environment = {
            **{name: value for name, value in os.environ.items() if name != "CI"},
            "PYTHONPATH": search_path(self.tree),
            "GG_CACHE": str(self.cache),
        }
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=self.tree,
            env=environment,
            input=given,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_SECONDS,
            check=False,
        )

    def run_well(self, *arguments: str, given: str | None = None) -> str:
        """``run``; returns its standard output.

        Raises:
            KitError: it ended with another status than 0; its words are in the message.
        """
        done = self.run(*arguments, given=given)
        if done.returncode != 0:
            raise KitError(f"{' '.join(arguments)} failed in the grown tree:\n{done.stdout}{done.stderr}")
        return done.stdout

    def missing_methods(self) -> list[str]:
        """What the check of the providers says there."""
        words = "import json; from gg_host.providers.completeness import missing_methods as m; print(json.dumps(m()))"
        found: list[str] = json.loads(self.run_well("-c", words))
        return found

    def programs(self, jobs: Sequence[Job]) -> list[dict[str, Any]]:
        """Run programs there, one after the other; for each its report and the values that arrived."""
        given = json.dumps([asdict(job) for job in jobs])
        found: list[dict[str, Any]] = json.loads(self.run_well("-m", "gg_conformance.grown_child", given=given))
        return found


def copied(folder: Path) -> Grown:
    """Copy the tree into ``folder`` and prepare the cache; nothing is added yet."""
    grown = Grown(folder / "tree", folder / "cache")
    for made in (grown.tree, grown.cache):
        made.mkdir(parents=True)
        made.chmod(0o700)
    copy_tree(grown.tree)
    cache = open_cache()
    for name in SHARED:
        (grown.cache / name).symlink_to(cache.folder(name))
    return grown


def add_values(tree: Path) -> None:
    """Add the interface of the values suite: its file, its import, its rows."""
    data = suites.folder() / "values"
    (tree / "wit" / "values.wit").write_text((data / "values.wit").read_text(encoding="utf-8"), encoding="utf-8")
    _change(tree / "wit" / "world.wit", "    import feedback;\n", "    import values;\n    import feedback;\n")
    table = tree / "wit" / "operations.toml"
    rows = (data / "operations.toml").read_text(encoding="utf-8")
    table.write_text(table.read_text(encoding="utf-8").rstrip("\n") + "\n\n" + rows, encoding="utf-8")


def add_operation(tree: Path) -> None:
    """Add one operation to ``files``: one function and one row, as CONTRIBUTING tells."""
    data = suites.folder() / "grown"
    wit = tree / "wit" / "files.wit"
    body, brace, _ = wit.read_text(encoding="utf-8").rpartition("}")
    wit.write_text(body + (data / "function.wit").read_text(encoding="utf-8") + brace + "\n", encoding="utf-8")
    table = tree / "wit" / "operations.toml"
    row = (data / "operation.toml").read_text(encoding="utf-8")
    first_of_next = '[[operation]]\nid = "shell.'
    _change(table, first_of_next, row + first_of_next)


def add_method(tree: Path) -> None:
    """Serve the operation that was added."""
    method = (suites.folder() / "grown" / "method.txt").read_text(encoding="utf-8")
    place = tree / "host" / "gg_host" / "providers" / "files.py"
    _change(place, "    def read_file(", method + "    def read_file(")


def _change(path: Path, old: str, new: str) -> None:
    """Replace the one occurrence of a text in a file.

    Raises:
        KitError: it does not occur, so the tree is not what this suite was written for.
    """
    text = path.read_text(encoding="utf-8")
    if text.count(old) < 1:
        raise KitError(f"{path.name} does not hold {old!r}", "Change conformance/gg_conformance/grown.py with it.")
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
