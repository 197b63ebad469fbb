"""Every `namespace.key` that documentation names is an operation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from gg_codegen.checks.complaint import Complaint
from gg_codegen.checks.documented import documented
from gg_codegen.prose import operation_ids
from gg_codegen.spelling import ArmSpelling
from gg_codegen.wit_model import Catalogue

CHECK = "references"


def check(catalogue: Catalogue, arms: Sequence[ArmSpelling]) -> Iterator[Complaint]:
    """Complain of each code span that has the shape of an operation id and is none."""
    del arms
    known = sorted(operation.id for operation in catalogue.operations)
    for doc in documented(catalogue):
        for identity in dict.fromkeys((*operation_ids(doc.brief), *operation_ids(doc.detail))):
            if identity not in known:
                near = get_close_matches(identity, known, n=1)
                mend = f"write `{near[0]}`" if near else "name an operation by the id of its row, or take the dot out"
                yield Complaint(CHECK, doc.row, f"names `{identity}`, which is no operation", f"{mend} in its comment")
