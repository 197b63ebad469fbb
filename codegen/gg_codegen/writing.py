"""Files are written whole or not at all, and only when their bytes change."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from gg_arm_kit.errors import KitError


def write_if_changed(path: Path, content: bytes) -> bool:
    """Put ``content`` at ``path`` by a rename, so that a reader sees the old file or the new one.

    Returns whether it wrote.

    Raises:
        KitError: the file or its folder cannot be written; nothing is left half-written.
    """
    try:
        if path.read_bytes() == content and not path.is_symlink():
            return False
    except OSError:
        pass  # absent or unreadable: writing tells
    temporary = path.parent / f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("xb") as file:
            file.write(content)
        temporary.replace(path)
    except OSError as error:
        raise KitError(f"{path}: cannot be written: {error.strerror}", "Free space or mend its permissions.") from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
    return True
