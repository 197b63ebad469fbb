"""Builds the JavaScript component: engine, guest, snapshot, adapter and component, each a content-keyed step.

engine sources -> objects ┐
guest/, generated/*.c ────┴> core module -> snapshot ┐
preview 1 adapter ───────────────────────────────────┴> component without WASI
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from gg_arm_kit import source
from gg_arm_kit.component_check import check_component
from gg_arm_kit.kit import Kit
from gg_arm_kit.preview1 import build_adapter

from gg_arm_javascript import patches

ARM_ID = "javascript"
TOOLS = ("quickjs-ng", "ziglang", "wizer", "wasm-tools")

ENGINE_SOURCES = ("quickjs.c", "libregexp.c", "libunicode.c", "dtoa.c")
TARGET = ("-target", "wasm32-wasi")
ENGINE_OPTIONS = ("-O2", "-D_GNU_SOURCE", "-w")
GUEST_OPTIONS = ("-std=c23", "-O2", "-Wall", "-Wextra", "-Werror")
BINDING_OPTIONS = ("-O2", "-w")  # wit-bindgen's text, warnings and all
BINDINGS = ("guest.c", "guest.h")
SHADOW_STACK_BYTES = 1 << 20
"""Stack of the C code in linear memory: twice what the engine lets itself use (guest/engine.c); the rest is for what it
does not count."""

GENERATED_FILES: dict[str, Callable[[], Path]] = {
    "signatures.json": lambda: source.generated(ARM_ID) / "signatures.json",
    "sdk/gg.d.ts": lambda: source.generated(ARM_ID) / "gg.d.ts",
}


def component(kit: Kit) -> Path:
    """The folder that holds ``component.wasm``.

    Raises:
        KitError: a tool, source or step failed, or the component does not bind what the catalogue has.
    """
    core = _core_module(kit)
    snapshot = kit.step("javascript-snapshot", "1", {"core": core}, ("wizer",), partial(_snapshot, kit, core))
    adapter = kit.step(
        "preview1-adapter",
        "1",
        {"wit": kit.wit_sha256, "code": _adapter_code()},
        ("wasm-tools",),
        partial(_adapter, kit),
    )
    signatures = source.generated(ARM_ID) / "signatures.json"
    return kit.step(
        "javascript-component",
        "1",
        {"snapshot": snapshot, "adapter": adapter, "wit": kit.wit_sha256, "signatures": signatures},
        ("wasm-tools",),
        lambda made: _component(kit, snapshot, adapter, signatures, made),
    )


def _core_module(kit: Kit) -> Path:
    engine = kit.step(
        "javascript-engine",
        "3",
        {"options": " ".join(ENGINE_OPTIONS), "patches": repr(patches.PATCHES)},
        ("quickjs-ng", "ziglang"),
        lambda made: _compile(
            kit, made, ENGINE_OPTIONS, sorted(kit.tool("quickjs-ng").glob("*.[ch]")), ENGINE_SOURCES, patches.apply
        ),
    )
    generated = [source.generated(ARM_ID) / name for name in ("glue.c", *BINDINGS)]
    guest = sorted(path for path in (source.arm(ARM_ID) / "guest").iterdir() if path.suffix in (".c", ".h", ".js"))
    return kit.step(
        "javascript-core",
        "1",
        {
            **{path.name: path for path in (*generated, *guest)},
            "engine": engine,
            "options": " ".join((*GUEST_OPTIONS, *BINDING_OPTIONS, str(SHADOW_STACK_BYTES))),
        },
        ("quickjs-ng", "ziglang"),
        lambda made: _core(kit, engine, [*generated, *guest], made),
    )


def _core(kit: Kit, engine: Path, sources: Sequence[Path], made: Path) -> None:
    header = kit.tool("quickjs-ng") / "quickjs.h"
    own = [path.name for path in sources if path.suffix == ".c" and path.name not in BINDINGS]
    _compile(kit, made, GUEST_OPTIONS, [*sources, header], own)
    _compile(kit, made, BINDING_OPTIONS, [path for path in sources if path.name in BINDINGS], ["guest.c"])
    for path in sorted(engine.glob("*.o")):
        shutil.copyfile(path, made / path.name)
    objects = sorted(path.name for path in made.glob("*.o"))
    options = ("-mexec-model=reactor", "-O2", "-s", f"-Wl,-z,stack-size={SHADOW_STACK_BYTES}")
    _zig(kit, made, "cc", *TARGET, *options, *objects, "-o", "core.wasm")
    for name in objects:
        (made / name).unlink()


def _compile(
    kit: Kit,
    made: Path,
    options: Sequence[str],
    files: Sequence[Path],
    names: Sequence[str],
    edit: Callable[[Path], None] = lambda _: None,
) -> None:
    """Compile the C files ``names`` of ``files`` into ``made``, after ``edit`` changed the copies.

    They are copied there first and named without a folder, so no path of this machine gets into an object.
    """
    work = made / "sources"
    work.mkdir()
    for path in files:
        shutil.copyfile(path, work / path.name)
    edit(work)
    for name in names:
        _zig(kit, work, "cc", *TARGET, *options, "-c", name, "-o", f"../{Path(name).stem}.o", writable=[made])
    shutil.rmtree(work)


def _zig(kit: Kit, cwd: Path, *arguments: str, writable: Sequence[Path] = ()) -> None:
    # The C library that zig builds from its own sources is kept there, by zig's own content keys.
    cache = kit.cache.folder("zig")
    env = {"ZIG_GLOBAL_CACHE_DIR": str(cache), "ZIG_LOCAL_CACHE_DIR": str(cache)}
    kit.run([kit.tool("ziglang"), *arguments], cwd=cwd, env=env, writable=[cache, *writable])


def _snapshot(kit: Kit, core: Path, made: Path) -> None:
    options = ("--allow-wasi", "--wasm-bulk-memory", "true")
    kit.run([kit.tool("wizer"), *options, core / "core.wasm", "-o", "snapshot.wasm"], cwd=made)


def _adapter(kit: Kit, made: Path) -> None:
    build_adapter(kit.tool("wasm-tools"), source.wit(), made / "adapter.wasm")


def _adapter_code() -> str:
    """The adapter's own text, so that the step runs anew when it changes."""
    kit_folder = source.arms() / "kit" / "gg_arm_kit"
    return "".join(path.read_text(encoding="utf-8") for path in sorted(kit_folder.glob("preview1*.py")))


def _component(kit: Kit, snapshot: Path, adapter: Path, signatures: Path, made: Path) -> None:
    wit = made / "wit"
    wit.mkdir()
    for path in sorted(source.wit().glob("*.wit")):
        shutil.copyfile(path, wit / path.name)
    tool, module = kit.tool("wasm-tools"), snapshot / "snapshot.wasm"
    adapt = f"wasi_snapshot_preview1={adapter / 'adapter.wasm'}"
    kit.run([tool, "component", "embed", "wit", "--world", "guest", module, "-o", "embedded.wasm"], cwd=made)
    kit.run([tool, "component", "new", "embedded.wasm", "--adapt", adapt, "-o", "component.wasm"], cwd=made)
    kit.run([tool, "validate", "component.wasm"], cwd=made)
    (made / "embedded.wasm").unlink()
    shutil.rmtree(wit)
    check_component(made / "component.wasm", signatures)
