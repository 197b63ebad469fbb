"""Hold what a cell did against what its row says."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from gg_conformance.model import NO_BAND, NOWHERE, Cell


class Status(StrEnum):
    """How a cell came out. Only ``pass`` is a pass."""

    PASS = "pass"  # noqa: S105 - a verdict, not a password
    DIFFERS = "differs"
    UNAVAILABLE = "unavailable"
    NOT_BUILT = "not-built"


@dataclass(frozen=True, slots=True)
class Seen:
    """What one program did, as the host told it.

    ``filed_as`` is the turn error type, or ``nothing``; ``text`` is what the model would read;
    ``location`` is the place attached to it, None where there is none; times are seconds.
    """

    filed_as: str
    band: str | None
    text: str
    location: str | None
    seconds: float = 0.0
    record: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Result:
    """A judged cell: its status, and every reason that it is not a pass."""

    cell: Cell
    status: Status
    reason: str
    seen: Seen | None = None

    def as_json(self) -> dict[str, object]:
        """The cell as ``--json`` writes it."""
        seen = self.seen
        return {
            "arm": self.cell.arm,
            "shape": self.cell.shape.value,
            "expected": self.cell.filed_as,
            "filed_as": seen.filed_as if seen else None,
            "status": self.status.value,
            "reason": self.reason,
            "band": seen.band if seen else None,
            "location": seen.location if seen else None,
            "text": seen.text if seen else None,
            "seconds": round(seen.seconds, 4) if seen else None,
        }


def judge(cell: Cell, seen: Seen) -> Result:
    """Compare one cell's outcome with its row; every difference is named."""
    faults = _faults(cell, seen)
    accepted = cell.accepted
    if accepted is None:
        return Result(cell, Status.DIFFERS if faults else Status.PASS, "; ".join(faults), seen)
    if not faults:
        return Result(cell, Status.DIFFERS, "passes although a difference is listed: delete the row's `accepted`", seen)
    others = _faults(cell.model_copy(update=accepted.changes), seen)
    if others:
        return Result(cell, Status.DIFFERS, "another difference than the listed one: " + "; ".join(others), seen)
    return Result(cell, Status.PASS, f"accepted since {accepted.date}: {accepted.reason} ({accepted.link})", seen)


def _faults(cell: Cell, seen: Seen) -> list[str]:
    faults = []
    if seen.filed_as != cell.filed_as:
        faults.append(f"filed as {seen.filed_as}, not {cell.filed_as}")
    if cell.says and not seen.text.strip():
        faults.append("the model is told nothing")
    if not cell.says and seen.text.strip():
        faults.append("the model is told something")
    if (seen.band or NO_BAND) != cell.band:
        faults.append(f"read in the band {seen.band or NO_BAND}, not {cell.band}")
    faults += [f"the text does not say {word!r}" for word in cell.says if word not in seen.text]
    if cell.at == NOWHERE:
        if seen.location is not None:
            faults.append(f"located at {seen.location} although the language gives no place")
    elif seen.location != cell.at:
        faults.append(f"located at {seen.location or NOWHERE}, not {cell.at}")
    return faults
