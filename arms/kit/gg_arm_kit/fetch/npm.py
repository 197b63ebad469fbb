"""npm packages, through the pinned npm client. The packed file is kept as it is; nothing of a package is run."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from gg_arm_kit.fetch.child import run_client
from gg_arm_kit.lock import Package

MACHINE_SETTINGS = ("/etc/npmrc", "/usr/etc/npmrc", "/usr/local/etc/npmrc")
"""Where an npm that belongs to the machine keeps its settings. The pinned one would look beside itself, where there
are none, so it is pointed there."""


class NpmFetcher:
    """Uses the client of ``client()``: node and npm's own script. It is asked for only when something is fetched."""

    def __init__(self, client: Callable[[], tuple[Path, Path]]) -> None:
        self.client = client

    def fetch(self, package: Package, folder: Path, arrived: Callable[[int], None]) -> Path:
        """See ``base.Fetcher``."""
        node, npm = self.client()
        spec = f"{package.name}@{package.version}"
        argv = (str(node), str(npm), "pack", spec, "--ignore-scripts", "--pack-destination", str(folder))
        run_client(argv, cwd=folder, env=settings(folder), what=package.file)
        path = folder / package.file
        if path.is_file():
            arrived(path.stat().st_size)
        return path


def settings(folder: Path) -> dict[str, str]:
    """The environment npm runs in: this process's own, so that the user's configuration holds, and a private cache."""
    env = dict(os.environ)
    given = {key.lower() for key in env}
    if "npm_config_globalconfig" not in given:
        found = next((path for path in MACHINE_SETTINGS if Path(path).is_file()), None)
        if found:
            env["npm_config_globalconfig"] = found
    env |= {
        "npm_config_cache": str(folder / "npm-cache"),
        "npm_config_omit_lockfile_registry_resolved": "true",
        "npm_config_update_notifier": "false",
        "npm_config_loglevel": "error",
        "npm_config_logs_max": "0",
        "NODE_USE_SYSTEM_CA": "1",  # certificates the machine trusts, as pip trusts them
    }
    return env
