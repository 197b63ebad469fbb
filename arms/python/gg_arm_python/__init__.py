"""The Python arm: a fixed component that holds the started interpreter, and programs that run as they were sent."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gg_arm_kit import source
from gg_arm_kit.facts import ArmFacts, read_facts
from gg_arm_kit.program_text import program_text
from gg_arm_kit.seam import Prepared, Refused, SourceModule, TextForm

if TYPE_CHECKING:
    from gg_arm_kit.artifacts import Artifact
    from gg_arm_kit.kit import Kit
    from gg_arm_kit.workspace import Workspace

FACTS = Path(__file__).with_name("arm.toml")


class PythonArm:
    """See this module's top; the methods are those of ``gg_arm_kit.seam.Arm``."""

    facts: ArmFacts = read_facts(FACTS)

    def build(self, kit: Kit) -> Artifact:
        """Make the artifact: the component, its facts, its documentation catalogue and the typed SDK package.

        Raises:
            KitError: a tool, source or step failed; the message names it.
        """
        from gg_arm_python.build import ARM_ID, TOOLS, component

        generated = source.generated(ARM_ID)
        files: dict[str, Path | bytes] = {
            "component.wasm": component(kit) / "component.wasm",
            "arm.toml": FACTS,
            "signatures.json": generated / "signatures.json",
            **{
                f"sdk/{path.relative_to(generated)}": path
                for path in sorted((generated / "gg").iterdir())
                if path.is_file()
            },
        }
        return kit.artifact(self.facts.id, files, TOOLS)

    def prepare(
        self, program: bytes, modules: Sequence[SourceModule], artifact: Artifact, workspace: Workspace
    ) -> Prepared | Refused:
        """Take the program as it is: the interpreter reads it when it runs, and tells of its syntax errors itself.

        Parameters:
            program: what the model sent.
            modules: none; code modules are not built yet.
            artifact: not used.
            workspace: not used.

        Raises:
            KitError: code modules were given, or the bytes are not UTF-8.
        """
        return Prepared(TextForm(program_text(program, modules, self.facts)))


ARM = PythonArm()
