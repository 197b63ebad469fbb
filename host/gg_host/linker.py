"""One linker for each component: every import bound to this host, and the converters of its exports.

A component may import the interfaces of the package ``gg:sdk`` and nothing else: no WASI, so no file, socket,
environment or clock but what the run gives it.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

import wasmtime
from gg_arm_kit.errors import KitError
from wasmtime import component as wit

from gg_host import abi
from gg_host.catalogue import Catalogue
from gg_host.convert import Converters
from gg_host.exports import Export
from gg_host.feedback_functions import BODIES, feedback_function
from gg_host.generated import operations as generated
from gg_host.generated import types
from gg_host.generated.operations import OperationSignature
from gg_host.hints import HintMismatchError
from gg_host.membrane import HostFunction, operation_function
from gg_host.warm_pages import WarmPages

PACKAGE = "gg:sdk/"
FEEDBACK = "feedback"


class GuestLinker:
    """Binds the imports of one component.

    Parameters:
        engine: what the component was compiled with.
        component: the compiled component.
        catalogue: every operation the host knows.
        operations: hints of the operations' functions; those of the WIT package unless told otherwise.
        what: names the component in errors.

    Raises:
        KitError: the component imports something this host does not have, or with other types.
    """

    def __init__(
        self,
        engine: wasmtime.Engine,
        component: wit.Component,
        catalogue: Catalogue,
        *,
        operations: Sequence[OperationSignature] = generated.OPERATIONS,
        what: str = "component",
    ) -> None:
        self.engine = engine
        self.component = component
        self.memory_sizes: tuple[int, ...] | None = None
        """Bytes of each linear memory before anything ran, largest first; None until an instance was made."""
        self.warm = WarmPages()
        self._catalogue = catalogue
        self._what = what
        self._operations = {(row.interface, row.function): row for row in operations}
        self._feedback = {row.function: row for row in generated.FEEDBACK}
        self._callbacks: list[Any] = []  # ctypes keeps no reference to what C holds
        self.linker = wit.Linker(engine)
        self._converters = Converters(what)
        imports = self._imports()
        try:
            makers = [self._prepare(interface, name, kind) for interface, _, name, kind in imports]
            lowers = self._prepare_run()
        except HintMismatchError as error:
            raise self._mismatch(str(error)) from error
        self.functions = self._converters.compile()
        self.run = Export([self.functions[name] for name in lowers])
        self._define([(where, name, make) for (_, where, name, _), make in zip(imports, makers, strict=True)])

    @property
    def converter_source(self) -> str:
        """The Python text of this component's converters."""
        return self._converters.source

    def _mismatch(self, reason: str) -> KitError:
        return KitError(
            f"{self._what} does not fit this host: {reason}", "Build the arm again with the version of this host."
        )

    def _imports(self) -> list[tuple[str, str, str, Any]]:
        """(interface, import's full name, function, type) of every function imported from the package."""
        found = []
        for where, extern in self.component.type.imports(self.engine).items():
            imported = extern.ty
            if isinstance(imported, wit.ModuleType):
                continue  # the program itself, for a component that takes it as a core module
            if not where.startswith(PACKAGE) or not isinstance(imported, wit.ComponentInstanceType):
                raise self._mismatch(f"it imports {where}")
            interface = where.removeprefix(PACKAGE).partition("@")[0]
            for name, exported in imported.exports(self.engine).items():
                kind = exported.ty
                if isinstance(kind, wit.FuncType):
                    found.append((interface, where, name, kind))
        return found

    def _prepare(self, interface: str, function: str, kind: Any) -> Callable[[], HostFunction]:
        """Add the converters of one import; the result makes its host function once they are compiled."""
        name = f"{interface}_{function.replace('-', '_')}"
        if interface == FEEDBACK:
            return self._prepare_feedback(name, function, kind)
        row = self._operations.get((interface, function))
        if row is None or row.id not in self._catalogue.operations:
            raise self._mismatch(f"it imports {interface}.{function}, which is no operation")
        operation = self._catalogue.operations[row.id]
        result = kind.result
        if not isinstance(result, wit.ResultType) or result.err is None:
            raise self._mismatch(f"{row.id} does not return a result with a failure")
        names = tuple(label for label, _ in row.params)
        lift = self._converters.lift_arguments(name, self._parameters(row, kind), [hint for _, hint in row.params])
        lower_ok = self._converters.lower_ok(name, result, row.result)
        lower_err = self._converters.lower_err(name, result, types.Failure)
        return lambda: operation_function(
            operation, names, self.functions[lift], self.functions[lower_ok], self.functions[lower_err]
        )

    def _prepare_feedback(self, name: str, function: str, kind: Any) -> Callable[[], HostFunction]:
        row = self._feedback.get(function)
        if row is None or function not in BODIES:
            raise self._mismatch(f"it imports feedback.{function}, which this host does not have")
        lift = self._converters.lift_arguments(name, self._parameters(row, kind), [hint for _, hint in row.params])
        lower = None
        if kind.result is not None:
            lower = self._converters.lower_value(name, kind.result, row.result, f"feedback.{function}")
        return lambda: feedback_function(
            function, BODIES[function], self.functions[lift], self.functions[lower] if lower else None
        )

    def _parameters(self, row: OperationSignature, kind: Any) -> list[tuple[str, object]]:
        parameters = list(kind.params)
        if len(parameters) != len(row.params):
            raise self._mismatch(
                f"{row.id} takes {len(row.params)} arguments, and the component passes {len(parameters)}"
            )
        return parameters

    def _prepare_run(self) -> list[str]:
        """Add the converters of the parameters of the export ``run``; return their names."""
        row = next(row for row in generated.EXPORTS if row.function == "run")
        exports = self.component.type.exports(self.engine)
        kind = exports["run"].ty if "run" in exports else None
        if not isinstance(kind, wit.FuncType):
            raise self._mismatch("it exports no function run")
        pairs = zip(self._parameters(row, kind), row.params, strict=True)
        return [
            self._converters.lower_value(f"run_{index}", of_kind, hint, f"run.{label}")
            for index, ((label, of_kind), (_, hint)) in enumerate(pairs)
        ]

    def _define(self, imports: Sequence[tuple[str, str, Callable[[], HostFunction]]]) -> None:
        by_place: dict[str, list[tuple[str, Callable[[], HostFunction]]]] = {}
        for where, name, make in imports:
            by_place.setdefault(where, []).append((name, make))
        with self.linker.root() as root:
            for where, functions in by_place.items():
                with root.add_instance(where) as instance:
                    for name, make in functions:
                        self._add(instance, name, make())

    def _add(self, instance: Any, name: str, function: HostFunction) -> None:
        callback = abi.CALLBACK(function)
        self._callbacks.append(callback)
        encoded = name.encode()
        address = ctypes.cast(instance.ptr(), ctypes.c_void_p)
        error = abi.add_function(address, encoded, len(encoded), callback, None, None)
        if error:
            raise self._mismatch(f"{name} cannot be defined")
