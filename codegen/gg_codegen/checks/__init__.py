"""Checks of the catalogue and of every arm's spelling of it. Each is one module and returns complaints."""

from __future__ import annotations

from collections.abc import Sequence

from gg_codegen.checks import (
    arguments,
    codes,
    empty_defaults,
    exemptions,
    names,
    prose_register,
    references,
    rows,
    takes_input,
)
from gg_codegen.checks.complaint import Complaint
from gg_codegen.spelling import ArmSpelling
from gg_codegen.wit_model import Catalogue

__all__ = ["Complaint", "run"]

_CHECKS = (rows, takes_input, codes, empty_defaults, arguments, prose_register, references, names)


def run(catalogue: Catalogue, arms: Sequence[ArmSpelling]) -> list[Complaint]:
    """Everything that is wrong, check by check; empty when all is well.

    Parameters:
        catalogue: the catalogue as read.
        arms: every arm that has an ``arm.toml``, built or not.
    """
    complaints = [complaint for check in _CHECKS for complaint in check.check(catalogue, arms)]
    return list(exemptions.apply(complaints, catalogue, arms))
