"""The same component and program through wasmtime's own component API, to see what our converters save."""

from __future__ import annotations

import threading
from typing import Any

import wasmtime
from gg_arm_kit.artifacts import load
from gg_arm_kit.compile import compiled
from gg_arm_kit.engine import NATIVE_STACK_BYTES, make_engine
from wasmtime import component as wit

from gg_benchmarks.model import least_us_each
from gg_benchmarks.programs import MANY_CALLS

NEVER = 1 << 40


def _answer(where: str, name: str) -> Any:
    if (where, name) == ("files", "read-text-file"):
        return lambda _store, path, _offset, _limit: "hello " + path  # it takes a result untagged where it can
    if (where, name) in (("feedback", "time-left"), ("feedback", "clock-now"), ("feedback", "random")):
        return lambda _store: 1 << 62
    return lambda _store, *_: None


def call_us(arm: str = "javascript", count: int = 2_000) -> float:
    """One host call in microseconds."""
    engine = make_engine()
    component = wit.Component.deserialize_file(engine, str(compiled(load(arm).component)))
    linker = wit.Linker(engine)
    with linker.root() as root:
        for where, extern in component.type.imports(engine).items():
            interface = where.partition("/")[2].partition("@")[0]
            with root.add_instance(where) as instance:
                for name, function in extern.ty.exports(engine).items():
                    if isinstance(function.ty, wit.FuncType):
                        instance.add_func(name, _answer(interface, name))

    def work(calls: int) -> None:
        store = wasmtime.Store(engine)
        store.set_epoch_deadline(NEVER)
        run = linker.instantiate(store, component).get_func(store, "run")
        if run is None:
            raise RuntimeError("the component exports no run")
        run(store, MANY_CALLS[arm](calls), [], [], "none", False)

    found: list[float] = []
    threading.stack_size(NATIVE_STACK_BYTES)
    try:
        thread = threading.Thread(target=lambda: found.append(least_us_each(work, count, tries=3)))
        thread.start()
        thread.join()
    finally:
        threading.stack_size(0)
    if not found:
        raise RuntimeError("the stock component API could not run the program")
    return found[0]
