"""Names stay distinct and free of reserved and standard names after each arm's case conversion."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gg_codegen.arm_file import NameKind
from gg_codegen.checks.complaint import Complaint
from gg_codegen.checks.scopes import Name, Scope, scopes
from gg_codegen.spelling import ArmSpelling
from gg_codegen.wit_model import Catalogue

CHECK = "names"
_RENAMES: dict[NameKind, str] = {
    "module": "modules",
    "function": "functions",
    "parameter": "parameters",
    "field": "fields",
    "type": "types",
    "enum-case": "cases",
    "variant-case": "cases",
}


def check(catalogue: Catalogue, arms: Sequence[ArmSpelling]) -> Iterator[Complaint]:
    """Complain of a name that an arm cannot use, or that means something else there."""
    for arm in arms:
        standard = {kind: frozenset(names) for kind, names in arm.spelling.words.standard.items()}
        for scope in scopes(catalogue, arm):
            yield from _clashes(scope, arm)
            for name in scope.names:
                if name.text in standard.get(name.kind, ()):
                    yield _complaint(name, f"is `{name.text}`, a standard name of the language", arm)
                elif arm.reserves(name.text, name.kind):
                    yield _complaint(name, f"is `{name.text}`, a reserved word", arm)


def _clashes(scope: Scope, arm: ArmSpelling) -> Iterator[Complaint]:
    seen: dict[str, Name] = {}
    for name in scope.names:
        if name.text in scope.taken:
            yield _complaint(name, f"is `{name.text}`, which is {scope.taken[name.text]}", arm)
        first = seen.setdefault(name.text, name)
        if first is not name:
            yield _complaint(name, f"is `{name.text}` like {first.row}, both in {scope.title}", arm)


def _complaint(name: Name, fault: str, arm: ArmSpelling) -> Complaint:
    mend = f"rename it in the WIT or in [spelling.renames.{_RENAMES[name.kind]}] of arms/{arm.id}/arm.toml"
    return Complaint(CHECK, name.row, fault, mend, arm.id)
