"""``gg operations``: the table of operations."""

from __future__ import annotations

from typing import Any

import click

from gg_host.catalogue import Operation, load_catalogue
from gg_host.cli.choices import operations_named
from gg_host.cli.show import show_json, show_table, show_text
from gg_host.grant import AlwaysBound, CapabilityBound, EndingBound, MachineBound


def bound_by(operation: Operation) -> str:
    """What makes a call available, in words."""
    match operation.binding:
        case CapabilityBound(capability):
            return f"capability {capability}"
        case EndingBound(role):
            return f"ending {role.value}"
        case MachineBound():
            return "machine"
        case AlwaysBound():
            return "always"


def _json(operation: Operation) -> dict[str, Any]:
    return {
        "id": operation.id,
        "bound_by": bound_by(operation),
        "takes_input": operation.takes_input,
        "codes": list(operation.codes),
        "dispatches": operation.dispatches,
        "deferred": operation.deferred,
        "served": served(operation.id),
    }


def served(operation_id: str) -> bool:
    """Whether ``gg run`` has a provider for an operation."""
    from gg_host.providers.docs import DocsProvider
    from gg_host.providers.files import FilesProvider
    from gg_host.providers.session import SessionProvider
    from gg_host.providers.shell import ShellProvider
    from gg_host.providers.views import FileViewsProvider

    classes = {
        "files": FilesProvider,
        "shell": ShellProvider,
        "session": SessionProvider,
        "docs": DocsProvider,
        "views": FileViewsProvider,
    }
    namespace, _, key = operation_id.partition(".")
    return callable(getattr(classes.get(namespace), key, None))


def _yes(value: bool) -> str:
    return "yes" if value else ""


@click.command()
@click.argument("operation_id", metavar="[ID]", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(operation_id: str | None, as_json: bool) -> None:
    """List the operations, or tell everything about the one with this ID.

    An operation is called when the grant holds what it is bound by. One that this command does not serve is refused.
    """
    catalogue = load_catalogue()
    if operation_id is None:
        rows = list(catalogue.operations.values())
        if as_json:
            show_json([_json(row) for row in rows])
        else:
            cells = [(row.id, bound_by(row), _yes(served(row.id)), ", ".join(row.codes)) for row in rows]
            show_table("", ("operation", "bound by", "served", "failure codes of its own"), cells)
        return
    (operation,) = operations_named(catalogue, [operation_id])
    if as_json:
        show_json(_json(operation))
        return
    for name, value in _json(operation).items():
        shown = ", ".join(value) or "none" if isinstance(value, list) else value
        show_text(f"{name.replace('_', ' ')}: {('no', 'yes')[shown] if isinstance(shown, bool) else shown}")
