"""Names of the SDK are there by their module's own line, and never without it."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
from gg_arm_kit import source
from gg_conformance import suites, trial
from gg_host import Host


@cache
def signatures(arm: str) -> dict[str, Any]:
    return json.loads((source.generated(arm) / "signatures.json").read_text(encoding="utf-8"))


@cache
def failure(arm: str) -> str:
    """The failure type's full name."""
    return signatures(arm)["functions"][0]["throws"][0]["fqn"]


MODULES = [module["id"] for module in signatures("javascript")["modules"]]


@pytest.mark.parametrize("module", MODULES)
def test_the_line_of_a_module_brings_it(host: Host, arm: str, module: str) -> None:
    document = signatures(arm)
    line = next(row["import"] for row in document["modules"] if row["id"] == module)
    call = next((row["call"] for row in document["functions"] if row["module"] == module), None)
    program = suites.text(arm, "names/with_line", line=line, call=call, failure=failure(arm))
    report = trial.run(host, arm, program)
    assert (report.outcome, report.logs) == ("progressed", ("function",)), trial.told(report)


@pytest.mark.parametrize("module", MODULES)
def test_nothing_of_a_module_is_there_without_its_line(host: Host, arm: str, module: str) -> None:
    """Neither the module, nor its bare function, nor the package: each is a name that the language does not know."""
    document = signatures(arm)
    unknown = suites.arm_texts(arm).unknown_name
    row = next((row for row in document["functions"] if row["module"] == module), None)
    names = (
        [row["call"], row["name"], row["fqn"]]
        if row
        else [failure(arm), failure(arm).rpartition(".")[2], document["types"][0]["fqn"]]
    )
    for name in dict.fromkeys(names):
        report = trial.run(host, arm, suites.text(arm, "names/without_line", name=name))
        assert report.error_type == unknown, f"{name}: {trial.told(report)}"
        assert report.logs == (("before",) if unknown == "program_unknown_name" else ()), name
        assert report.calls_count == 0
