"""Wheels and source distributions, through this environment's own pip."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from pathlib import Path

from gg_arm_kit.fetch import pip_child
from gg_arm_kit.fetch.child import run_client
from gg_arm_kit.lock import Package

CHILD = (sys.executable, "-P", pip_child.__file__)


class PipFetcher:
    """One form of package: ``wheel`` or ``sdist``."""

    def __init__(self, form: str) -> None:
        self.form = form

    def fetch(self, package: Package, folder: Path, arrived: Callable[[int], None]) -> Path:
        """See ``base.Fetcher``."""
        target = folder / package.file

        def watch() -> None:
            with contextlib.suppress(FileNotFoundError):
                arrived(target.stat().st_size)

        arguments = ("fetch", self.form, package.name, package.file, str(package.size), str(target))
        run_client((*CHILD, *arguments), cwd=folder, what=package.file, watch=watch)
        return target


def list_files(form: str, name: str, folder: Path) -> dict[str, str]:
    """Every file of that form the index offers of package ``name`` for this machine: file name to version.

    Parameters:
        form: ``wheel`` or ``sdist``.
        name: the package.
        folder: an empty private folder to work in.

    Raises:
        KitError: as ``base.Fetcher.fetch``.
    """
    text = run_client((*CHILD, "list", form, name), cwd=folder, what=f"the list of {name}'s files")
    return {file: version for version, file in (line.split(" ", 1) for line in text.splitlines())}
