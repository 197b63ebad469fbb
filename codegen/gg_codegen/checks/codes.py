"""The failure codes of a row are cases of ``types.error-code``, each named once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from gg_codegen.checks.complaint import Complaint
from gg_codegen.spelling import ArmSpelling
from gg_codegen.wit_model import Catalogue

CHECK = "codes"
ERROR_CODE = "error-code"


def check(catalogue: Catalogue, arms: Sequence[ArmSpelling]) -> Iterator[Complaint]:
    """Complain of a code that does not exist and of one that is named twice."""
    del arms
    known = [case.name for typedef in catalogue.types if typedef.name == ERROR_CODE for case in typedef.cases]
    for operation in catalogue.operations:
        for code, count in Counter(operation.codes).items():
            if code not in known:
                mend = f"use one of {', '.join(known)} in its row of operations.toml"
                yield Complaint(CHECK, operation.id, f"there is no failure code {code}", mend)
            if count > 1:
                yield Complaint(CHECK, operation.id, f"names the code {code} {count} times", "name it once in its row")
