"""``./nox -s build``: make the artifacts of the arms that are in the repository."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from gg_arm_kit import command, progress, registry
from gg_arm_kit.artifacts import Artifact
from gg_arm_kit.compile import compiled
from gg_arm_kit.kit import Kit
from gg_arm_kit.pack import pack
from gg_arm_kit.seam import Arm


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="build",
        description="Build arms from pinned toolchains; what did not change is not built again.",
        epilog="Exit codes: 0 built; 2 something is wrong and the message says what; 130 interrupted.",
    )
    parser.add_argument("arm", nargs="*", help="arms to build (all that are in the repository)")
    parser.add_argument("--pack", type=Path, metavar="DIR", help="also write one archive for each arm, and SHA256SUMS")
    parser.add_argument("--json", action="store_true", help="print the artifacts as JSON on standard output")
    return parser.parse_args(arguments)


def chosen(ids: Sequence[str]) -> list[Arm]:
    """The arms to build: those named, or all there are.

    Raises:
        KitError: a name is no arm, or one that is not built yet.
    """
    return [registry.find(arm_id) for arm_id in dict.fromkeys(ids)] or list(registry.available().values())


def build(kit: Kit, arm: Arm) -> Artifact:
    """Build one arm and its component's compiled form.

    Raises:
        KitError: as ``Arm.build`` and ``compiled``.
    """
    artifact = arm.build(kit)
    compiled(artifact.component)
    return artifact


def main(arguments: Sequence[str] | None = None) -> int:
    """The command's work. Returns its exit code.

    Raises:
        KitError: as ``chosen``, ``build`` and ``pack``.
    """
    given = _arguments(arguments)
    shown = progress.choose()
    kit = Kit(progress=shown)
    artifacts = []
    for arm in chosen(given.arm):
        start = time.monotonic()
        artifact = build(kit, arm)
        artifacts.append(artifact)
        took = time.monotonic() - start
        shown.note(f"{took:7.1f} s  {arm.facts.title}: {artifact.folder.name}")
    written = pack(artifacts, given.pack) if given.pack else []
    for path in written:
        shown.note(f"packed     {path}")
    if given.json:
        rows = [
            {"arm": a.manifest.arm, "folder": str(a.folder), "manifest": a.manifest.model_dump()} for a in artifacts
        ]
        sys.stdout.write(json.dumps({"artifacts": rows}, indent=2, default=str) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(command.run("build", main))
