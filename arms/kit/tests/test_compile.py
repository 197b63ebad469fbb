"""Compiled files: kept by content, checked before they are loaded, and compiled where nothing can hurt the host."""

from __future__ import annotations

import functools
import hashlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import wasmtime
import wasmtime.component
from gg_arm_kit import compile as compiling
from gg_arm_kit.cache import default_root
from gg_arm_kit.compile import CompileError, DamagedCompiledFileWarning, compile_wasm, compiled
from gg_arm_kit.engine import make_engine
from gg_arm_kit.errors import KitError
from gg_arm_kit.limits import Limits


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GG_CACHE", str(tmp_path / "cache"))


def module(number: int = 1) -> bytes:
    return bytes(wasmtime.wat2wasm(f'(module (func (export "f") (result i32) (i32.const {number})))'))


def result_of(path: Path) -> int:
    engine = make_engine()
    store = wasmtime.Store(engine)
    store.set_epoch_deadline(1)
    loaded = wasmtime.Module.deserialize_file(engine, str(path))
    return int(wasmtime.Instance(store, loaded, []).exports(store)["f"](store))


@functools.cache
def slow() -> bytes:
    """A module that takes Cranelift seconds: large functions of arithmetic that cannot be folded."""
    step = "local.get 0 i32.mul local.get 0 i32.rotl local.get 0 i32.xor "
    function = '(func (export "f{}") (param i32) (result i32) local.get 0 ' + step * 3000 + ")"
    return bytes(wasmtime.wat2wasm("(module " + "".join(function.format(index) for index in range(20)) + ")"))


@pytest.mark.parametrize("speed", [True, False])
def test_a_module_and_a_component_load(speed: bool) -> None:
    assert result_of(compiled(module(), kind="module", speed=speed)) == 1
    component = compiled(bytes(wasmtime.wat2wasm("(component)")), speed=speed)
    wasmtime.component.Component.deserialize_file(make_engine(), str(component))


def test_the_same_bytes_are_compiled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "m.wasm"
    file.write_bytes(module())
    first = compiled(file, kind="module")
    monkeypatch.setattr(compiling, "compile_wasm", None)
    assert compiled(file, kind="module") == first
    assert compiled(module(), kind="module") == first
    monkeypatch.setattr(compiling, "_verified", {})
    assert compiled(module(), kind="module") == first, "another process finds it too"


def test_content_kind_and_level_have_files_of_their_own(tmp_path: Path) -> None:
    file = tmp_path / "m.wasm"
    file.write_bytes(module(1))
    first = compiled(file, kind="module")
    file.write_bytes(module(2))
    second = compiled(file, kind="module")
    assert (result_of(first), result_of(second)) == (1, 2)
    assert compiled(module(1), kind="module", speed=False) not in (first, second)
    with pytest.raises(CompileError):
        compiled(module(1), kind="component")


def record_of(path: Path) -> Path:
    return path.with_suffix(".json")


def damage_one_byte(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def swap_with_another(path: Path) -> None:
    other = compiled(module(99), kind="module")
    path.write_bytes(other.read_bytes())
    record_of(path).write_bytes(record_of(other).read_bytes())


def plant_with_its_hash(path: Path) -> None:
    path.write_bytes(b"planted")
    record_of(path).write_text(json.dumps({"name": "x", "sha256": hashlib.sha256(b"planted").hexdigest()}))


DAMAGES = {
    "one byte": damage_one_byte,
    "empty": lambda path: path.write_bytes(b""),
    "cut": lambda path: path.write_bytes(path.read_bytes()[:-1]),
    "no record": lambda path: record_of(path).unlink(),
    "record is no JSON": lambda path: record_of(path).write_bytes(b"\xff{"),
    "record is a list": lambda path: record_of(path).write_bytes(b"[]"),
    "another program's file and record": swap_with_another,
    "planted with a hash of its own": plant_with_its_hash,
}


@pytest.mark.parametrize("remembered", [True, False])
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_or_planted_file_is_compiled_anew(
    damage: str, remembered: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = compiled(module(), kind="module")
    good = path.read_bytes()
    DAMAGES[damage](path)
    if not remembered:
        monkeypatch.setattr(compiling, "_verified", {})
    elif "record" in damage and "another" not in damage:
        return  # the file itself is what this process checked
    with pytest.warns(DamagedCompiledFileWarning, match="compiled anew"):
        assert compiled(module(), kind="module") == path
    assert path.read_bytes() == good
    assert result_of(path) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compiled(module(), kind="module")


def test_a_cache_of_another_owner_or_open_to_others_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    folder.mkdir()
    folder.chmod(0o777)
    with pytest.raises(KitError, match="other users"):
        compiled(module(), kind="module")


def test_nothing_half_written_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises((OSError, KitError)):
        compiled(module(), kind="module")
    monkeypatch.undo()
    monkeypatch.setenv("GG_CACHE", str(tmp_path / "cache"))
    assert list((default_root() / "compiled").iterdir()) == []
    assert result_of(compiled(module(), kind="module")) == 1


@pytest.mark.parametrize(
    ("wasm", "kind", "words"),
    [
        (b"", "component", "no WebAssembly"),
        (b"(module)", "module", "no WebAssembly"),
        (b"\0asm", "module", "unexpected end"),
        (module()[:-1], "module", "unexpected end"),
        (module(), "component", "wasm module with a component parser"),
        (bytes(wasmtime.wat2wasm("(component)")), "module", "component"),
        (b"\0asm\1\0\0\0" + os.urandom(100), "module", "cannot be compiled"),
    ],
)
def test_bad_webassembly_is_told_in_the_engine_s_words(wasm: bytes, kind: compiling.Kind, words: str) -> None:
    with pytest.raises(CompileError, match=words) as told:
        compiled(wasm, kind=kind)
    assert f"this {kind}" in str(told.value)
    assert result_of(compiled(module(), kind="module")) == 1


LIMITS = {
    "CPU limit": Limits(cpu_secs=0.3, memory_bytes=4 << 30, wall_secs=60),
    "memory limit": Limits(cpu_secs=60, memory_bytes=48 << 20, wall_secs=60),
    "wall limit": Limits(cpu_secs=60, memory_bytes=4 << 30, wall_secs=0.3),
    "output limit": Limits(cpu_secs=60, memory_bytes=4 << 30, wall_secs=60, output_bytes=10_000),
}


@pytest.mark.parametrize("words", LIMITS)
def test_a_compiler_that_reaches_a_limit_is_told(words: str) -> None:
    compile_wasm(module(), kind="module")
    wasm = module() if words == "output limit" else slow()
    with pytest.raises(CompileError, match=words) as told:
        compile_wasm(wasm, kind="module", limits=LIMITS[words])
    assert "compiling this module" in str(told.value)
    assert compile_wasm(module(), kind="module")


def test_a_compiler_that_is_killed_is_told_and_replaced() -> None:
    compile_wasm(module(), kind="module")
    wasm = slow()

    def kill() -> None:
        time.sleep(0.3)
        for server in compiling._children._servers:
            if server._running is not None:
                os.kill(server._running.started.keeper, signal.SIGKILL)

    thread = threading.Thread(target=kill)
    thread.start()
    with pytest.raises(CompileError, match="was killed by signal 9"):
        compile_wasm(wasm, kind="module")
    thread.join()
    assert compile_wasm(module(), kind="module")


def test_a_compilation_can_be_cancelled() -> None:
    wasm = slow()
    cancel = threading.Event()
    timer = threading.Timer(0.2, cancel.set)
    timer.start()
    with pytest.raises(CompileError, match="was cancelled"):
        compile_wasm(wasm, kind="module", cancel=cancel)
    timer.join()


def test_many_threads_compile_at_once() -> None:
    with ThreadPoolExecutor(16) as pool:
        paths = list(pool.map(lambda number: compiled(module(number % 8), kind="module", speed=False), range(48)))
    assert [result_of(path) for path in paths] == [number % 8 for number in range(48)]
    assert len(set(paths)) == 8


def test_two_processes_compile_the_same_at_once(tmp_path: Path) -> None:
    code = (
        "import sys, wasmtime; from gg_arm_kit.compile import compiled; "
        "print(compiled(bytes(wasmtime.wat2wasm(sys.argv[1])), kind='module'))"
    )
    text = '(module (func (export "f") (result i32) (i32.const 5)))'
    running = [
        subprocess.Popen([sys.executable, "-c", code, text], stdout=subprocess.PIPE, text=True) for _ in range(4)
    ]
    told = {process.communicate()[0].strip() for process in running}
    assert all(process.returncode == 0 for process in running)
    assert len(told) == 1
    assert result_of(Path(told.pop())) == 5
