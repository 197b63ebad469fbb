"""Compiled components with their linkers, loaded once for each content."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import wasmtime
from gg_arm_kit.engine import make_engine
from gg_arm_kit.errors import KitError
from wasmtime import component as wit

from gg_host.catalogue import Catalogue
from gg_host.generated import operations as generated
from gg_host.generated.operations import OperationSignature
from gg_host.instance import Instance
from gg_host.linker import GuestLinker

PROGRAM_MODULE = "program"
"""Name under which a fixed component imports a program that is a core module."""


@cache
def shared_engine() -> wasmtime.Engine:
    """The one engine of this process."""
    return make_engine()


@dataclass(slots=True)
class Guest:
    """A component ready to be instantiated. ``fixed`` is False for one that is a program."""

    linker: GuestLinker
    fixed: bool = True
    _module_guard: threading.Lock = field(default_factory=threading.Lock)

    def instance(self, max_memory_bytes: int, module: wasmtime.Module | None = None) -> Instance:
        """Make an instance.

        Parameters:
            max_memory_bytes: limit on its linear memory.
            module: the program, for a component that imports it.

        Raises:
            wasmtime.WasmtimeError: as ``Instance``.
        """
        if module is None:
            return Instance(self.linker, max_memory_bytes, self.fixed)
        with self._module_guard:  # the linker holds one program at a time
            self.linker.linker.allow_shadowing = True
            with self.linker.linker.root() as root:
                root.add_module(PROGRAM_MODULE, module)
            return Instance(self.linker, max_memory_bytes)


class Guests:
    """Loads components and keeps them.

    Parameters:
        catalogue: every operation.
        operations: hints of the operations' functions.
    """

    def __init__(self, catalogue: Catalogue, operations: Sequence[OperationSignature] = generated.OPERATIONS) -> None:
        self._catalogue = catalogue
        self._operations = operations
        self._loaded: dict[Path, Guest] = {}
        self._guard = threading.Lock()

    def load(self, native: Path, what: str, *, keep: bool = True) -> Guest:
        """The guest of a compiled component.

        Parameters:
            native: the compiled file, its hash checked.
            what: names the component in errors.
                keep: whether to keep it for the next program; not for a component that is a program.

        Raises:
            KitError: it cannot be loaded, or does not fit this host.
        """
        with self._guard:
            guest = self._loaded.get(native)
            if guest is None:
                try:
                    component = wit.Component.deserialize_file(shared_engine(), str(native))
                except wasmtime.WasmtimeError as error:
                    raise KitError(f"{what} cannot be loaded: {error}", "Build the arm again.") from error
                guest = Guest(
                    GuestLinker(
                        shared_engine(),
                        component,
                        self._catalogue,
                        operations=self._operations,
                        what=what,
                    ),
                    fixed=keep,
                )
                if keep:
                    self._loaded[native] = guest
            return guest


def load_module(native: Path) -> wasmtime.Module:
    """A program that is a core module, from its compiled file."""
    return wasmtime.Module.deserialize_file(shared_engine(), str(native))
