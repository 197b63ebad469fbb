"""An environment of their own for the peers, so that the project's holds none of them."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import venv
from pathlib import Path

from gg_arm_kit import source
from gg_arm_kit.cache import Cache, remove_tree
from gg_arm_kit.errors import KitError


def environment(cache: Cache) -> Path:
    """The Python of the peers' environment, made when its lock changed.

    Raises:
        KitError: pip could not install the pinned peers; its words are in the message.
    """
    lock = source.root() / "requirements" / "bench.txt"
    key = hashlib.sha256(lock.read_bytes() + sys.version.encode()).hexdigest()[:16]
    folder = cache.folder("peers") / key
    python = folder / "bin" / "python"
    with cache.lock("peers"):
        if (folder / "complete").exists():
            return python
        remove_tree(folder)
        venv.create(folder, with_pip=True)
        install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes"]
        done = subprocess.run(
            [*install, "--only-binary", ":all:", "-r", str(lock)], capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise KitError(f"the peers could not be installed: {done.stderr.strip()}", "The other rows are measured.")
        (folder / "complete").touch()
    return python


def figures(cache: Cache) -> dict[str, dict[str, float]]:
    """Each peer's figures by name, measured now.

    Raises:
        KitError: the peers cannot be installed or run.
    """
    search = os.pathsep.join([str(source.root() / "benchmarks")])
    done = subprocess.run(
        [str(environment(cache)), "-m", "gg_benchmarks.peers"],
        env=os.environ | {"PYTHONPATH": search},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise KitError(f"the peers could not be measured: {done.stderr.strip()[-500:]}")
    found: dict[str, dict[str, float]] = json.loads(done.stdout)
    return found
