"""How a program of one arm spells a call, read from the artifact's documentation catalogue."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gg_arm_kit.errors import KitError

from gg_host.catalogue import Operation


@dataclass(frozen=True, slots=True)
class Spelling:
    """The fully-qualified name of each operation."""

    names: Mapping[str, str]

    def __call__(self, operation: Operation) -> str:
        """The name as the program writes it in full."""
        return self.names.get(operation.id, f"gg.{operation.id}")


def read_spelling(signatures: Path) -> Spelling:
    """Read ``signatures.json``.

    Raises:
        KitError: it cannot be read or is not such a catalogue.
    """
    try:
        functions = json.loads(signatures.read_text(encoding="utf-8"))["functions"]
        return Spelling({entry["operation"]: entry["fqn"] for entry in functions if not entry.get("aliasOf")})
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise KitError(f"{signatures}: is no documentation catalogue: {error}", "Build the arm again.") from error
