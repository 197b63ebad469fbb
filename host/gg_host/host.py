"""The host: programs in, reports out."""

from __future__ import annotations

import atexit
import threading
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import NotRequired, Required, TypedDict, Unpack

from gg_arm_kit.artifacts import Artifact
from gg_arm_kit.errors import KitError
from gg_arm_kit.seam import Arm, ComponentForm, Prepared, Refused, SourceModule

from gg_host.arms import Arms, LoadedArm
from gg_host.catalogue import Catalogue, load_catalogue
from gg_host.events import EventSink
from gg_host.generated import operations as generated
from gg_host.generated.operations import OperationSignature
from gg_host.generated.types import EndingRole
from gg_host.grant import Grant
from gg_host.guests import Guests, load_module
from gg_host.limits import Limits
from gg_host.machine import Machine
from gg_host.outcome import refused_report, run_report, take_back_ending, views_of
from gg_host.providers.scope import RunScope, enter_run
from gg_host.report import ProgramReport, Times
from gg_host.run import Run
from gg_host.run_state import RunState
from gg_host.sandbox import Sandbox
from gg_host.serving import Served, Serving, full_capabilities


class RunOptions(TypedDict):
    """Everything of a run besides the arm and the program.

    grant: what the program may call.
    limits: ceilings; there are no defaults.
    providers: for each namespace an object with a method for each operation it serves.
    on_event: told of calls and logs as they happen, on the run's own thread; what it raises is dropped.
    machine: clock and random numbers; the present time and a random seed when left out.
    modules: code modules; none are supported yet.
    deadline: when calls that dispatch work are over, in seconds of ``time.monotonic``; never when left out.
    library: whether the run keeps a library of earlier programs, as the guest is told; False when left out.
    """

    grant: Required[Grant]
    limits: Required[Limits]
    providers: Required[Mapping[str, object]]
    on_event: NotRequired[EventSink | None]
    machine: NotRequired[Machine | None]
    modules: NotRequired[Sequence[SourceModule]]
    deadline: NotRequired[float | None]
    library: NotRequired[bool]


def full_grant(ending: EndingRole = EndingRole.NONE) -> Grant:
    """A grant of everything the catalogue has, with the ending role given."""
    catalogue = load_catalogue()
    return Grant(full_capabilities(catalogue), frozenset(catalogue.operations), ending)


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
        self._arms = Arms(Guests(self.catalogue, operations))
        self._serving = Serving(self.catalogue)
        self._sandbox = Sandbox(self.catalogue)
        self._guard = threading.Lock()
        self._running: set[Run] = set()
        self._closed = False
        atexit.register(self.close)  # a guest that still runs when the interpreter goes would take the process down

    def __enter__(self) -> Host:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Cancel what runs, wait for it and end every thread; a second call does nothing."""
        with self._guard:
            if self._closed:
                return
            self._closed = True
            running = list(self._running)
        for run in running:
            run.cancel()
        self._sandbox.close()
        atexit.unregister(self.close)

    def add(self, arm: Arm, artifact: Artifact) -> LoadedArm:
        """Use ``arm`` with an artifact that is at hand, in place of what is installed and in the cache.

        Raises:
            KitError: the artifact is not one of that arm.
        """
        return self._arms.add(arm, artifact)

    def arm(self, arm: str | Arm) -> LoadedArm:
        """An arm with its newest artifact, checked once in this host's life.

        Parameters:
            arm: an arm, or the id of an installed one.

        Raises:
            KitError: there is no such arm, or it has no whole artifact.
        """
        return self._arms.get(arm)

    def prepare(self, arm: str | Arm, program: bytes | str, modules: Sequence[SourceModule] = ()) -> Prepared | Refused:
        """What the arm makes of a program; kept by content.

        Parameters:
            arm: an arm, or the id of an installed one.
            program: exactly what the model sent.
            modules: code modules; none are supported yet.

        Raises:
            KitError: as ``run``.
        """
        _refuse_modules(modules)
        return self.arm(arm).prepare(_bytes(program)).prepared

    def run(self, arm: str | Arm, program: bytes | str, **options: Unpack[RunOptions]) -> ProgramReport:
        """Run one program to its end; an interrupt from the keyboard cancels it.

        Parameters:
            arm: an arm, or the id of an installed one.
            program: exactly what the model sent.
            options: see ``RunOptions``.

        Raises:
            KitError: nothing was run: unknown arm, damaged artifact, missing provider, a limit below what the arm
                needs, a compiler that could not finish.
        """
        return self.start(arm, program, **options).result()

    async def run_async(self, arm: str | Arm, program: bytes | str, **options: Unpack[RunOptions]) -> ProgramReport:
        """``run`` for asyncio; cancelling the task cancels the run. Events still come on the run's own thread.

        Raises:
            KitError: as ``run``.
        """
        return await self.start(arm, program, **options).wait()

    def start(self, arm: str | Arm, program: bytes | str, **options: Unpack[RunOptions]) -> Run:
        """Start a run and return at once; parameters as ``run``.

        Raises:
            KitError: as ``run``, for what is known before the program is prepared; the rest comes with ``Run.result``.
        """
        loaded = self.arm(arm)
        data = _bytes(program)
        _refuse_modules(options.get("modules", ()))
        limits = options["limits"]
        _refuse_below_floor(loaded, limits)
        served = self._serving.narrowed(options["grant"], options["providers"])
        machine = options.get("machine") or Machine()
        state = RunState(
            served.grant,
            options["providers"],
            self.catalogue,
            loaded.spelling,
            machine,
            limits.cpu_ns,
            options.get("deadline"),
            options.get("on_event"),
        )
        enter_run(options["providers"], RunScope(loaded.signatures, served.permitted))
        run = Run(state.cancelled, self._sandbox.ticker.check)
        library = options.get("library", False)
        job = _Job(self._arms, self._sandbox, loaded, data, state, served, limits, machine, library)
        with self._guard:
            if self._closed:
                raise KitError("the host is closed", "Run programs inside the host's `with` block.")
            self._running.add(run)
        self._sandbox.submit(lambda: self._work(job, run))
        return run

    def _work(self, job: _Job, run: Run) -> None:
        """On a worker thread: run, deliver, and free the store once the caller has its report."""
        report: ProgramReport | None = None
        error: BaseException | None = None
        try:
            report = job.execute()
        except BaseException as raised:
            error = raised
        with self._guard:
            self._running.discard(run)
        run.finish(report, error)
        job.release()


class _Job:
    """One program on a worker thread."""

    def __init__(
        self,
        arms: Arms,
        sandbox: Sandbox,
        loaded: LoadedArm,
        program: bytes,
        run: RunState,
        served: Served,
        limits: Limits,
        machine: Machine,
        library: bool,
    ) -> None:
        self._arms = arms
        self._sandbox = sandbox
        self._loaded = loaded
        self._program = program
        self._run = run
        self._served = served
        self._limits = limits
        self._machine = machine
        self._library = library
        self.release: Callable[[], None] = _nothing

    def execute(self) -> ProgramReport:
        """Prepare and run the program.

        Raises:
            KitError: it could not be run.
        """
        loaded, run, limits = self._loaded, self._run, self._limits
        program = loaded.prepare(self._program)
        prepared = program.prepared
        if isinstance(prepared, Refused):
            return refused_report(loaded.facts, prepared, self._machine, Times(prepare=program.prepare_ns))
        form = prepared.form
        own = isinstance(form, ComponentForm)
        guest = self._arms.guest(loaded, program)
        module = load_module(program.native) if program.native is not None and not own else None
        arguments: tuple[object, ...] = (form.text, [], self._served.permitted, run.grant.ending, self._library)
        execution, self.release = self._sandbox.execute(
            guest, run, limits.max_memory_bytes, arguments, module, made_ahead=not own
        )
        if execution.too_small and not own:
            raise KitError(
                f"max_memory_bytes is {limits.max_memory_bytes}, which is less than a {loaded.facts.title} guest takes",
                "Set it higher.",
            )
        times = Times(
            guest_cpu=execution.guest_cpu_ns,
            host_calls=run.host_ns,
            prepare=program.prepare_ns,
            cranelift=program.cranelift_ns,
            instantiate=execution.instantiate_ns,
            run=execution.run_ns,
        )
        views = views_of(run.providers)
        report = run_report(loaded.facts, run, execution, limits, self._machine, prepared.locations, times, views)
        take_back_ending(run.providers, report)
        return report


def _refuse_modules(modules: Sequence[SourceModule]) -> None:
    if modules:
        raise KitError("code modules cannot be run yet", "Call with no modules.")


def _refuse_below_floor(loaded: LoadedArm, limits: Limits) -> None:
    floor = loaded.facts.memory_floor_bytes
    if limits.max_memory_bytes < floor:
        needs = f"a {loaded.facts.title} program needs {floor} at least"
        raise KitError(f"max_memory_bytes is {limits.max_memory_bytes}, and {needs}", f"Set it to {floor} or more.")


def _bytes(program: bytes | str) -> bytes:
    try:
        return program.encode() if isinstance(program, str) else bytes(program)
    except UnicodeEncodeError as error:
        raise KitError(f"the program is not text: {error}", "Send Unicode text or its UTF-8 bytes.") from error


def _nothing() -> None:
    """There is no store to free."""
