"""Where generation keeps what it can make again: parsed WIT, the built binding generator, the last runs' stamps."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from gg_arm_kit.cache import Cache, default_root, open_cache


def cache_folder(*parts: str) -> Path:
    """A folder of generation's own below the project's cache, made when it is not there.

    Raises:
        KitError: the cache cannot be used, or others may write to it.
    """
    return _opened(default_root()).folder("codegen", *parts)


def digest_of(parts: Iterable[tuple[str, bytes]]) -> str:
    """The SHA-256 of named contents, in hexadecimal; each part's length is hashed too, so parts cannot run together."""
    digest = hashlib.sha256()
    for name, content in parts:
        digest.update(f"{len(name.encode())}:{name}:{len(content)}:".encode())
        digest.update(content)
    return digest.hexdigest()


@lru_cache
def _opened(root: Path) -> Cache:
    return open_cache(root)
