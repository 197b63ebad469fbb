"""The engine's configuration does what its constants say."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable

import pytest
import wasmtime
from gg_arm_kit import engine

RECURSION = '(module (func $f (export "f") (param i32) (result i32) (i32.add (call $f (local.get 0)) (i32.const 1))))'


def on_a_guest_thread(work: Callable[[], None]) -> None:
    """Run ``work`` on a thread with the stack that guests get; what it raises is raised here."""
    raised: list[BaseException] = []

    def target() -> None:
        try:
            work()
        except BaseException as error:
            raised.append(error)

    before = threading.stack_size(engine.NATIVE_STACK_BYTES)
    try:
        thread = threading.Thread(target=target)
        thread.start()
    finally:
        threading.stack_size(before)
    thread.join()
    if raised:
        raise raised[0]


@pytest.mark.parametrize("speed", [True, False])
def test_deep_recursion_traps_and_the_process_lives(speed: bool) -> None:
    made = engine.make_engine(speed)

    def work() -> None:
        store = wasmtime.Store(made)
        store.set_epoch_deadline(1_000_000)
        exports = wasmtime.Instance(store, wasmtime.Module(made, RECURSION), []).exports(store)
        with pytest.raises(wasmtime.Trap, match="call stack exhausted"):
            exports["f"](store, 1)

    on_a_guest_thread(work)


def test_the_stack_is_as_deep_as_told() -> None:
    """A million frames of at least 32 bytes fit into 64 MiB, and would not into wasmtime's 512 KiB."""
    made = engine.make_engine()
    counted = """(module (func $f (export "f") (param i32) (result i32)
      (if (result i32) (i32.eqz (local.get 0)) (then (i32.const 0))
        (else (i32.add (call $f (i32.sub (local.get 0) (i32.const 1))) (i32.const 1))))))"""

    def work() -> None:
        store = wasmtime.Store(made)
        store.set_epoch_deadline(1_000_000)
        exports = wasmtime.Instance(store, wasmtime.Module(made, counted), []).exports(store)
        assert exports["f"](store, 1_000_000) == 1_000_000

    on_a_guest_thread(work)


def test_epochs_interrupt() -> None:
    made = engine.make_engine()
    store = wasmtime.Store(made)
    store.set_epoch_deadline(1)
    exports = wasmtime.Instance(store, wasmtime.Module(made, '(module (func (export "f") (loop (br 0))))'), []).exports(
        store
    )
    timer = threading.Timer(0.1, made.increment_epoch)
    timer.start()
    with pytest.raises(wasmtime.Trap, match="interrupt"):
        exports["f"](store)
    timer.join()


@pytest.mark.parametrize(
    "text",
    [
        '(module (tag $t) (func (export "f") (block $h (try_table (catch $t $h) (throw $t)))))',
        '(module (type $s (struct (field i32))) (func (export "f") (drop (struct.new $s (i32.const 1)))))',
    ],
    ids=["exceptions", "gc"],
)
def test_a_proposal_is_on(text: str) -> None:
    made = engine.make_engine()
    store = wasmtime.Store(made)
    store.set_epoch_deadline(1)
    wasmtime.Instance(store, wasmtime.Module(made, text), []).exports(store)["f"](store)


@pytest.mark.parametrize("compiled_with", [True, False])
def test_a_file_of_either_level_loads_in_both(compiled_with: bool) -> None:
    data = wasmtime.Module(engine.make_engine(compiled_with), "(module)").serialize()
    for speed in (True, False):
        wasmtime.Module.deserialize(engine.make_engine(speed), data)


def test_the_key_tells_levels_and_settings_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = {engine.engine_key(True), engine.engine_key(False)}
    monkeypatch.setattr(engine, "MAX_WASM_STACK_BYTES", 1 << 20)
    keys.add(engine.engine_key.__wrapped__(True))
    monkeypatch.setitem(engine.SETTINGS, "wasm_gc", False)
    keys.add(engine.engine_key.__wrapped__(True))
    monkeypatch.setattr(engine, "_processor", lambda: ["another"])
    keys.add(engine.engine_key.__wrapped__(True))
    assert len(keys) == 5


def test_the_key_is_the_same_in_another_process() -> None:
    code = "from gg_arm_kit.engine import engine_key; print(engine_key())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == engine.engine_key()


def test_traps_are_asked_to_name_source_lines() -> None:
    """Set before the first engine is made, whoever imports what first."""
    code = (
        "import wasmtime; from gg_arm_kit.engine import make_engine; import os; make_engine(); "
        "print(os.environ['WASMTIME_BACKTRACE_DETAILS'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PATH": ""})
    assert done.stdout.strip() == "1"
