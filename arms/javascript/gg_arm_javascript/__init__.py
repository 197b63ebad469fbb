"""The JavaScript arm: a fixed component that holds the engine and the SDK, and programs that run as they were sent."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gg_arm_kit.facts import ArmFacts, read_facts
from gg_arm_kit.program_text import program_text
from gg_arm_kit.seam import Prepared, Refused, SourceModule, TextForm

from gg_arm_javascript.build import GENERATED_FILES, TOOLS, component

if TYPE_CHECKING:
    from gg_arm_kit.artifacts import Artifact
    from gg_arm_kit.kit import Kit
    from gg_arm_kit.workspace import Workspace

FACTS = Path(__file__).with_name("arm.toml")


class JavaScriptArm:
    """See this module's top; the methods are those of ``gg_arm_kit.seam.Arm``."""

    facts: ArmFacts = read_facts(FACTS)

    def build(self, kit: Kit) -> Artifact:
        """Make the artifact: the component, its facts, its documentation catalogue and its declarations.

        Raises:
            KitError: a tool, source or step failed; the message names it.
        """
        files: dict[str, Path | bytes] = {
            "component.wasm": component(kit) / "component.wasm",
            "arm.toml": FACTS,
            **{name: path() for name, path in GENERATED_FILES.items()},
        }
        return kit.artifact(self.facts.id, files, TOOLS)

    def prepare(
        self, program: bytes, modules: Sequence[SourceModule], artifact: Artifact, workspace: Workspace
    ) -> Prepared | Refused:
        """Take the program as it is: the engine reads it when it runs.

        Parameters:
            program: what the model sent.
            modules: none; code modules are not built yet.
            artifact: not used.
            workspace: not used.

        Raises:
            KitError: code modules were given, or the bytes are not UTF-8.
        """
        return Prepared(TextForm(program_text(program, modules, self.facts)))


ARM = JavaScriptArm()
