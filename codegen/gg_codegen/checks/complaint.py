"""What a check says of the catalogue or of an arm's spelling."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Complaint:
    """One thing that is wrong.

    Parameters:
        check: name of the check, its module's name.
        row: what is wrong, by its WIT name (``files.read-file``) or operation id (``files.read_file``).
        fault: what is wrong with it.
        mend: what to change, and where.
        arm: id of the arm it is wrong for; None where it is wrong for all.
    """

    check: str
    row: str
    fault: str
    mend: str
    arm: str | None = None

    def __str__(self) -> str:
        place = f" [{self.arm}]" if self.arm is not None else ""
        return f"{self.row}{place}: {self.fault}; {self.mend}"
