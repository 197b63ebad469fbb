"""Where the repository's inputs lie. Found from this file's own place, so a copied tree works on the copy."""

from __future__ import annotations

from pathlib import Path

from gg_arm_kit.errors import KitError


def root() -> Path:
    """The repository's folder.

    Raises:
        KitError: this package was installed without the repository around it, so there is nothing to build from.
    """
    folder = Path(__file__).resolve().parents[3]
    if not (folder / "wit" / "world.wit").is_file():
        raise KitError(
            "this command needs the repository's sources, and they are not around the installed package",
            "Run it from a checkout, or use a released artifact.",
        )
    return folder


def wit() -> Path:
    """The folder of the WIT package and the operations table."""
    return root() / "wit"


def arms() -> Path:
    """The folder that holds one folder for each arm, and the kit."""
    return root() / "arms"


def arm(arm_id: str) -> Path:
    """The folder of one arm."""
    return arms() / arm_id


def generated(arm_id: str) -> Path:
    """The folder of what ``generate`` wrote for one arm."""
    return arm(arm_id) / "generated"


def arm_ids() -> list[str]:
    """Every arm that has a folder with an ``arm.toml``, built or not, in alphabetical order."""
    return sorted(path.parent.name for path in arms().glob("*/arm.toml"))
