"""What a grant permits, and how it is narrowed by what the providers serve."""

from __future__ import annotations

import pytest
from gg_arm_kit.errors import KitError
from gg_host import EndingRole, Grant, full_grant, load_catalogue, permits
from gg_host.serving import Serving

CATALOGUE = load_catalogue()
ALWAYS = ["docs.search", "views.open_text", "views.open_docs_view"]


class Everything:
    """Answers to every name."""

    def __getattr__(self, name: str) -> object:
        if name.startswith("_") or name in ("serves", "enter_run"):
            raise AttributeError(name)
        return lambda *_: None


def everything() -> dict[str, object]:
    return {row.namespace: Everything() for row in CATALOGUE.operations.values()}


def allowed(grant: Grant) -> list[str]:
    return [row.id for row in CATALOGUE.operations.values() if permits(grant, row)]


def test_the_empty_grant_permits_what_every_program_has() -> None:
    assert allowed(Grant()) == ALWAYS


def test_any_set_will_do_and_a_change_of_it_changes_no_grant() -> None:
    operations, capabilities = {"files.read_file"}, set(full_grant().capabilities)
    grant = Grant(capabilities, operations)
    assert grant == Grant(frozenset(capabilities), frozenset({"files.read_file"}))
    narrowed = Serving(CATALOGUE).narrowed(grant, everything())
    operations.add("shell.shell")
    assert grant.operations == {"files.read_file"}
    assert narrowed.permitted == tuple(row for row in CATALOGUE.operations if row in {*ALWAYS, "files.read_file"})


def test_a_capability_needs_the_allowlist_and_the_allowlist_the_capability() -> None:
    shell = CATALOGUE.operations["shell.shell"]
    capability = frozenset({shell.binding.capability})  # type: ignore[union-attr]
    assert not permits(Grant(capabilities=capability), shell)
    assert not permits(Grant(operations=frozenset({"shell.shell"})), shell)
    assert permits(Grant(capabilities=capability, operations=frozenset({"shell.shell"})), shell)


@pytest.mark.parametrize(
    ("role", "endings"),
    [
        (EndingRole.STANDARD, ["session.finish"]),
        (EndingRole.REVIEW, ["session.approve", "session.request_changes"]),
        (EndingRole.NONE, []),
    ],
)
def test_an_ending_is_bought_by_the_role_alone(role: EndingRole, endings: list[str]) -> None:
    everything_else = full_grant(role)
    assert [name for name in allowed(everything_else) if name.startswith("session.")] == endings
    assert [name for name in allowed(Grant(ending=role)) if name.startswith("session.")] == endings


def test_the_machine_operation_is_bought_by_the_allowlist_alone() -> None:
    assert allowed(Grant(operations=frozenset({"delegation.transition_state"}))) == [
        *[name for name in ALWAYS if name.startswith("docs") or name.startswith("views")],
        "delegation.transition_state",
    ]


def test_what_nothing_serves_is_dropped() -> None:
    providers = {name: provider for name, provider in everything().items() if name != "shell"}
    served = Serving(CATALOGUE).narrowed(full_grant(), providers)
    assert "shell.shell" not in served.permitted
    assert "files.read_file" in served.permitted
    assert "shell.shell" not in served.grant.operations


def test_a_namespace_may_be_served_in_part() -> None:
    class ReadsOnly:
        def read_file(self, *_: object) -> None: ...

    served = Serving(CATALOGUE).narrowed(full_grant(), {**everything(), "files": ReadsOnly()})
    assert [name for name in served.permitted if name.startswith("files.")] == ["files.read_file"]


def test_a_provider_may_tell_what_it_cannot_serve() -> None:
    class Sometimes(Everything):
        def __init__(self, can: bool) -> None:
            self.can = can

        def serves(self, operation: str) -> bool:
            return self.can

    serving = Serving(CATALOGUE)
    for can in (True, False, True):  # the answer belongs to the object, not to its class
        served = serving.narrowed(full_grant(), {**everything(), "shell": Sometimes(can)})
        assert ("shell.shell" in served.permitted) is can


def test_an_ending_that_nothing_serves_takes_the_role_with_it() -> None:
    providers = {name: provider for name, provider in everything().items() if name != "session"}
    assert Serving(CATALOGUE).narrowed(full_grant(EndingRole.REVIEW), providers).grant.ending is EndingRole.NONE


@pytest.mark.parametrize("namespace", ["docs", "views"])
def test_an_always_bound_operation_without_a_provider_is_an_error_that_names_it(namespace: str) -> None:
    providers = {name: provider for name, provider in everything().items() if name != namespace}
    with pytest.raises(KitError, match=rf"no provider serves .*{namespace}\."):
        Serving(CATALOGUE).narrowed(Grant(), providers)


def test_a_name_that_is_no_operation_or_namespace_is_refused() -> None:
    with pytest.raises(KitError, match=r"no operation 'files\.rad_file'"):
        Serving(CATALOGUE).narrowed(Grant(operations=frozenset({"files.rad_file"})), everything())
    with pytest.raises(KitError, match="no namespace fils"):
        Serving(CATALOGUE).narrowed(Grant(), {**everything(), "fils": Everything()})
