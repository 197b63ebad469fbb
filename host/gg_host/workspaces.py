"""Private folders for preparing programs."""

from __future__ import annotations

import contextlib
from typing import Any


def workspace() -> contextlib.AbstractContextManager[Any]:
    """A workspace for one preparation, removed at its end."""
    return contextlib.nullcontext(None)
