"""The machine a Python guest sees: a component that gives the interpreter its WASI and imports ``feedback`` only.

CPython cannot start without WASI. What it needs of it is answered here, inside the guest, from the run's own clock and
random numbers, and composed with the interpreter's component; what comes out imports the operations' package and no
WASI, so the host gives a Python program no more of a machine than any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from gg_arm_kit.errors import KitError

from gg_arm_python import machine_wat as wat

PREFIX = "cm32p2|"
RUNTIME = "cm32p2_"
"""Begins the names of what belongs to the module itself: its memory, ``realloc``, ``initialize``."""
WORLD = "machine"
_EXPORT = re.compile(r'\(export "([^"]+)" \(func (\d+)\)\)')
_FUNCTION = re.compile(r"\(func \(;(\d+);\) \(type \d+\)((?: \((?:param|result)[^)]*\))*)")


def world(component_wit: str) -> str:
    """The WIT of the machine's world: it exports what a component imports of WASI.

    Parameters:
        component_wit: the component's own world, as ``wasm-tools component wit`` prints it.
    """
    wasi = re.findall(r"\bimport (wasi:[^;]+);", component_wit)
    exports = "".join(f"  export {name};\n" for name in wasi)
    return f"package gg:machine;\n\nworld {WORLD} {{\n  import gg:sdk/feedback@0.1.0;\n{exports}}}\n"


def module(skeleton: str) -> str:
    """The machine's core module as text, with every export that its world asks for.

    Parameters:
        skeleton: the world's empty module, as ``wasm-tools component embed --dummy --wat`` prints it; the functions'
            types are read off it.

    Raises:
        KitError: the skeleton is not of the form this reads.
    """
    exports = {int(number): name for name, number in _EXPORT.findall(skeleton)}
    types = {int(number): signature for number, signature in _FUNCTION.findall(skeleton)}
    functions = []
    for number, name in exports.items():
        if name.startswith(RUNTIME):
            continue
        if not name.startswith(PREFIX) or number not in types:
            raise KitError(
                f"the skeleton of the machine has an export {name!r} of a form that was not met before",
                "wasm-tools has changed; mend gg_arm_python/machine.py.",
            )
        if (body := _body(name.removeprefix(PREFIX))) is not None:
            functions.append(f'  (func (export "{name}"){types[number]}\n    {body})\n')
    if not functions:
        raise KitError("the skeleton of the machine exports nothing", "wasm-tools has changed; mend machine.py.")
    return f"(module\n{wat.MODULE_TEXT}\n{''.join(functions)})\n"


def _body(name: str) -> str | None:
    """The code of one export; None for one that is left out."""
    if name in wat.BODIES:
        return wat.BODIES[name]
    if name.endswith("_post"):
        return "(call $reset)" if name.removesuffix("_post") in wat.BODIES else None
    return "" if name.endswith("_dtor") else "(unreachable)"


def compose(component: Path, out: Path, workspace: Path, wasm_tools: Callable[..., str]) -> None:
    """Give ``component`` the machine; write the composed component to ``out``.

    Parameters:
        component: a component that imports WASI.
        out: where the one without goes.
        workspace: an empty folder for what is made on the way.
        wasm_tools: runs wasm-tools with the arguments given and returns what it printed.

    Raises:
        KitError: wasm-tools failed.
    """
    wit = workspace / "wit"
    wasm_tools("component", "wit", component, "--out-dir", wit)
    own = wit / "component.wit"
    text = world(own.read_text(encoding="utf-8"))
    own.unlink()
    (wit / "machine.wit").write_text(text, encoding="utf-8")
    skeleton = wasm_tools("component", "embed", "--dummy", wit, "--world", WORLD, "--wat")
    source = workspace / "machine.wat"
    source.write_text(module(skeleton), encoding="utf-8")
    core, machine = workspace / "machine.core.wasm", workspace / "machine.wasm"
    wasm_tools("component", "embed", wit, source, "--world", WORLD, "--output", core)
    wasm_tools("component", "new", core, "--output", machine)
    wasm_tools("compose", "--definitions", machine, component, "--output", out)
