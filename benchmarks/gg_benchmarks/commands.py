"""What the project's own commands cost a maintainer."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from gg_arm_kit.errors import KitError
from gg_conformance.reproduce import copy_tree, search_path


def _cpu_secs(command: list[str], **options: object) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)  # type: ignore[call-overload]
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise KitError(f"{' '.join(command)}: {done.stdout}{done.stderr}")
    return (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime)


def generate_cpu_secs(everything: bool) -> float:
    """Processor time of ``generate`` in a copy of the repository, in seconds.

    Parameters:
        everything: whether every generated file is gone before; otherwise nothing changed.
    """
    with tempfile.TemporaryDirectory(prefix="gg-bench-") as folder:
        tree = Path(folder)
        copy_tree(tree)
        environment = os.environ | {"PYTHONPATH": search_path(tree)}
        command = [sys.executable, "-m", "gg_codegen", "generate"]
        _cpu_secs(command, cwd=tree, env=environment)
        best = float("inf")
        for _ in range(3):
            if everything:
                for generated in tree.glob("arms/*/generated"):
                    shutil.rmtree(generated)
            best = min(best, _cpu_secs(command, cwd=tree, env=environment))
        return best


def table_secs() -> float:
    """Wall time of the failure table of all arms that are built, in seconds."""
    with tempfile.TemporaryDirectory(prefix="gg-bench-") as folder:
        out = Path(folder)
        start = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-m", "gg_conformance", "--json", str(out / "t.json"), "--html", str(out / "t.html")],
            capture_output=True,
            text=True,
            check=False,
        )
        taken = time.perf_counter() - start
        if done.returncode != 0 or not json.loads((out / "t.json").read_text())["cells"]:
            raise KitError(f"the table failed: {done.stdout}{done.stderr}")
        return taken


def from_nothing_secs() -> float:
    """Wall time of ``./nox -s table`` with an empty cache, downloads and environment included, in seconds."""
    with tempfile.TemporaryDirectory(prefix="gg-bench-cold-") as folder:
        tree, cache = Path(folder) / "tree", Path(folder) / "cache"
        copy_tree(tree)
        cache.mkdir(mode=0o700)
        start = time.perf_counter()
        done = subprocess.run(
            [str(tree / "nox"), "-s", "table"],
            cwd=tree,
            env={**os.environ, "GG_CACHE": str(cache)},
            capture_output=True,
            text=True,
            check=False,
        )
        taken = time.perf_counter() - start
        for folder_name, _, _ in os.walk(cache):
            os.chmod(folder_name, 0o700)  # noqa: PTH101 - os.walk gives text
        if done.returncode != 0:
            raise KitError(f"./nox -s table failed: {done.stdout[-2000:]}{done.stderr[-2000:]}")
        return taken
