"""What every fetcher does: write one pinned file, whole or not at all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from gg_arm_kit.lock import Package


class Fetcher(Protocol):
    """Fetches packages of one ecosystem. It need not check what it gets: the store does."""

    def fetch(self, package: Package, folder: Path, arrived: Callable[[int], None]) -> Path:
        """Fetch ``package.file``; returns where it lies.

        Parameters:
            package: what to fetch.
            folder: an empty private folder to work in.
            arrived: told the number of bytes that have arrived so far, where that is known.

        Raises:
            KitError: the client failed or does not know the file.
        """
        ...
