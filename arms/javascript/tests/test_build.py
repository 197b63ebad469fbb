"""The component: made the same each time, without WASI, bound to the whole catalogue."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import wasmtime
from gg_arm_javascript import ARM, build
from gg_arm_kit import component_check, source
from gg_arm_kit.artifacts import Artifact
from gg_arm_kit.compile import compiled
from gg_arm_kit.engine import make_engine
from gg_arm_kit.errors import KitError
from gg_arm_kit.kit import Kit
from wasmtime import component as wit


def load(artifact: Artifact) -> tuple[wasmtime.Engine, wit.Component]:
    engine = make_engine()
    return engine, wit.Component.deserialize_file(engine, str(compiled(artifact.component)))


def test_it_imports_the_package_and_nothing_else(artifact: Artifact) -> None:
    engine, component = load(artifact)
    imports = list(component.type.imports(engine))
    assert len(imports) >= 13
    assert [name for name in imports if not name.startswith("gg:sdk/")] == []


def test_it_binds_every_operation_once(artifact: Artifact) -> None:
    engine, component = load(artifact)
    functions = json.loads(artifact.signatures.read_text(encoding="utf-8"))["functions"]
    assert sorted(component_check.bound_operations(engine, component)) == sorted(
        {entry["operation"] for entry in functions}
    )


def test_a_component_of_another_catalogue_is_refused(artifact: Artifact, tmp_path: Path) -> None:
    document = json.loads(artifact.signatures.read_text(encoding="utf-8"))
    document["functions"] = [entry for entry in document["functions"] if entry["operation"] != "files.read_file"]
    document["functions"].append({"operation": "files.unheard_of"})
    other = tmp_path / "signatures.json"
    other.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(KitError, match=r"missing \['files.unheard_of'\], unknown \['files.read_file'\]"):
        component_check.check_component(artifact.component, other)


def test_a_snapshot_made_again_elsewhere_has_the_same_bytes(kit: Kit, artifact: Artifact, tmp_path: Path) -> None:
    core = build._core_module(kit)
    first, second = tmp_path / "a", tmp_path / "an other folder"
    for folder in (first, second):
        folder.mkdir()
        build._snapshot(kit, core, folder)
    assert (first / "snapshot.wasm").read_bytes() == (second / "snapshot.wasm").read_bytes()


def test_building_again_runs_nothing(kit: Kit, artifact: Artifact, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("a step ran again")

    monkeypatch.setattr(Kit, "run", never)
    assert ARM.build(kit).manifest == artifact.manifest


def test_the_artifact_holds_what_was_generated(artifact: Artifact) -> None:
    generated = source.generated("javascript")
    assert artifact.signatures.read_bytes() == (generated / "signatures.json").read_bytes()
    assert artifact.path("sdk/gg.d.ts").read_bytes() == (generated / "gg.d.ts").read_bytes()
