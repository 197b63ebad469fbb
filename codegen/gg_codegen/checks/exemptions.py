"""Complaints that an arm accepts: each with a reason, and each still needed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gg_codegen.checks.complaint import Complaint
from gg_codegen.spelling import ArmSpelling
from gg_codegen.wit_model import Catalogue

CHECK = "exemptions"


def apply(complaints: Sequence[Complaint], catalogue: Catalogue, arms: Sequence[ArmSpelling]) -> Iterator[Complaint]:
    """``complaints`` but those an arm's ``[[exemption]]`` accepts, and a complaint of each exemption that is wrong.

    An exemption of an interface the catalogue does not have is left alone: spelling also serves other catalogues.
    """
    interfaces = {module.interface for module in catalogue.modules}
    accepted = {(one.check, one.row, arm.id) for arm in arms for one in arm.exemptions if one.reason.strip()}
    made = {(complaint.check, complaint.row, complaint.arm) for complaint in complaints}
    for complaint in complaints:
        if (complaint.check, complaint.row, complaint.arm) not in accepted:
            yield complaint
    for arm in arms:
        for one in arm.exemptions:
            if not one.reason.strip():
                mend = f"say in its [[exemption]] of arms/{arm.id}/arm.toml why it must stay"
                yield Complaint(CHECK, one.row, f"is exempt from the check {one.check} without a reason", mend, arm.id)
            if one.row.partition(".")[0] in interfaces and (one.check, one.row, arm.id) not in made:
                fault = f"is exempt from the check {one.check}, which does not complain of it"
                mend = f"delete its [[exemption]] from arms/{arm.id}/arm.toml"
                yield Complaint(CHECK, one.row, fault, mend, arm.id)
