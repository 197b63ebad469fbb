"""The table as one self-contained HTML page; each cell opens to its program, what the model reads, record and times."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

from gg_arm_kit.cache import write_atomically
from gg_arm_kit.errors import KitError
from jinja2 import Environment, PackageLoader, StrictUndefined

from gg_conformance.judge import Result, Status
from gg_conformance.model import Shape
from gg_conformance.show import MARKS, summary


def render(results: Sequence[Result], titles: dict[str, str]) -> str:
    """The page's text; it loads nothing from anywhere."""
    environment = Environment(
        loader=PackageLoader("gg_conformance"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    shapes = [shape for shape in Shape if any(result.cell.shape is shape for result in results)]
    by_place = {(result.cell.arm, result.cell.shape): _view(result) for result in results}
    rows = [
        {"title": title, "cells": [by_place.get((arm, shape)) for shape in shapes]}
        for arm, title in titles.items()
        if any(result.cell.arm == arm for result in results)
    ]
    return environment.get_template("table.html.j2").render(
        shapes=shapes, rows=rows, summary=summary(results), marks={s.value: m for s, (m, _) in MARKS.items()}
    )


def _view(result: Result) -> dict[str, object]:
    seen = result.seen
    words = result.cell.expected
    if result.status is Status.DIFFERS and seen is not None and seen.filed_as != result.cell.filed_as:
        words = f"{seen.filed_as}, wants {words}"
    return {
        "id": f"{result.cell.arm}-{result.cell.shape.value}",
        "status": result.status.value,
        "mark": MARKS[result.status][0],
        "words": words,
        "reason": result.reason,
        "program": result.cell.source().decode() if result.cell.program else "",
        "text": seen.text if seen else "",
        "location": (seen.location or "nowhere") if seen else "",
        "record": json.dumps(seen.record, indent=2, ensure_ascii=False) if seen else "",
        "milliseconds": f"{seen.seconds * 1000:.1f}" if seen else "",
    }


def check_place(path: Path) -> None:
    """Refuse a file that cannot be written, before the work whose result it is to hold.

    Raises:
        KitError: it is a folder, or its folder is not there or cannot be written to.
    """
    if path.is_dir():
        raise KitError(f"{path} is a folder", "Name a file.")
    if not path.parent.is_dir():
        raise KitError(f"{path}: there is no folder {path.parent}", "Make it, or name another file.")
    if not os.access(path.parent, os.W_OK):
        raise KitError(f"{path}: its folder cannot be written to", "Name another file.")


def write(path: Path, text: str) -> None:
    """Replace ``path`` whole, or leave it as it was.

    Raises:
        KitError: the folder cannot be written to.
    """
    try:
        write_atomically(path, text.encode("utf-8"))
    except OSError as error:
        raise KitError(f"{path}: cannot be written: {error.strerror}", "Name another file.") from error
