"""Checks a built component: it imports no WASI, and it binds exactly the operations of the catalogue."""

from __future__ import annotations

import json
from pathlib import Path

import wasmtime
from wasmtime import component as wit

from gg_arm_kit.compile import compiled
from gg_arm_kit.engine import make_engine
from gg_arm_kit.errors import KitError


def check_component(component: Path, signatures: Path) -> None:
    """Refuse a component that is not the catalogue's.

    Parameters:
        component: the component.
        signatures: the arm's documentation catalogue, which names every operation.

    Raises:
        KitError: it imports something besides the operations' package, or binds other operations; each is named.
    """
    engine = make_engine()
    loaded = wit.Component.deserialize_file(engine, str(compiled(component)))
    foreign = [name for name in loaded.type.imports(engine) if not name.startswith("gg:")]
    if foreign:
        raise KitError(f"{component.name} imports {', '.join(foreign)}", "Every import must come from the WIT package.")
    bound = bound_operations(engine, loaded)
    functions = json.loads(signatures.read_text(encoding="utf-8"))["functions"]
    known = {function["operation"] for function in functions}
    if set(bound) != known or len(bound) != len(known):
        missing, unknown = sorted(known - set(bound)), sorted(set(bound) - known)
        raise KitError(
            f"{component.name} does not bind the catalogue's operations: missing {missing}, unknown {unknown}",
            "Run ./nox -s generate and build again.",
        )


def bound_operations(engine: wasmtime.Engine, component: wit.Component) -> list[str]:
    """What the component says it binds; its imports are not called."""
    store = wasmtime.Store(engine)
    store.set_epoch_deadline(1 << 30)
    linker = wit.Linker(engine)
    linker.define_unknown_imports_as_traps(component)
    function = linker.instantiate(store, component).get_func(store, "bound-operations")
    if function is None:
        raise KitError("the component exports no bound-operations")
    return list(function(store))
