"""Builds the JavaScript component: engine, guest, snapshot, adapter and component, each a content-keyed step.

    engine sources -> objects ┐
    guest/, generated/*.c ────┴> core module -> snapshot ┐
    preview 1 adapter ───────────────────────────────────┴> component without WASI
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

from gg_arm_kit import source
from gg_arm_kit.kit import Kit
from gg_arm_kit.preview1 import build_adapter

from gg_arm_javascript.check import check_component
from gg_arm_javascript.commands import run

ARM_ID = "javascript"
TOOLS = ("quickjs-ng", "ziglang", "wizer", "wasm-tools")

ENGINE_SOURCES = ("quickjs.c", "libregexp.c", "libunicode.c", "dtoa.c")
TARGET = ("-target", "wasm32-wasi")
# Objects hold no path: each file is compiled by its bare name, from the folder it lies in.
ENGINE_OPTIONS = ("-O2", "-D_GNU_SOURCE", "-w")
GUEST_OPTIONS = ("-std=c23", "-O2", "-Wall", "-Wextra", "-Werror")
BINDING_OPTIONS = ("-O2", "-w")  # wit-bindgen's text, warnings and all
SHADOW_STACK_BYTES = 1 << 20
"""Stack of the C code in linear memory: twice what the engine lets itself use (guest/engine.c), the rest is for what it does
not count."""

GENERATED_FILES: dict[str, Callable[[], Path]] = {
    "signatures.json": lambda: source.generated(ARM_ID) / "signatures.json",
    "sdk/gg.d.ts": lambda: source.generated(ARM_ID) / "gg.d.ts",
}


def component(kit: Kit) -> Path:
    """The folder that holds ``component.wasm``.

    Raises:
        KitError: a tool, source or step failed, or the component does not bind what the catalogue has.
    """
    snapshot = kit.step("javascript-snapshot", "1", {"core": _core_module(kit)}, ("wizer",), partial(_snapshot, kit))
    adapter = kit.step(
        "preview1-adapter", "1", {"wit": source.wit(), "code": _adapter_code()}, ("wasm-tools",), partial(_adapter, kit)
    )
    signatures = source.generated(ARM_ID) / "signatures.json"
    return kit.step(
        "javascript-component",
        "1",
        {"snapshot": snapshot, "adapter": adapter, "wit": source.wit(), "signatures": signatures},
        ("wasm-tools",),
        lambda made: _component(kit, snapshot, adapter, signatures, made),
    )


def _core_module(kit: Kit) -> Path:
    engine = kit.step(
        "javascript-engine",
        "1",
        {"options": " ".join(ENGINE_OPTIONS)},
        ("quickjs-ng", "ziglang"),
        lambda made: _compile(kit, kit.tool("quickjs-ng"), ENGINE_SOURCES, ENGINE_OPTIONS, made),
    )
    generated, guest = source.generated(ARM_ID), source.arm(ARM_ID) / "guest"
    inputs = {name: generated / name for name in ("glue.c", "guest.c", "guest.h")}
    return kit.step(
        "javascript-core",
        "1",
        {**inputs, "guest": guest, "engine": engine, "stack": str(SHADOW_STACK_BYTES)},
        ("quickjs-ng", "ziglang"),
        lambda made: _link(kit, engine, generated, guest, made),
    )


def _compile(
    kit: Kit, folder: Path, names: tuple[str, ...], options: tuple[str, ...], made: Path, *, include: tuple[Path, ...] = ()
) -> None:
    """Compile C files of ``folder`` into ``made``, one object for each."""
    places = [part for path in include for part in ("-I", str(path))]
    for name in names:
        target = made / Path(name).with_suffix(".o").name
        _zig(kit, folder, "cc", *TARGET, *options, *places, "-c", name, "-o", str(target))


def _link(kit: Kit, engine: Path, generated: Path, guest: Path, made: Path) -> None:
    objects = made / "objects"
    objects.mkdir()
    include = (guest, generated, kit.tool("quickjs-ng"))
    own = tuple(sorted(path.name for path in guest.glob("*.c")))
    _compile(kit, guest, own, GUEST_OPTIONS, objects, include=include)
    _compile(kit, generated, ("glue.c",), GUEST_OPTIONS, objects, include=include)
    _compile(kit, generated, ("guest.c",), BINDING_OPTIONS, objects)
    files = [*sorted(objects.glob("*.o")), *sorted(engine.glob("*.o"))]
    options = ("-mexec-model=reactor", "-O2", "-s", f"-Wl,-z,stack-size={SHADOW_STACK_BYTES}")
    _zig(kit, made, "cc", *TARGET, *options, *map(str, files), "-o", "core.wasm")
    shutil.rmtree(objects)


def _zig(kit: Kit, cwd: Path, *arguments: str) -> None:
    # The C library that zig builds from its own sources is kept there, by zig's own content keys.
    cache = kit.cache.folder("zig")
    run([kit.tool("ziglang"), *arguments], cwd, {"ZIG_GLOBAL_CACHE_DIR": str(cache), "ZIG_LOCAL_CACHE_DIR": str(cache)})


def _snapshot(kit: Kit, made: Path) -> None:
    core = _core_module(kit) / "core.wasm"
    run([kit.tool("wizer"), "--allow-wasi", "--wasm-bulk-memory", "true", core, "-o", "snapshot.wasm"], made)


def _adapter(kit: Kit, made: Path) -> None:
    build_adapter(kit.tool("wasm-tools"), source.wit(), made / "adapter.wasm")


def _adapter_code() -> str:
    """The adapter's own text, so that the step runs anew when it changes."""
    kit_folder = source.arms() / "kit" / "gg_arm_kit"
    return "".join(path.read_text(encoding="utf-8") for path in sorted(kit_folder.glob("preview1*.py")))


def _component(kit: Kit, snapshot: Path, adapter: Path, signatures: Path, made: Path) -> None:
    tool = kit.tool("wasm-tools")
    embedded, whole = made / "embedded.wasm", made / "component.wasm"
    adapt = f"wasi_snapshot_preview1={adapter / 'adapter.wasm'}"
    run([tool, "component", "embed", source.wit(), "--world", "guest", snapshot / "snapshot.wasm", "-o", embedded], made)
    run([tool, "component", "new", embedded, "--adapt", adapt, "-o", whole], made)
    run([tool, "validate", whole], made)
    embedded.unlink()
    check_component(whole, signatures)
