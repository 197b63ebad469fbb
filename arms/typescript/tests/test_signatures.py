"""What the documentation catalogue says of a call or a type is what the compiler reads off the declarations."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from gg_arm_kit import source
from gg_arm_kit.artifacts import Artifact

SAME = "type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;"
_READ = re.compile(r"^probe\.ts\((\d+),\d+\): error TS2322: Type '(.*)' is not assignable to type '1'\.$", re.MULTILINE)


def catalogue(arm: str) -> dict[str, Any]:
    text = (source.generated(arm) / "signatures.json").read_text(encoding="utf-8")
    whole: dict[str, Any] = json.loads(text)
    return whole


def check(artifact: Artifact, folder: Path, probe: str) -> str:
    """What the compiler says of a probe beside the SDK's declarations."""
    for name in ("lib.d.ts", "gg.d.ts"):
        (folder / name).write_bytes(artifact.path(f"sdk/{name}").read_bytes())
    (folder / "probe.ts").write_text(probe, encoding="utf-8")
    options = ["--noLib", "--strict", "--noEmit", "--noErrorTruncation", "--target", "es2023", "--module", "esnext"]
    command: list[str | Path] = [
        artifact.path("sdk/tsc"),
        *options,
        "--moduleResolution",
        "bundler",
        "lib.d.ts",
        "gg.d.ts",
        "probe.ts",
    ]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout


def stated(document: dict[str, Any]) -> str:
    """The catalogue's own words as declarations: one namespace for each module, beside the SDK's."""
    names = sorted({function["module"] for function in document["functions"]})
    lines = [f"import {{ core, {', '.join(names)} }} from 'gg';"]
    for name in names:
        types = [entry for entry in document["types"] if entry["module"] == name]
        functions = [entry for entry in document["functions"] if entry["module"] == name and "aliasOf" not in entry]
        lines.append(f"namespace stated_{name} {{")
        lines += [f"  export {entry['declaration'].rstrip(';')};" for entry in types]
        for entry in functions:
            lines += [f"  export declare function {written['signature']};" for written in entry["signatures"]]
        lines.append("}")
    return "\n".join(lines)


@pytest.mark.parametrize("arm", ["javascript", "typescript"])
def test_every_type_is_the_one_stated(artifact: Artifact, tmp_path: Path, arm: str) -> None:
    document = catalogue(arm)
    lines = [stated(document), SAME]
    for number, entry in enumerate(document["types"]):
        own, said = f"{entry['module']}.{entry['name']}", f"stated_{entry['module']}.{entry['name']}"
        lines.append(f"const type{number}: Same<{own}, {said}> = true; export {{ type{number} }};")
    assert check(artifact, tmp_path, "\n".join(lines)) == ""


@pytest.mark.parametrize("arm", ["javascript", "typescript"])
def test_every_call_is_the_one_stated(artifact: Artifact, tmp_path: Path, arm: str) -> None:
    document = catalogue(arm)
    functions = [entry for entry in document["functions"] if "aliasOf" not in entry]
    assert len(functions) >= 51
    # The compiler writes out a type, with the names of its parameters, when it cannot be assigned to another.
    lines = [stated(document)]
    first = lines[0].count("\n") + 2
    for entry in functions:
        module, name = entry["module"], entry["name"]
        lines.append(f"export const own_{module}_{name}: 1 = {module}.{name};")
        lines.append(f"export const said_{module}_{name}: 1 = stated_{module}.{name};")
    words = check(artifact, tmp_path, "\n".join(lines))
    read = {int(line): re.sub(r"\bstated_(\w+)\.", r"\1.", text) for line, text in _READ.findall(words)}
    assert len(read) == 2 * len(functions), words
    for index, entry in enumerate(functions):
        own, said = read[first + 2 * index], read[first + 2 * index + 1]
        assert own == said, entry["fqn"]


def test_a_difference_would_be_seen(artifact: Artifact, tmp_path: Path) -> None:
    document = catalogue("typescript")
    damaged = next(entry for entry in document["types"] if entry["name"] == "SearchMatch")
    damaged["declaration"] = damaged["declaration"].replace("line: number", "line: string")
    lines = [stated(document), SAME, "export const x: Same<files.SearchMatch, stated_files.SearchMatch> = true;"]
    assert "TS2322" in check(artifact, tmp_path, "\n".join(lines))
