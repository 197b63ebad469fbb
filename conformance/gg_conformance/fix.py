"""Rewrite the failure table's place of cells that are filed right and read otherwise, keeping its comments."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import tomlkit

from gg_conformance.judge import Result, Status
from gg_conformance.model import NOWHERE, TABLE
from gg_conformance.page import write


def rewrite(results: Sequence[Result], path: Path = TABLE) -> list[str]:
    """Write what was seen into the rows of cells whose filing is right. What is filed as is law and never rewritten.

    Returns:
        One line for each row that changed, to be read by a person before it is committed.
    """
    document = tomlkit.parse(path.read_text(encoding="utf-8"))
    rows = {(row["arm"], row["shape"]): row for row in document["cell"]}
    changed = []
    for result in results:
        seen, cell = result.seen, result.cell
        if result.status is not Status.DIFFERS or seen is None or seen.filed_as != cell.filed_as or cell.accepted:
            continue
        row = rows[cell.arm, cell.shape.value]
        place = seen.location or NOWHERE
        if place != cell.at:
            row["at"] = place
            changed.append(f"{cell.arm} ({cell.shape.value}): at {cell.at} -> {place}")
        said = [word for word in cell.says if word in seen.text]
        if said and len(said) != len(cell.says):
            row["says"] = said
            changed.append(f"{cell.arm} ({cell.shape.value}): says {list(cell.says)} -> {said}")
    if changed:
        write(path, tomlkit.dumps(document))
    return changed
