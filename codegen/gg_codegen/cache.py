"""Where generation keeps what it can make again: parsed WIT, the built binding generator, the last run's stamp."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

from gg_arm_kit.errors import KitError


def cache_folder(*parts: str) -> Path:
    """A folder below ``GG_CACHE`` (default: the user's cache directory), made with access for its owner only.

    Raises:
        KitError: the folder belongs to another user, or cannot be made.
    """
    base = os.environ.get("GG_CACHE")
    root = Path(base) if base else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gg-arms"
    try:
        root.mkdir(mode=0o700, parents=True, exist_ok=True)
        if root.stat().st_uid != os.getuid():
            raise KitError(f"{root}: belongs to another user", "Set GG_CACHE to a folder of your own.")
        folder = root.joinpath("codegen", *parts)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise KitError(f"{root}: cannot be used: {error.strerror}", "Set GG_CACHE to a folder of your own.") from error
    return folder


def digest_of(parts: Iterable[tuple[str, bytes]]) -> str:
    """The SHA-256 of named contents, in hexadecimal; each part's length is hashed too, so parts cannot run together."""
    digest = hashlib.sha256()
    for name, content in parts:
        digest.update(f"{len(name.encode())}:{name}:{len(content)}:".encode())
        digest.update(content)
    return digest.hexdigest()
