"""Checks and emits one program with the native compiler, confined to the preparation's own workspace."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from gg_arm_kit.artifacts import Artifact
from gg_arm_kit.errors import KitError
from gg_arm_kit.limits import Exited, Limits
from gg_arm_kit.seam import Location, RefusalKind, Refused
from gg_arm_kit.workspace import Workspace

from gg_arm_typescript.build import OUTPUT, PROGRAM, SDK_FILES

LIMITS = Limits(cpu_secs=20, memory_bytes=1 << 30, wall_secs=60, processes=64)
"""Above anything an honest program takes: one of 30 lines takes 0.03 s and 60 MiB."""

ENVIRONMENT = {"GOGC": "off", "GOMEMLIMIT": "512MiB"}
"""The compiler's runtime collects no garbage until there is much; collecting took a third of a run."""

_DIAGNOSTIC = re.compile(rf"^{re.escape(PROGRAM)}\((\d+),(\d+)\): error TS(\d+):", re.MULTILINE)
_SYNTAX_CODES = range(1000, 2000)
"""The compiler's own numbering: 1000 to 1999 are errors of syntax."""


@dataclass(frozen=True, slots=True)
class Emitted:
    """What the compiler made of a program."""

    javascript: str
    source_map: str


def compile_program(program: str, artifact: Artifact, workspace: Workspace) -> Emitted | Refused:
    """Check the program, and emit it when nothing is wrong.

    Raises:
        KitError: the compiler could not finish: it reached a limit, died, or complained of something else.
    """
    folder = workspace.folder
    for name in SDK_FILES:
        shutil.copyfile(artifact.path(f"sdk/{name}"), folder / name)
    (folder / PROGRAM).write_text(program, encoding="utf-8", newline="")
    compiler = artifact.path("sdk/tsc")
    command: list[str | Path] = [compiler, "--project", "tsconfig.json", "--singleThreaded"]
    done = workspace.run(command, LIMITS, readable=[compiler], env=ENVIRONMENT)
    if not isinstance(done.ending, Exited):
        raise KitError(f"the TypeScript compiler {done.ending}", "The program's types may take too much to check.")
    words = done.stdout.decode("utf-8", "replace").replace("\r\n", "\n").strip()
    if done.ok:
        return Emitted(_read(folder / OUTPUT / "program.js"), _read(folder / OUTPUT / "program.js.map"))
    found = _DIAGNOSTIC.search(words)
    if found is None:
        said = words or done.stderr.decode("utf-8", "replace").strip()
        raise KitError(f"the TypeScript compiler {done.ending} and found nothing in {PROGRAM}:\n{said}")
    line, column, code = (int(number) for number in found.groups())
    kind = RefusalKind.SYNTAX if code in _SYNTAX_CODES else RefusalKind.COMPILE
    return Refused(kind, words, Location(PROGRAM, line, column))


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        raise KitError(f"the TypeScript compiler made no {path.name}: {error.strerror}") from error
