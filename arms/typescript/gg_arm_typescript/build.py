"""Builds what the TypeScript arm adds to the JavaScript component: the compiler, and what it checks against."""

from __future__ import annotations

import json
from pathlib import Path

from gg_arm_javascript.build import TOOLS as COMPONENT_TOOLS
from gg_arm_kit import source
from gg_arm_kit.kit import Kit

from gg_arm_typescript.library import merged_library, without_comments

ARM_ID = "typescript"
COMPILER = "typescript"
TOOLS = (*COMPONENT_TOOLS, COMPILER)

PROGRAM = "program.ts"
SDK_FILES = ("lib.d.ts", "gg.d.ts", "tsconfig.json")
OUTPUT = "out"

CONFIGURATION = {
    "compilerOptions": {
        "target": "es2023",
        "module": "esnext",
        "moduleResolution": "bundler",
        "moduleDetection": "force",
        "noLib": True,
        "types": [],
        "strict": True,
        "skipLibCheck": True,  # the declarations were checked when they were built
        "sourceMap": True,
        "noEmitOnError": True,
        "pretty": False,
        "rootDir": ".",
        "outDir": OUTPUT,
    },
    "files": ["lib.d.ts", "gg.d.ts", PROGRAM],
}
"""Strict, the language's own library of 2023 and no other: no DOM, no node, no packages."""


def declarations(kit: Kit) -> Path:
    """The folder that holds ``lib.d.ts``, ``gg.d.ts`` and ``tsconfig.json``.

    Raises:
        KitError: a tool or step failed, or the compiler does not accept the declarations.
    """
    own = source.generated("javascript") / "gg.d.ts"
    code = (Path(__file__).with_name("library.py")).read_text(encoding="utf-8")
    configuration = json.dumps(CONFIGURATION, indent=2) + "\n"
    inputs: dict[str, Path | bytes | str] = {"gg.d.ts": own, "library.py": code, "tsconfig.json": configuration}
    return kit.step(
        "typescript-declarations", "1", inputs, (COMPILER,), lambda made: _declarations(kit, own, configuration, made)
    )


def _declarations(kit: Kit, own: Path, configuration: str, made: Path) -> None:
    compiler = kit.tool(COMPILER)
    files = {
        "lib.d.ts": merged_library(compiler.parent),
        "gg.d.ts": without_comments(own.read_text(encoding="utf-8")),
        "tsconfig.json": configuration,
        PROGRAM: "export {};\n",
    }
    for name, text in files.items():
        (made / name).write_text(text, encoding="utf-8")
    kit.run([compiler, "--project", "tsconfig.json", "--skipLibCheck", "false", "--noEmit"], cwd=made)
    (made / PROGRAM).unlink()
