"""Arms with their artifacts, and programs prepared by them."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path

from gg_arm_kit import artifacts, registry
from gg_arm_kit.artifacts import Artifact
from gg_arm_kit.compile import compiled
from gg_arm_kit.errors import KitError
from gg_arm_kit.facts import ArmFacts
from gg_arm_kit.seam import Arm, ComponentForm, CoreModuleForm, Prepared, Refused
from gg_arm_kit.workspace import Workspace

from gg_host.generated import WIT_SHA256
from gg_host.guests import Guest, Guests
from gg_host.spelling import Spelling, read_spelling

PREPARED_KEPT = 256
"""Prepared programs kept by content, for each arm."""

BASE = "base.wasm"
"""File of an artifact that programs which are core modules are linked against."""


@dataclass(frozen=True, slots=True)
class PreparedProgram:
    """What the arm made of a program. ``native`` is its own WebAssembly, compiled; None for a text."""

    prepared: Prepared | Refused
    native: Path | None = None
    prepare_ns: int = 0
    cranelift_ns: int = 0


@dataclass(slots=True)
class LoadedArm:
    """An arm with its checked artifact and the programs it prepared lately."""

    arm: Arm
    artifact: Artifact
    spelling: Spelling
    signatures: Path
    guest: Guest | None = None
    _kept: OrderedDict[bytes, PreparedProgram] = field(default_factory=OrderedDict)
    _guard: threading.Lock = field(default_factory=threading.Lock)

    @property
    def facts(self) -> ArmFacts:
        """What the artifact says of the language."""
        return self.artifact.facts

    def prepare(self, program: bytes) -> PreparedProgram:
        """Prepare a program, or find it by its content; times are 0 for one that was at hand.

        Raises:
            KitError: the compiler could not finish, or made something that does not fit the artifact.
        """
        with self._guard:
            kept = self._kept.get(program)
            if kept is not None:
                self._kept.move_to_end(program)
                return kept
        made = self._prepare(program)
        if isinstance(made.prepared, Prepared):
            with self._guard:
                self._kept[program] = PreparedProgram(made.prepared, made.native)
                if len(self._kept) > PREPARED_KEPT:
                    self._kept.popitem(last=False)
        return made

    def _prepare(self, program: bytes) -> PreparedProgram:
        began = time.perf_counter_ns()
        with Workspace() as workspace:
            prepared = self.arm.prepare(program, (), self.artifact, workspace)
            prepare_ns = time.perf_counter_ns() - began
            if isinstance(prepared, Refused):
                return PreparedProgram(prepared, None, prepare_ns)
            # Compiled here, while the workspace that holds the arm's output is there.
            began = time.perf_counter_ns()
            native = None
            form = prepared.form
            if isinstance(form, CoreModuleForm):
                self._check_base(form)
                native = compiled(form.module, kind="module", speed=False)
            elif isinstance(form, ComponentForm):
                native = compiled(form.component, speed=False)
            cranelift_ns = time.perf_counter_ns() - began if native is not None else 0
        return PreparedProgram(prepared, native, prepare_ns, cranelift_ns)

    def _check_base(self, form: CoreModuleForm) -> None:
        """A program fits exactly the base it was linked against; on another it runs and corrupts."""
        base = self.artifact.manifest.files.get(BASE)
        if base is None or base.sha256 != form.base_sha256:
            raise KitError(
                f"the program was linked against another base than the artifact of arm {self.facts.id!r} holds",
                artifacts.rebuild(self.facts.id),
            )


class Arms:
    """The arms a host uses, loaded at first use.

    Parameters:
        guests: where components are loaded.
    """

    def __init__(self, guests: Guests) -> None:
        self._guests = guests
        self._loaded: dict[str, LoadedArm] = {}
        self._guard = threading.Lock()

    def add(self, arm: Arm, artifact: Artifact) -> LoadedArm:
        """Use ``arm`` with an artifact that is at hand.

        Raises:
            KitError: the artifact is not one of that arm.
        """
        if artifact.facts.id != arm.facts.id:
            raise KitError(f"the artifact of arm {artifact.facts.id!r} was given for arm {arm.facts.id!r}")
        loaded = LoadedArm(arm, artifact, read_spelling(artifact.signatures), artifact.signatures)
        with self._guard:
            self._loaded[arm.facts.id] = loaded
        return loaded

    def get(self, arm: str | Arm) -> LoadedArm:
        """An arm with its newest artifact, whose every hash is checked once in this object's life.

        Raises:
            KitError: there is no such arm, or it has no whole artifact.
        """
        arm_id = arm if isinstance(arm, str) else arm.facts.id
        loaded = self._loaded.get(arm_id)
        if loaded is None:
            found = registry.find(arm_id) if isinstance(arm, str) else arm
            loaded = self.add(found, artifacts.load(arm_id, WIT_SHA256))
        return loaded

    def guest(self, loaded: LoadedArm, program: PreparedProgram) -> Guest:
        """The component to run a program in: its own, or the arm's.

        Raises:
            KitError: it cannot be loaded or does not fit this host.
        """
        if isinstance(program.prepared, Prepared) and isinstance(program.prepared.form, ComponentForm):
            assert program.native is not None
            return self._guests.load(program.native, program.prepared.form.component.name, keep=False)
        if loaded.guest is None:
            native = compiled(loaded.artifact.component)
            loaded.guest = self._guests.load(native, f"the component of arm {loaded.facts.id}")
        return loaded.guest
