"""The host: programs in, reports out."""

from __future__ import annotations

import dataclasses
import hashlib
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType

from gg_arm_kit import artifacts, registry
from gg_arm_kit.artifacts import Artifact
from gg_arm_kit.errors import KitError
from gg_arm_kit.facts import ArmFacts
from gg_arm_kit.seam import Arm, ComponentForm, CoreModuleForm, Prepared, Refused, SourceModule

from gg_host.catalogue import Catalogue, load_catalogue
from gg_host.events import EventSink
from gg_host.generated import operations as generated
from gg_host.generated.operations import OperationSignature
from gg_host.grant import Grant, permits
from gg_host.guests import Guests, load_module
from gg_host.limits import Limits
from gg_host.machine import Machine
from gg_host.outcome import refused_report, run_report, views_of
from gg_host.report import ProgramReport, Times
from gg_host.run import Run
from gg_host.run_state import RunState
from gg_host.sandbox import Sandbox
from gg_host.serving import full_capabilities, narrowed
from gg_host.spelling import Spelling, read_spelling
from gg_host.workspaces import workspace

PREPARED_KEPT = 256
"""Prepared programs kept by content."""


def full_grant(ending: generated.EndingRole = generated.EndingRole.NONE) -> Grant:
    """A grant of everything the catalogue has, with the ending role given."""
    catalogue = load_catalogue()
    return Grant(full_capabilities(catalogue), frozenset(catalogue.operations), ending)


@dataclass(frozen=True, slots=True)
class LoadedArm:
    """An arm with its checked artifact."""

    arm: Arm
    artifact: Artifact
    spelling: Spelling

    @property
    def facts(self) -> ArmFacts:
        """What the artifact says of the language."""
        return self.artifact.facts


class Host:
    """Runs programs of every installed arm. Use it as a context manager, from any number of threads.

    Parameters:
        catalogue: the operations; the packaged table unless told otherwise.
        operations: hints of the operations' functions.
    """

    def __init__(
        self,
        catalogue: Catalogue | None = None,
        operations: Sequence[OperationSignature] = generated.OPERATIONS,
    ) -> None:
        self.catalogue = catalogue or load_catalogue()
        self._guests = Guests(self.catalogue, operations)
        self._sandbox = Sandbox(self.catalogue)
        self._arms: dict[str, LoadedArm] = {}
        self._prepared: OrderedDict[tuple[str, str], Prepared] = OrderedDict()
        self._guard = threading.Lock()
        self._running: set[Run] = set()

    def __enter__(self) -> Host:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Cancel what runs, wait for it and end every thread."""
        with self._guard:
            running = list(self._running)
        for run in running:
            run.cancel()
        self._sandbox.close()

    def add(self, arm: Arm, artifact: Artifact) -> LoadedArm:
        """Use ``arm`` with an artifact that is at hand, in place of what is installed and in the cache.

        Raises:
            KitError: the artifact is not one of that arm.
        """
        if artifact.facts.id != arm.facts.id:
            raise KitError(f"the artifact of arm {artifact.facts.id!r} was given for arm {arm.facts.id!r}")
        loaded = LoadedArm(arm, artifact, read_spelling(artifact.signatures))
        with self._guard:
            self._arms[arm.facts.id] = loaded
        return loaded

    def arm(self, arm: str | Arm) -> LoadedArm:
        """An installed arm with its newest artifact, checked once in this host's life.

        Raises:
            KitError: there is no such arm, or it has no whole artifact.
        """
        arm_id = arm if isinstance(arm, str) else arm.facts.id
        with self._guard:
            loaded = self._arms.get(arm_id)
        if loaded is None:
            found = registry.find(arm_id) if isinstance(arm, str) else arm
            loaded = self.add(found, artifacts.load(arm_id))
        return loaded

    def prepare(self, arm: str | Arm, program: bytes | str, modules: Sequence[SourceModule] = ()) -> Prepared | Refused:
        """What the arm makes of a program; kept by content.

        Parameters:
            arm: an arm or its id.
            program: exactly what the model sent.
            modules: code modules; none are supported yet.

        Raises:
            KitError: as ``run``.
        """
        return self._prepare(self.arm(arm), _bytes(program), modules)

    def run(
        self,
        arm: str | Arm,
        program: bytes | str,
        *,
        grant: Grant,
        limits: Limits,
        providers: Mapping[str, object],
        on_event: EventSink | None = None,
        machine: Machine | None = None,
        modules: Sequence[SourceModule] = (),
        deadline: float | None = None,
        library: bool = False,
    ) -> ProgramReport:
        """Run one program to its end.

        Parameters:
            arm: an arm or its id.
            program: exactly what the model sent.
            grant: what it may call.
            limits: ceilings; there are no defaults.
            providers: for each namespace an object with a method for each operation it serves.
            on_event: told of calls and logs as they happen, on the run's own thread.
            machine: clock and random numbers; the present time and a random seed when left out.
            modules: code modules; none are supported yet.
            deadline: when calls that dispatch work are over, in seconds of ``time.monotonic``.
            library: whether the run keeps a library of earlier programs, as the guest is told.

        Raises:
            KitError: nothing was run: unknown arm, damaged artifact, missing provider, a limit below what the arm needs,
                a compiler that could not finish.
        """
        return self.start(
            arm,
            program,
            grant=grant,
            limits=limits,
            providers=providers,
            on_event=on_event,
            machine=machine,
            modules=modules,
            deadline=deadline,
            library=library,
        ).result()

    async def run_async(
        self,
        arm: str | Arm,
        program: bytes | str,
        *,
        grant: Grant,
        limits: Limits,
        providers: Mapping[str, object],
        on_event: EventSink | None = None,
        machine: Machine | None = None,
        modules: Sequence[SourceModule] = (),
        deadline: float | None = None,
        library: bool = False,
    ) -> ProgramReport:
        """``run`` for asyncio; cancelling the task cancels the run. Events still come on the run's own thread."""
        return await self.start(
            arm,
            program,
            grant=grant,
            limits=limits,
            providers=providers,
            on_event=on_event,
            machine=machine,
            modules=modules,
            deadline=deadline,
            library=library,
        ).wait()

    def start(
        self,
        arm: str | Arm,
        program: bytes | str,
        *,
        grant: Grant,
        limits: Limits,
        providers: Mapping[str, object],
        on_event: EventSink | None = None,
        machine: Machine | None = None,
        modules: Sequence[SourceModule] = (),
        deadline: float | None = None,
        library: bool = False,
    ) -> Run:
        """Start a run and return at once; parameters as ``run``.

        Raises:
            KitError: as ``run``, for what is known before the program is prepared; the rest comes with ``Run.result``.
        """
        loaded = self.arm(arm)
        data = _bytes(program)
        if modules:
            raise KitError("code modules cannot be run yet", "Call with no modules.")
        floor = loaded.facts.memory_floor_bytes
        if limits.max_memory_bytes < floor:
            raise KitError(
                f"max_memory_bytes is {limits.max_memory_bytes}, and a {loaded.facts.title} program needs {floor} at least",
                f"Set it to {floor} or more.",
            )
        machine = machine or Machine()
        state = RunState(
            narrowed(grant, providers, self.catalogue),
            providers,
            self.catalogue,
            loaded.spelling,
            machine,
            limits.cpu_ns,
            deadline,
            on_event,
        )
        run = Run(state.cancelled, self._sandbox.ticker.check)
        with self._guard:
            self._running.add(run)

        def job() -> None:
            release = _nothing
            try:
                report, release = self._execute(loaded, data, state, limits, machine, library)
            except BaseException as error:
                self._deliver(run, None, error)
            else:
                self._deliver(run, report, None)
            release()

        self._sandbox.submit(job)
        return run

    def _deliver(self, run: Run, report: ProgramReport | None, error: BaseException | None) -> None:
        with self._guard:
            self._running.discard(run)
        run.finish(report, error)

    def _execute(
        self, loaded: LoadedArm, program: bytes, run: RunState, limits: Limits, machine: Machine, library: bool
    ) -> tuple[ProgramReport, object]:
        began = time.perf_counter_ns()
        prepared = self._prepare(loaded, program, ())
        times = Times(prepare=time.perf_counter_ns() - began)
        if isinstance(prepared, Refused):
            return refused_report(loaded.facts, prepared, machine, times), _nothing
        form = prepared.form
        own = isinstance(form, ComponentForm)
        began = time.perf_counter_ns()
        module = load_module(form.module) if isinstance(form, CoreModuleForm) else None
        path = form.component if isinstance(form, ComponentForm) else loaded.artifact.component
        guest = self._guests.load(path, allow_wasi=loaded.facts.wasi, keep=not own)
        times = dataclasses.replace(times, cranelift=time.perf_counter_ns() - began)
        granted = [row.id for row in self.catalogue.operations.values() if permits(run.grant, row)]
        arguments = (form.text, [], granted, run.grant.ending, library)
        execution, release = self._sandbox.execute(
            guest, run, limits.max_memory_bytes, arguments, module, made_ahead=not own
        )
        if execution.too_small and not own:
            release()
            raise KitError(
                f"max_memory_bytes is {limits.max_memory_bytes}, which is less than the {loaded.facts.title} guest itself"
                " needs",
                "Set it higher.",
            )
        times = dataclasses.replace(
            times,
            guest_cpu=execution.guest_cpu_ns,
            host_calls=run.host_ns,
            instantiate=execution.instantiate_ns,
            run=execution.run_ns,
        )
        views = views_of(run.providers)
        report = run_report(loaded.facts, run, execution, limits, machine, prepared.locations, times, views)
        return report, release

    def _prepare(self, loaded: LoadedArm, program: bytes, modules: Sequence[SourceModule]) -> Prepared | Refused:
        if modules:
            raise KitError("code modules cannot be run yet", "Call with no modules.")
        key = (f"{loaded.facts.id} {loaded.artifact.manifest.key()}", hashlib.sha256(program).hexdigest())
        with self._guard:
            kept = self._prepared.get(key)
            if kept is not None:
                self._prepared.move_to_end(key)
                return kept
        with workspace() as folder:
            prepared = loaded.arm.prepare(program, modules, loaded.artifact, folder)
        if isinstance(prepared, Prepared):
            with self._guard:
                self._prepared[key] = prepared
                if len(self._prepared) > PREPARED_KEPT:
                    self._prepared.popitem(last=False)
        return prepared


def _bytes(program: bytes | str) -> bytes:
    try:
        return program.encode() if isinstance(program, str) else bytes(program)
    except UnicodeEncodeError as error:
        raise KitError(f"the program is not text: {error}", "Send Unicode text or its UTF-8 bytes.") from error


def _nothing() -> None:
    """There is no store to free."""
