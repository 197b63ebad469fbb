"""The failure table: one row for each arm and shape, read from ``failure_table.toml``."""

from __future__ import annotations

import tomllib
from datetime import date
from enum import StrEnum
from pathlib import Path

from gg_arm_kit.errors import KitError
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

FOLDER = Path(__file__).resolve().parents[1]
TABLE = FOLDER / "failure_table.toml"
PROGRAMS = FOLDER / "programs"
NOWHERE = "nowhere"
NO_BAND = "none"
"""The band where the model is told nothing."""


class Shape(StrEnum):
    """The five ways a program fails."""

    FAILED_CALL = "a"
    NATIVE_FAULT = "b"
    FAILURE_VALUE = "c"
    STACK_OVERFLOW = "d"
    EXPLICIT_EXIT = "e"

    @property
    def heading(self) -> str:
        """The shape's column heading, as the seed's table words it."""
        return {
            "a": "uncaught failed call",
            "b": "native fault",
            "c": "failure value",
            "d": "stack overflow",
            "e": "explicit exit",
        }[self.value]


def _kebab(name: str) -> str:
    return name.replace("_", "-")


class Accepted(BaseModel):
    """A difference from the row that is known and explained; it fails the run as soon as something else is seen.

    ``filed_as``, ``band``, ``says`` and ``at`` are what is seen in the place of the row's own, which hold where one is
    left out; ``band`` is ``none`` and ``says`` empty where the model is told nothing.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", alias_generator=_kebab)

    reason: str = Field(min_length=10)
    link: str = Field(min_length=1)
    date: date
    filed_as: str | None = None
    band: str | None = None
    says: tuple[str, ...] | None = None
    at: str | None = None

    @property
    def changes(self) -> dict[str, object]:
        """What is seen in the place of a cell's own fields."""
        fields = {"filed_as": self.filed_as, "band": self.band, "says": self.says, "at": self.at}
        return {name: value for name, value in fields.items() if value is not None}

    @model_validator(mode="after")
    def _differs(self) -> Accepted:
        if not self.changes:
            raise ValueError("an accepted difference needs at least one of filed-as, band, says and at")
        return self


class Cell(BaseModel):
    """One cell: what the program is filed as, and how it is read by the model."""

    model_config = ConfigDict(frozen=True, extra="forbid", alias_generator=_kebab)

    arm: str
    shape: Shape
    filed_as: str
    reads: str | None = None
    program: str | None = None
    band: str | None = None
    says: tuple[str, ...] = ()
    at: str | None = None
    accepted: Accepted | None = None

    @model_validator(mode="after")
    def _whole(self) -> Cell:
        read = (self.program, self.band, self.at)
        if any(part is not None for part in read) and (None in read or not self.says):
            raise ValueError("a cell with a program needs program, band, says and at")
        return self

    @property
    def expected(self) -> str:
        """What the printed table shows for a cell that behaves."""
        return self.reads or self.filed_as

    def source(self) -> bytes:
        """The program's exact bytes.

        Raises:
            KitError: the cell has no program, or its file cannot be read.
        """
        if self.program is None:
            raise KitError(
                f"cell {self.arm} ({self.shape}) has no program, and the arm is built",
                f"Write conformance/programs/{self.arm}/ and give the cell program, band, says and at.",
            )
        path = PROGRAMS / self.arm / self.program
        try:
            return path.read_bytes()
        except OSError as error:
            raise KitError(f"{path}: cannot be read: {error.strerror}", "The failure table names it.") from error


def read_table(path: Path = TABLE) -> list[Cell]:
    """Every cell, in the file's order.

    Raises:
        KitError: the file is not TOML, a row is wrong, or a cell stands twice; the message names the row.
    """
    try:
        rows = tomllib.loads(path.read_text(encoding="utf-8")).get("cell", [])
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise KitError(f"{path}: cannot be read as TOML: {error}", "Mend the file at that place.") from error
    cells: dict[tuple[str, Shape], Cell] = {}
    for number, row in enumerate(rows, start=1):
        name = f"{path}: cell {number} ({row.get('arm', '?')}, {row.get('shape', '?')})"
        try:
            cell = Cell.model_validate(row)
        except ValidationError as error:
            faults = "; ".join(f"{'.'.join(map(str, e['loc'])) or 'row'}: {e['msg']}" for e in error.errors())
            raise KitError(f"{name}: {faults}", "Mend these keys of the failure table.") from error
        if (cell.arm, cell.shape) in cells:
            raise KitError(f"{name} stands twice", "Delete one of the two rows.")
        cells[cell.arm, cell.shape] = cell
    return list(cells.values())
