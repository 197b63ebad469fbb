"""The one WASI preview 1 adapter: every function answered by the world's ``feedback`` interface or by an error number.

A module whose C library speaks preview 1 becomes a component without WASI by
``wasm-tools component new MODULE --adapt wasi_snapshot_preview1=ADAPTER``; functions it does not use are dropped.
What the machine looks like to it: no files, no environment, no arguments, no network, an input that is at its end, a
sleep that returns at once and advances the clock. How output and the clock work: ``preview1_wat``.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from gg_arm_kit import preview1_wat as wat
from gg_arm_kit.errors import KitError

MODULE = "wasi_snapshot_preview1"
"""The import module whose functions the adapter answers."""

I32, I64 = "i32", "i64"
SIGNATURES: dict[str, tuple[str, ...]] = {
    "args_get": (I32, I32),
    "args_sizes_get": (I32, I32),
    "environ_get": (I32, I32),
    "environ_sizes_get": (I32, I32),
    "clock_res_get": (I32, I32),
    "clock_time_get": (I32, I64, I32),
    "fd_advise": (I32, I64, I64, I32),
    "fd_allocate": (I32, I64, I64),
    "fd_close": (I32,),
    "fd_datasync": (I32,),
    "fd_fdstat_get": (I32, I32),
    "fd_fdstat_set_flags": (I32, I32),
    "fd_fdstat_set_rights": (I32, I64, I64),
    "fd_filestat_get": (I32, I32),
    "fd_filestat_set_size": (I32, I64),
    "fd_filestat_set_times": (I32, I64, I64, I32),
    "fd_pread": (I32, I32, I32, I64, I32),
    "fd_prestat_get": (I32, I32),
    "fd_prestat_dir_name": (I32, I32, I32),
    "fd_pwrite": (I32, I32, I32, I64, I32),
    "fd_read": (I32, I32, I32, I32),
    "fd_readdir": (I32, I32, I32, I64, I32),
    "fd_renumber": (I32, I32),
    "fd_seek": (I32, I64, I32, I32),
    "fd_sync": (I32,),
    "fd_tell": (I32, I32),
    "fd_write": (I32, I32, I32, I32),
    "path_create_directory": (I32, I32, I32),
    "path_filestat_get": (I32, I32, I32, I32, I32),
    "path_filestat_set_times": (I32, I32, I32, I32, I64, I64, I32),
    "path_link": (I32, I32, I32, I32, I32, I32, I32),
    "path_open": (I32, I32, I32, I32, I32, I64, I64, I32, I32),
    "path_readlink": (I32, I32, I32, I32, I32, I32),
    "path_remove_directory": (I32, I32, I32),
    "path_rename": (I32, I32, I32, I32, I32, I32),
    "path_symlink": (I32, I32, I32, I32, I32),
    "path_unlink_file": (I32, I32, I32),
    "poll_oneoff": (I32, I32, I32, I32),
    "proc_exit": (I32,),
    "proc_raise": (I32,),
    "sched_yield": (),
    "random_get": (I32, I32),
    "sock_accept": (I32, I32, I32),
    "sock_recv": (I32, I32, I32, I32, I32, I32),
    "sock_send": (I32, I32, I32, I32, I32),
    "sock_shutdown": (I32, I32),
}
"""Every function of preview 1 and its parameters' core types, from the interface's own definition
(``wasi_snapshot_preview1.witx``); each returns an error number but ``proc_exit``, which does not return."""


def _answer(errno: int) -> str:
    return f"(i32.const {errno})"


def _on_stream(body: str) -> str:
    """``body`` for descriptors 0 to 2; every other descriptor is not open."""
    return (
        f"(if (i32.gt_u (local.get 0) (i32.const 2)) (then (return (i32.const {wat.BADF}))))\n    {body}"
        f"\n    (i32.const {wat.SUCCESS})"
    )


def _on_stream_errno(errno: int) -> str:
    return f"(select (i32.const {wat.BADF}) (i32.const {errno}) (i32.gt_u (local.get 0) (i32.const 2)))"


def _on_output(body: str) -> str:
    """``body`` for descriptors 1 and 2, nothing for 0."""
    return _on_stream(f"(if (local.get 0) (then {body}))")


def _clock(body: str) -> str:
    return (
        f"(if (i32.gt_u (local.get 0) (i32.const 3)) (then (return (i32.const {wat.INVAL}))))\n    {body}"
        f"\n    (i32.const {wat.SUCCESS})"
    )


_NO_STRINGS = "(i32.store (local.get 0) (i32.const 0)) (i32.store (local.get 1) (i32.const 0)) (i32.const 0)"

_DEVICE_STATUS = "\n    ".join(
    [
        *(f"(i64.store offset={offset} (local.get 1) (i64.const 0))" for offset in range(0, 64, 8)),
        f"(i32.store8 offset=16 (local.get 1) (i32.const {wat.CHARACTER_DEVICE}))",
        "(i64.store offset=24 (local.get 1) (i64.const 1))  ;; one link",
    ]
)

BODIES: dict[str, str] = {
    "args_get": _answer(wat.SUCCESS),
    "args_sizes_get": _NO_STRINGS,
    "environ_get": _answer(wat.SUCCESS),
    "environ_sizes_get": _NO_STRINGS,
    "clock_res_get": _clock("(i64.store (local.get 1) (i64.const 1))"),
    "clock_time_get": _clock("(i64.store (local.get 2) (call $read_clock (local.get 0)))"),
    "fd_advise": _on_stream_errno(wat.SPIPE),
    "fd_allocate": _on_stream_errno(wat.SPIPE),
    "fd_close": _on_output("(call $finish (local.get 0))"),
    "fd_datasync": _on_output("(call $flush)"),
    "fd_fdstat_get": _on_stream(
        f"(i64.store (local.get 1) (i64.const {wat.CHARACTER_DEVICE}))\n    "
        f"(i64.store offset=8 (local.get 1) (i64.const {wat.STREAM_RIGHTS}))\n    "
        "(i64.store offset=16 (local.get 1) (i64.const 0))"
    ),
    "fd_fdstat_set_flags": _on_stream(""),
    "fd_fdstat_set_rights": _on_stream_errno(wat.NOTSUP),
    "fd_filestat_get": _on_stream(_DEVICE_STATUS),
    "fd_filestat_set_size": _on_stream_errno(wat.INVAL),
    "fd_filestat_set_times": _on_stream_errno(wat.NOTSUP),
    "fd_pread": _on_stream_errno(wat.SPIPE),
    "fd_prestat_get": _answer(wat.BADF),
    "fd_prestat_dir_name": _answer(wat.BADF),
    "fd_pwrite": _on_stream_errno(wat.SPIPE),
    "fd_read": (
        f"(if (local.get 0) (then (return (i32.const {wat.BADF}))))\n    "
        f"(i32.store (local.get 3) (i32.const 0))\n    (i32.const {wat.SUCCESS})"
    ),
    "fd_readdir": _on_stream_errno(wat.NOTDIR),
    "fd_renumber": _on_stream_errno(wat.NOTSUP),
    "fd_seek": _on_stream_errno(wat.SPIPE),
    "fd_sync": _on_output("(call $finish (local.get 0))"),
    "fd_tell": _on_stream_errno(wat.SPIPE),
    "fd_write": wat.FD_WRITE,
    "poll_oneoff": wat.POLL_ONEOFF,
    "proc_exit": "(call $finish (i32.const 1)) (call $finish (i32.const 2)) (call $exit (local.get 0)) unreachable",
    "proc_raise": _answer(wat.NOTSUP),
    "sched_yield": _answer(wat.SUCCESS),
    "random_get": wat.RANDOM_GET,
    **{name: _answer(wat.NOENT) for name in SIGNATURES if name.startswith("path_")},
    **{name: _answer(wat.NOTSUP) for name in SIGNATURES if name.startswith("sock_")},
}
"""What each function does; parameters are ``(local.get 0)`` and on."""

IMPORTS: dict[str, tuple[str, str]] = {
    "log": ("log", "(param i32 i32)"),
    "stderr": ("stderr", "(param i32 i32)"),
    "exit": ("exit", "(param i32)"),
    "clock": ("clock-now", "(result i64)"),
    "random": ("random", "(result i64)"),
}
"""The adapter's own names of ``feedback``'s functions, their names in WIT and their core types."""


def render(package: str) -> str:
    """The adapter's core module as WebAssembly text.

    Parameters:
        package: the WIT package with its version, as in ``gg:sdk@0.1.0``.
    """
    name, _, release = package.partition("@")
    interface = f"{name}/feedback" + (f"@{release}" if release else "")
    lines = ["(module", '  (import "env" "memory" (memory 0))']
    lines += [f'  (import "{interface}" "{wit}" (func ${own} {core}))' for own, (wit, core) in IMPORTS.items()]
    lines += [wat.STATE, wat.OUTPUT, wat.CLOCK]
    for function, parameters in SIGNATURES.items():
        core = "".join(f" (param {parameter})" for parameter in parameters)
        result = "" if function == "proc_exit" else " (result i32)"
        lines.append(f'  (func (export "{function}"){core}{result}\n    {BODIES[function].strip()})')
    return "\n".join(lines) + ")\n"


def build_adapter(wasm_tools: Path, wit_folder: Path, out: Path) -> Path:
    """Make the adapter module that ``wasm-tools component new --adapt`` takes.

    Parameters:
        wasm_tools: the program.
        wit_folder: the WIT package that has the interface ``feedback``.
        out: the file to write; its folder exists.

    Returns:
        ``out``.

    Raises:
        KitError: the package has no ``feedback`` that fits, or wasm-tools failed; its words are in the message.
    """
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        package = _copy_package(wit_folder, folder / "wit")
        (folder / "adapter.wat").write_text(render(package), encoding="utf-8")
        _run(wasm_tools, "parse", folder / "adapter.wat", "-o", folder / "core.wasm")
        embedded = folder / "adapter.wasm"
        _run(
            wasm_tools, "component", "embed", folder / "wit", "--world", "adapter", folder / "core.wasm", "-o", embedded
        )
        _run(wasm_tools, "validate", embedded)
        shutil.copyfile(embedded, out)
    return out


def _copy_package(source: Path, target: Path) -> str:
    """Copy the package beside a world that imports what the adapter needs; returns the package's name."""
    target.mkdir()
    package = None
    for path in sorted(source.glob("*.wit")):
        text = path.read_text(encoding="utf-8")
        (target / path.name).write_text(text, encoding="utf-8")
        found = re.search(r"^package\s+([^;\s]+)\s*;", text, re.MULTILINE)
        package = found.group(1) if found else package
    if package is None:
        raise KitError(f"{source}: no WIT package there", "Give the folder whose *.wit files begin with `package`.")
    world = f"package {package};\nworld adapter {{ import feedback; }}\n"
    (target / "preview1-adapter.wit").write_text(world, encoding="utf-8")
    return package


def _run(tool: Path, *arguments: str | Path) -> None:
    done = subprocess.run([tool, *arguments], capture_output=True, check=False)
    if done.returncode:
        words = done.stderr.decode(errors="replace").strip()
        raise KitError(f"the preview 1 adapter was not made: {tool.name} {arguments[0]} said: {words}")
