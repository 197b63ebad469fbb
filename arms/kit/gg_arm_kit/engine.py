"""The one wasmtime engine configuration: what is compiled with it is loaded with it.

Two engines may load the same compiled file only when their settings agree; ``cranelift_opt_level`` is the one that may
differ, so a fixed component is compiled for speed and a program for quick compilation.
"""

from __future__ import annotations

import hashlib
import os
from functools import cache
from importlib.metadata import version
from pathlib import Path

# wasmtime reads this when the first engine is made: a trap's text then names source lines from DWARF.
os.environ["WASMTIME_BACKTRACE_DETAILS"] = "1"

import wasmtime
from wasmtime import _ffi as ffi

MAX_WASM_STACK_BYTES = 64 << 20
"""Stack that WebAssembly frames may use. Engines of languages count shadow stack, and native frames are 2 to 16 times
larger: with 64 MiB the language's own limit is reached first, so deep recursion ends as the language's own error."""

ASYNC_STACK_BYTES = MAX_WASM_STACK_BYTES + (1 << 20)
"""wasmtime aborts the process when ``max_wasm_stack`` exceeds ``async_stack_size``, so this is set first."""

NATIVE_STACK_BYTES = 128 << 20
"""Stack of a thread that runs guests: WebAssembly frames live on the caller's native stack, and host functions called
from the deepest frame need room below it. Never run a guest on a process's first thread (8 MiB)."""

SETTINGS: dict[str, bool] = {
    "wasm_component_model": True,
    "wasm_exceptions": True,
    "wasm_function_references": True,
    "wasm_gc": True,
    "epoch_interruption": True,
}
"""Settings of ``wasmtime.Config``, in the order they are made."""


def make_engine(speed: bool = True) -> wasmtime.Engine:
    """A new engine with the project's configuration.

    Parameters:
        speed: True compiles slowly into fast code (fixed components), False quickly into slower code (programs).
            Files compiled with either load in both.
    """
    config = wasmtime.Config()
    for name, value in SETTINGS.items():
        setattr(config, name, value)
    config.cranelift_opt_level = opt_level(speed)
    ffi.wasmtime_config_async_stack_size_set(config.ptr(), ASYNC_STACK_BYTES)
    config.max_wasm_stack = MAX_WASM_STACK_BYTES
    return wasmtime.Engine(config)


def opt_level(speed: bool) -> str:
    """Cranelift's name of the level."""
    return "speed" if speed else "none"


@cache
def engine_key(speed: bool = True) -> str:
    """What a compiled file depends on besides the WebAssembly: settings, wasmtime's version, this machine's processor.

    Returns:
        A sha256 in hexadecimal.
    """
    facts = [
        *(f"{name}={value}" for name, value in SETTINGS.items()),
        f"max_wasm_stack={MAX_WASM_STACK_BYTES}",
        f"async_stack_size={ASYNC_STACK_BYTES}",
        f"cranelift_opt_level={opt_level(speed)}",
        f"wasmtime={version('wasmtime')}",
        *_processor(),
    ]
    return hashlib.sha256("\n".join(facts).encode()).hexdigest()


def _processor() -> list[str]:
    """Machine, model and feature flags: Cranelift uses every feature it finds."""
    wanted = ("vendor_id", "cpu family", "model", "stepping", "flags")
    facts = [os.uname().machine]
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
        if not line.strip():
            break  # the first processor is enough: they are alike
        name, _, value = line.partition(":")
        if name.strip() in wanted:
            facts.append(f"{name.strip()}={value.strip()}")
    return facts
