"""The arm seam: what an arm gives to the rest of the project, and nothing else.

    program bytes -> prepare -> Prepared | Refused -> run

An arm knows nothing of grants, turns or views; the host and the kit know no language.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from gg_arm_kit.artifacts import Artifact
    from gg_arm_kit.facts import ArmFacts
    from gg_arm_kit.kit import Kit
    from gg_arm_kit.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Location:
    """A place in the model's own file. ``line`` and ``column`` count from 1; no ``column`` where a tool gives none."""

    file: str
    line: int
    column: int | None = None

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" + (f":{self.column}" if self.column is not None else "")


class RefusalKind(StrEnum):
    """Why a language did not accept a program; the value is the turn error type it is filed as."""

    SYNTAX = "transpile_syntax"
    COMPILE = "transpile_compile"
    UNSUPPORTED = "transpile_unsupported"


@dataclass(frozen=True, slots=True)
class Refused:
    """The language's own verdict on a program: its diagnostics verbatim and the first one's place."""

    kind: RefusalKind
    diagnostics: str
    location: Location | None = None


@dataclass(frozen=True, slots=True)
class SourceModule:
    """A code module an agent loaded: the name a program imports it by, and its source."""

    name: str
    source: str


class LocationMap(Protocol):
    """Rewrites every location of generated text in a message to the model's own file."""

    def rewrite(self, text: str) -> str: ...


@dataclass(frozen=True, slots=True)
class UnchangedLocations:
    """For an arm whose program runs as it was sent."""

    def rewrite(self, text: str) -> str:
        """Return ``text`` as it is."""
        return text


@dataclass(frozen=True, slots=True)
class TextForm:
    """A program that the arm's fixed component reads as text."""

    text: str


@dataclass(frozen=True, slots=True)
class CoreModuleForm:
    """A program that the arm's fixed component imports as a core module; it fits the base of ``base_sha256`` only."""

    text: str
    module: Path
    base_sha256: str


@dataclass(frozen=True, slots=True)
class ComponentForm:
    """A program that is a component of its own."""

    text: str
    component: Path


@dataclass(frozen=True, slots=True)
class Prepared:
    """A program ready to run, and how a location in its messages maps back to the model's file."""

    form: TextForm | CoreModuleForm | ComponentForm
    locations: LocationMap = UnchangedLocations()


class Arm(Protocol):
    """One language: facts, a build that is done once, and a preparation that is done for each program."""

    @property
    def facts(self) -> ArmFacts:
        """What the host must know of the language."""
        ...

    def build(self, kit: Kit) -> Artifact:
        """Make the arm's artifact folder; a second call with the same inputs runs nothing.

        Raises:
            KitError: a tool, source or step failed; the message names it.
        """
        ...

    def prepare(
        self, program: bytes, modules: Sequence[SourceModule], artifact: Artifact, workspace: Workspace
    ) -> Prepared | Refused:
        """Turn the exact bytes sent into something the host can run. Pure: the result may be kept by content.

        Parameters:
            program: what the model sent, unchanged.
            modules: code modules the program may import.
            artifact: the arm's artifact, already verified.
            workspace: a private folder and confined child processes for this preparation alone.

        Raises:
            KitError: the compiler could not finish (never: the program is wrong, which is ``Refused``).
        """
        ...
