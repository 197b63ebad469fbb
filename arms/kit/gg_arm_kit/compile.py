"""WebAssembly to native code, kept in the cache.

A compiled file is named by the WebAssembly's sha256, its kind and the engine's key. It is native code, so what is
written beside it (a record of its own sha256 and of the name it was made for) is checked before the file is handed out
for loading. Checking 38 MB takes about 25 ms of CPU, so a file once checked is remembered in this process by device,
inode, size and modification time. That memory trusts two things: the cache folder is this user's alone (mode 0700,
checked), and whoever writes there as this user could change this process anyway.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import json
import os
import queue
import sys
import tempfile
import threading
import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Literal

import wasmtime

from gg_arm_kit.cache import default_root, open_cache, told_when_full
from gg_arm_kit.engine import engine_key
from gg_arm_kit.errors import KitError
from gg_arm_kit.limits import Limits
from gg_arm_kit.server import Server, ServerDiedError

COMPONENT_LIMITS = Limits(cpu_secs=300, memory_bytes=6 << 30, wall_secs=600, output_bytes=1 << 30)
"""For the fixed components of arms: the largest so far, of 21 MB, takes 11 s of processor time and 0.9 GB."""

PROGRAM_LIMITS = Limits(cpu_secs=30, memory_bytes=2 << 30, wall_secs=60, output_bytes=256 << 20)
"""For a program that a model wrote: hundreds of times what an ordinary one takes (2 to 200 ms)."""

_WORDS = 2000
_CHILD = """\
import sys
sys.path[:0] = sys.argv[1:]
from gg_arm_kit.compile_child import main
main()
"""

Kind = Literal["component", "module"]

_Identity = tuple[int, int, int, int]
_verified: dict[Path, tuple[_Identity, str]] = {}
_wasm_sha256: dict[Path, tuple[_Identity, str]] = {}
_making: dict[str, threading.Lock] = {}
_guard = threading.Lock()


class CompileError(KitError):
    """Cranelift refused the WebAssembly, or its process died; the message says which."""


class DamagedCompiledFileWarning(UserWarning):
    """A compiled file in the cache is not what was written there, and is made anew."""


def compiled(wasm: Path | bytes, *, kind: Kind = "component", speed: bool = True) -> Path:
    """The compiled form of ``wasm``, made if the cache has none; ready for ``deserialize_file``.

    Parameters:
        wasm: a component or core module, as a file or as bytes.
        kind: which of the two it is.
        speed: True for what is compiled once and run often, False for a program (see ``engine``).

    Returns:
        A ``.cwasm`` file whose sha256 was checked.

    Raises:
        CompileError: the WebAssembly is not valid, or compiling it ran into a limit.
        KitError: the cache folder is not usable.
    """
    name = _name(wasm, kind, speed)
    path = _folder(default_root()) / f"{name}.cwasm"
    if _is_verified(path, name):
        return path
    with _guard:
        lock = _making.setdefault(name, threading.Lock())
    with lock:
        if not _is_verified(path, name):
            data = wasm if isinstance(wasm, bytes) else _read(wasm)
            made = compile_wasm(data, kind=kind, speed=speed)
            with told_when_full(path.parent, f"the compiled {kind}"):
                _write(path, name, made)
    return path


def compile_wasm(
    wasm: bytes,
    *,
    kind: Kind = "component",
    speed: bool = True,
    limits: Limits | None = None,
    cancel: threading.Event | None = None,
) -> bytes:
    """Compile in a confined child process; nothing is read from or written to the cache.

    Parameters:
        limits: what compiling may use; None for ``COMPONENT_LIMITS`` or, without ``speed``, ``PROGRAM_LIMITS``.
        cancel: set from another thread, it gives the compilation up.

    Raises:
        CompileError: as ``compiled``.
    """
    if not wasm.startswith(b"\0asm"):
        raise CompileError(f"this {kind} cannot be compiled: it is no WebAssembly, it begins with {wasm[:4]!r}")
    message = (b"C" if kind == "component" else b"M") + (b"s" if speed else b"n") + wasm
    limits = limits or (COMPONENT_LIMITS if speed else PROGRAM_LIMITS)
    with _children.borrowed() as child:
        try:
            answer = child.request(message, limits=limits, cancel=cancel)
        except ServerDiedError as died:
            words = died.stderr.strip()
            raise CompileError(
                f"compiling this {kind} {died.ending}" + (f": {words[-_WORDS:]}" if words else "")
            ) from died
    if answer[:1] == b"-":
        raise CompileError(f"this {kind} cannot be compiled: {answer[1:].decode(errors='replace').strip()}")
    return answer[1:]


class _Children:
    """Warm compilers, at most one for each processor; further requests wait for one."""

    def __init__(self) -> None:
        self._idle: queue.LifoQueue[Server] = queue.LifoQueue()
        self._servers = [_child() for _ in range(os.cpu_count() or 1)]
        for server in self._servers:
            self._idle.put(server)

    @contextlib.contextmanager
    def borrowed(self) -> Iterator[Server]:
        server = self._idle.get()
        try:
            yield server
        finally:
            self._idle.put(server)

    def close(self) -> None:
        for server in self._servers:
            server.close()


def _child() -> Server:
    """A compiler that can read Python and its libraries, write nothing, and has an environment of nothing."""
    libraries = [Path(__file__).parents[1], Path(wasmtime.__file__).parents[1]]
    return Server(
        [sys.executable, "-I", "-S", "-c", _CHILD, *libraries],
        cwd=Path("/"),
        env={},
        limits=COMPONENT_LIMITS,
        readable=[Path(sys.prefix), Path(sys.base_prefix), *libraries],
    )


_children = _Children()
atexit.register(_children.close)


def _renew() -> None:
    """A forked process makes compilers of its own."""
    global _children
    _children = _Children()


os.register_at_fork(after_in_child=_renew)


@cache
def _folder(root: Path) -> Path:
    """Opened once for each root: opening checks the owner and sweeps."""
    return open_cache(root).folder("compiled")


def _name(wasm: Path | bytes, kind: Kind, speed: bool) -> str:
    digest = hashlib.sha256(wasm).hexdigest() if isinstance(wasm, bytes) else _sha256_of_file(wasm)
    return hashlib.sha256(f"{digest} {kind} {engine_key(speed)}".encode()).hexdigest()


def _sha256_of_file(path: Path) -> str:
    """The content's sha256, remembered while the file stays the same."""
    identity = _identity(path)
    known = _wasm_sha256.get(path)
    if known is not None and known[0] == identity:
        return known[1]
    digest = hashlib.sha256(_read(path)).hexdigest()
    _wasm_sha256[path] = (identity, digest)
    return digest


def _identity(path: Path) -> _Identity:
    try:
        status = path.stat()
    except OSError as error:
        raise CompileError(f"{path}: cannot be read: {error.strerror}") from error
    return (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise CompileError(f"{path}: cannot be read: {error.strerror}") from error


def _is_verified(path: Path, name: str) -> bool:
    """Whether ``path`` holds what was written for ``name``; warns when it holds something else."""
    if not path.exists():
        return False
    identity = _identity(path)
    known = _verified.get(path)
    if known is not None and known == (identity, name):
        return True
    try:
        record = json.loads(_record(path).read_text(encoding="utf-8"))
        expected = record["sha256"] if record["name"] == name else None
    except (OSError, ValueError, KeyError, TypeError):
        expected = None
    if expected is None or hashlib.sha256(path.read_bytes()).hexdigest() != expected:
        warnings.warn(
            f"{path}: not the file that was written there; it is compiled anew",
            DamagedCompiledFileWarning,
            stacklevel=3,
        )
        return False
    _verified[path] = (identity, name)
    return True


def _record(path: Path) -> Path:
    return path.with_suffix(".json")


def _write(path: Path, name: str, data: bytes) -> None:
    """Both files appear whole; the record comes last, so a compiled file without one is never trusted."""
    _record(path).unlink(missing_ok=True)
    _replace(path, data)
    record = {"name": name, "sha256": hashlib.sha256(data).hexdigest()}
    _replace(_record(path), json.dumps(record).encode())
    _verified[path] = (_identity(path), name)


def _replace(path: Path, data: bytes) -> None:
    """Rename into place. Not flushed to the disk: after a power cut the check by hash finds what is missing."""
    descriptor, temporary = tempfile.mkstemp(prefix=".new-", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
