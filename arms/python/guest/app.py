"""The component's entry: imports all that programs may import, then stands ready. A snapshot is taken after this import."""

from gg_guest import clean_memory

clean_memory.begin()

import gc
import sys
from importlib.machinery import PathFinder
from typing import Any

import wit_world

from gg_guest import crossing, exits, library, loop, program, report, streams, waits

library.load()

import gg  # noqa: E402 - after the library: a module must not be missing because the SDK came first

HIDDEN = (
    "app",
    "gg_guest",
    "wit_world",
    "componentize_py_types",
    "componentize_py_runtime",
    "componentize_py_async_support",
    "poll_loop",
)
"""Packages that run programs, and that programs do not see."""


class WitWorld(wit_world.WitWorld):
    """What the component exports."""

    def run(self, program: str, modules: list[Any], operations: list[str], ending: Any, library: bool) -> None:
        """Run one program to its end; what is granted is the host's to decide at each call."""
        _run(program)

    def bound_operations(self) -> list[str]:
        """The operations that the SDK binds."""
        return crossing.bound_operations()


def _is_hidden(name: str) -> bool:
    return name.partition(".")[0] in HIDDEN


def _start() -> None:
    sdk = {name: module for name, module in sys.modules.items() if name.partition(".")[0] == "gg"}
    own = [module for name, module in sys.modules.items() if _is_hidden(name) or name in sdk]
    files = frozenset(module.__spec__.origin for module in own if module.__spec__ and module.__spec__.origin)
    report.know(gg.core.ApiError, sdk, files)
    streams.install()
    exits.install()
    loop.install()
    waits.install()
    program.rehearse()
    program.prepare(tuple(name for name in sys.modules if _is_hidden(name)))
    sys.path.clear()
    sys.path_importer_cache.clear()
    sys.meta_path[:] = [PathFinder]  # every built-in module that programs may have is imported
    gc.collect()
    clean_memory.end()
    gc.freeze()


_run = program.run
_start()
