"""Builds the Python component: sources, snapshot of the started interpreter, and the machine composed with it.

guest/, generated/gg, yaml, tomli_w ─> snapshot (componentize-py, under a clock that stands still) ┐
the machine (machine.py) ────────────────────────────────────────────────────────────────────────┴> component

Two builds differ in some 25 bytes of 32 million: unused padding inside a dozen short strings, where the number of a
file lay before (see guest/gg_guest/clean_memory.py). The numbers come from the kernel by system calls that the tool
makes itself, so still.c, which answers for the C library, does not see them; and the interpreter looks at files before
the first line of the guest runs. Nothing reads those bytes.
"""

from __future__ import annotations

import shutil
import sys
from functools import partial
from pathlib import Path

from gg_arm_kit import preview1_wat, source
from gg_arm_kit.component_check import check_component
from gg_arm_kit.kit import Kit

from gg_arm_python import machine, machine_wat

ARM_ID = "python"
TOOLS = ("componentize-py", "pyyaml", "tomli-w", "ziglang", "wasm-tools")
PACKAGES = {"pyyaml": "yaml", "tomli-w": "tomli_w"}
"""The packages programs may import, by the tool whose sources they are."""

STILL = (
    "cc",
    "-target",
    "x86_64-linux-none",
    "-shared",
    "-nostdlib",
    "-ffreestanding",
    "-fPIC",
    "-O2",
    "-s",
    "-Wall",
    "-Werror",
)
START = "import sys, componentize_py; sys.argv[0] = 'componentize-py'; sys.exit(componentize_py.script())"


def component(kit: Kit) -> Path:
    """The folder that holds ``component.wasm``.

    Raises:
        KitError: a tool, source or step failed, or the component does not bind what the catalogue has.
    """
    snapshot = _snapshot_step(kit)
    signatures = source.generated(ARM_ID) / "signatures.json"
    code = "".join(Path(module.__file__ or "").read_text(encoding="utf-8") for module in (machine, machine_wat))
    return kit.step(
        "python-component",
        "1",
        {"snapshot": snapshot, "machine": code, "streams": _stream_code(), "signatures": signatures},
        ("wasm-tools",),
        lambda made: _component(kit, snapshot, signatures, made),
    )


def _snapshot_step(kit: Kit) -> Path:
    still = kit.step(
        "python-still",
        "1",
        {"source": source.arm(ARM_ID) / "still", "options": " ".join(STILL)},
        ("ziglang",),
        partial(_still, kit),
    )
    guest, sdk = source.arm(ARM_ID) / "guest", source.generated(ARM_ID) / "gg"
    inputs = {f"guest/{name}": text for name, text in _texts(guest).items()}
    inputs |= {f"gg/{name}": text for name, text in _texts(sdk).items()}
    return kit.step(
        "python-snapshot",
        "1",
        {**inputs, "wit": kit.wit_sha256, "still": still},
        ("componentize-py", *PACKAGES),
        lambda made: _snapshot(kit, still / "still.so", made),
    )


def _texts(folder: Path) -> dict[str, str]:
    """Every source below a folder by its path there; what an interpreter left beside them is no source."""
    paths = [path for suffix in ("*.py", "*.toml") for path in folder.rglob(suffix)]
    return {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in sorted(paths)}


def _stream_code() -> str:
    """The part of the kit that the machine's code is made with."""
    return Path(preview1_wat.__file__ or "").read_text(encoding="utf-8")


def _still(kit: Kit, made: Path) -> None:
    cache = kit.cache.folder("zig")
    env = {"ZIG_GLOBAL_CACHE_DIR": str(cache), "ZIG_LOCAL_CACHE_DIR": str(cache)}
    folder = source.arm(ARM_ID) / "still"
    shutil.copyfile(folder / "still.c", made / "still.c")
    kit.run([kit.tool("ziglang"), *STILL, "still.c", "-o", "still.so"], cwd=made, env=env, writable=[cache])
    (made / "still.c").unlink()


def _snapshot(kit: Kit, still: Path, made: Path) -> None:
    app = made / "app"
    for name, text in _texts(source.arm(ARM_ID) / "guest").items():
        _write(app / name, text)
    for name, text in _texts(source.generated(ARM_ID) / "gg").items():
        _write(app / "gg" / name, text)
    for tool, package in PACKAGES.items():
        for name, text in _texts(kit.tool(tool) / package).items():
            _write(app / package / name, text)
    wit = made / "wit"
    wit.mkdir()
    for path in sorted(source.wit().glob("*.wit")):
        shutil.copyfile(path, wit / path.name)
    arguments = ("-d", "wit", "-w", "guest", "-q", "componentize", "-p", "app", "app", "-o", "snapshot.wasm")
    kit.run(
        [
            sys.executable,
            "-I",
            "-S",
            "-c",
            f"import sys; sys.path.insert(0, {str(kit.tree('componentize-py'))!r}); {START}",
            *arguments,
        ],
        cwd=made,
        env={"LD_PRELOAD": str(still)},
        readable=[Path(sys.prefix), Path(sys.base_prefix)],
    )
    shutil.rmtree(app)
    shutil.rmtree(wit)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _component(kit: Kit, snapshot: Path, signatures: Path, made: Path) -> None:
    tool, work, whole = kit.tool("wasm-tools"), made / "work", made / "component.wasm"
    work.mkdir()

    def wasm_tools(*arguments: str | Path) -> str:
        return kit.run([tool, *arguments], cwd=made).stdout.decode("utf-8")

    machine.compose(snapshot / "snapshot.wasm", whole, work, wasm_tools)
    shutil.rmtree(work)
    wasm_tools("validate", whole)
    check_component(whole, signatures)
