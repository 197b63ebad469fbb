"""The ``# Arguments`` list of a function's comment names its parameters in their order, and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from gg_codegen.checks.complaint import Complaint
from gg_codegen.checks.documented import all_modules, name_of
from gg_codegen.spelling import ArmSpelling
from gg_codegen.wit_model import Catalogue, Function

CHECK = "arguments"


def check(catalogue: Catalogue, arms: Sequence[ArmSpelling]) -> Iterator[Complaint]:
    """Complain of an entry without a parameter, a parameter without an entry, a second entry and another order."""
    del arms
    for module in all_modules(catalogue):
        for function in module.functions:
            yield from _check(function, f"{function.interface}.wit")
    for function in catalogue.exports:
        yield from _check(function, "world.wit")


def _check(function: Function, file: str) -> Iterator[Complaint]:
    where = f"# Arguments of its comment in {file}"
    row = name_of(function)
    listed = [name for name, _ in function.arguments]
    params = [param.name for param in function.params]
    for name, count in Counter(listed).items():
        if name not in params:
            yield Complaint(CHECK, row, f"documents an argument `{name}` it does not have", f"remove it from {where}")
        elif count > 1:
            yield Complaint(CHECK, row, f"documents `{name}` {count} times", f"keep one entry in {where}")
    texts = dict(function.arguments)
    for name in params:
        if not texts.get(name, "").strip():
            mend = f"add ``* `{name}`: what it is.`` to {where}"
            yield Complaint(CHECK, row, f"does not document its argument `{name}`", mend)
    if listed != params and sorted(listed) == sorted(params):
        mend = f"put {where} in the order {', '.join(params)}"
        yield Complaint(CHECK, row, "documents its arguments in another order than it takes them", mend)
