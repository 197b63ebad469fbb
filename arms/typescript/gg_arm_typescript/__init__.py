"""The TypeScript arm: the JavaScript component, and the native compiler in front of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gg_arm_javascript.build import component
from gg_arm_kit import source
from gg_arm_kit.facts import ArmFacts, read_facts
from gg_arm_kit.program_text import program_text
from gg_arm_kit.seam import Prepared, Refused, SourceModule, TextForm

from gg_arm_typescript.build import ARM_ID, COMPILER, SDK_FILES, TOOLS, declarations
from gg_arm_typescript.compiler import compile_program
from gg_arm_typescript.source_map import MappedLocations

if TYPE_CHECKING:
    from gg_arm_kit.artifacts import Artifact
    from gg_arm_kit.kit import Kit
    from gg_arm_kit.workspace import Workspace

FACTS = Path(__file__).with_name("arm.toml")
EMITTED_FILE = "program.js"
"""The name the component gives the text it runs."""


class TypeScriptArm:
    """See this module's top; the methods are those of ``gg_arm_kit.seam.Arm``."""

    facts: ArmFacts = read_facts(FACTS)

    def build(self, kit: Kit) -> Artifact:
        """Make the artifact: the component, and in ``sdk/`` the compiler with the declarations it checks against.

        Raises:
            KitError: a tool, source or step failed; the message names it.
        """
        made = declarations(kit)
        files: dict[str, Path | bytes] = {
            "component.wasm": component(kit) / "component.wasm",
            "arm.toml": FACTS,
            "signatures.json": source.generated(ARM_ID) / "signatures.json",
            "sdk/tsc": kit.tool(COMPILER),
            **{f"sdk/{name}": made / name for name in SDK_FILES},
        }
        return kit.artifact(self.facts.id, files, TOOLS)

    def prepare(
        self, program: bytes, modules: Sequence[SourceModule], artifact: Artifact, workspace: Workspace
    ) -> Prepared | Refused:
        """Check the program against the SDK's declarations and take its types off.

        Parameters:
            program: what the model sent.
            modules: none; code modules are not built yet.
            artifact: holds the compiler and the declarations.
            workspace: where the compiler runs.

        Raises:
            KitError: code modules were given, the bytes are not UTF-8, or the compiler could not finish.
        """
        made = compile_program(program_text(program, modules, self.facts), artifact, workspace)
        if isinstance(made, Refused):
            return made
        locations = MappedLocations(self.facts.program_file, EMITTED_FILE, made.javascript, made.source_map)
        return Prepared(TextForm(made.javascript), locations)


ARM = TypeScriptArm()
