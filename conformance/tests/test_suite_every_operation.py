"""Every operation from every language: refused in the program's own spelling, and reached with its own arguments."""

from __future__ import annotations

from functools import cache

import pytest
from gg_arm_kit import source
from gg_codegen.spelling import ArmSpelling, load_arms
from gg_conformance import suites, trial
from gg_conformance.samples import arguments, catalogue, host_value, sample_call
from gg_host import EndingRole, Grant, Host, full_grant
from gg_host.catalogue import load_catalogue as load_operations
from gg_host.grant import AlwaysBound, EndingBound


@cache
def spelling(arm: str) -> ArmSpelling:
    return next(found for found in load_arms(source.arms()) if found.id == arm)


@cache
def program(arm: str) -> str:
    """A program that calls every operation with every argument, and logs how each call ended."""
    spelled = spelling(arm)
    modules = [module for module in catalogue().modules if module.functions or module.id == "core"]
    lines = dict.fromkeys(spelled.import_line(module) for module in modules)
    calls = [sample_call(function, spelled) for function in catalogue().functions]
    return suites.text(arm, "every_operation", arm=spelled, import_lines=lines, calls=calls)


def lines(report) -> dict[str, list[str]]:
    assert report.outcome in ("progressed", "finished"), trial.told(report)
    rows = [line.split("|") for line in report.logs]
    return {row[0]: row[1:] for row in rows}


def test_every_operation_without_a_grant_is_refused(host: Host, arm: str) -> None:
    report = trial.run(host, arm, program(arm), grant=Grant())
    seen = lines(report)
    rows = load_operations().operations
    assert list(seen) == [function.operation.id for function in catalogue().functions]
    always = {row.id for row in rows.values() if isinstance(row.binding, AlwaysBound)}
    assert len(always) == 3
    for function in catalogue().functions:
        name = function.operation.id
        if name in always:
            assert seen[name] == ["returned"]
        else:
            message = f"`{spelling(arm).fqn(function)}` is not available."
            assert seen[name] == ["unavailable", rows[name].key, message]
    refused = [name for name in seen if name not in always]
    assert [refusal.operation for refusal in report.refusals] == refused
    assert report.refusals_suppressed == 0
    assert report.calls_count == len(rows)
    assert [call.operation for call in report.calls if call.code is None] == [name for name in seen if name in always]


@pytest.mark.parametrize("role", [EndingRole.STANDARD, EndingRole.REVIEW])
def test_an_ending_of_another_role_names_those_there_are(host: Host, arm: str, role: EndingRole) -> None:
    report = trial.run(host, arm, program(arm), grant=Grant(ending=role))
    seen = lines(report)
    endings = {row.id: row for row in load_operations().operations.values() if isinstance(row.binding, EndingBound)}
    fqn = {function.operation.id: spelling(arm).fqn(function) for function in catalogue().functions}
    own = [name for name, row in endings.items() if row.binding.role is role]
    instead = " or ".join(f"`{fqn[name]}`" for name in own)
    for name, row in endings.items():
        message = f"`{fqn[name]}` is not available. Use {instead} instead."
        assert seen[name] == (["returned"] if name in own else ["unavailable", row.key, message])
    assert report.outcome == "finished" and report.ending is not None and report.ending.operation == own[-1]


@pytest.mark.parametrize("role", [EndingRole.STANDARD, EndingRole.REVIEW])
def test_every_operation_reaches_its_own_method_with_its_own_arguments(host: Host, arm: str, role: EndingRole) -> None:
    served = trial.providers()
    report = trial.run(host, arm, program(arm), grant=full_grant(role), served=served)
    seen = lines(report)
    rows = load_operations().operations
    for function in catalogue().functions:
        binding = rows[function.operation.id].binding
        if isinstance(binding, EndingBound) and binding.role is not role:
            continue
        assert seen[function.operation.id] == ["returned"]
        given = tuple(host_value(value) for value in arguments(function).values())
        provider = served[function.operation.namespace]
        assert [call[1] for call in provider.calls if call[0] == function.operation.id] == [given]
