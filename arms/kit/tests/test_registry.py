"""Arms are found by entry point, and one that is broken is named."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from gg_arm_kit import registry, source
from gg_arm_kit.errors import KitError
from gg_arm_kit.facts import read_facts
from gg_arm_kit.registry import State

GOOD = """
from gg_arm_kit.facts import ArmFacts
class Sample:
    facts = ArmFacts.model_validate({"id": "ID", "title": "Sample", "order": 90, "program-file": "program.txt",
                                     "form": "text", "reports-uncaught": True})
    def build(self, kit): raise NotImplementedError
    def prepare(self, program, modules, artifact, workspace): raise NotImplementedError
ARM = Sample()
"""

Install = Callable[[str, str], None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Installs a package that offers an arm: real metadata, a real module."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def install_package(arm_id: str, program: str) -> None:
        module = f"arm_package_{arm_id}"
        (tmp_path / f"{module}.py").write_text(program.replace("ID", arm_id))
        info = tmp_path / f"{module}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[gg.arms]\n{arm_id} = {module}:ARM\n")
        sys.modules.pop(module, None)

    return install_package


def status(arm_id: str) -> registry.ArmStatus:
    return next(status for status in registry.statuses() if status.id == arm_id)


def test_an_installed_arm_is_available(install: Install) -> None:
    install("sample", GOOD)
    assert registry.find("sample").facts.title == "Sample"
    assert status("sample").state is State.AVAILABLE


def test_every_arm_of_this_environment_loads_in_the_order_of_its_tables() -> None:
    arms = registry.available()
    assert set(arms) == {entry.name for entry in entry_points(group=registry.GROUP)}
    orders = [arm.facts.order for arm in arms.values()]
    assert orders == sorted(orders)


@pytest.mark.parametrize(
    ("program", "says"),
    [
        ("raise RuntimeError('gone wrong')", "gone wrong"),
        ("ARM = 3", "is no arm"),
        ("NAME = 3", "has no attribute 'ARM'"),
        ("import a_module_that_is_not_there", "a_module_that_is_not_there"),
        (GOOD.replace('"id": "ID"', '"id": "another"'), "calls itself 'another'"),
        ("from gg_arm_kit.errors import KitError\nraise KitError('no facts')", "no facts"),
    ],
)
def test_a_broken_one_is_named_and_does_not_hide_the_others(install: Install, program: str, says: str) -> None:
    install("good", GOOD)
    install("broken", program)
    with pytest.raises(KitError) as caught:
        registry.available()
    assert "'broken'" in caught.value.message
    assert says in caught.value.message
    assert status("broken").state is State.BROKEN
    assert says in status("broken").reason
    assert status("good").state is State.AVAILABLE
    assert registry.find("good").facts.id == "good"


def test_an_unknown_arm_is_an_error_that_names_the_known(install: Install) -> None:
    install("sample", GOOD)
    with pytest.raises(KitError, match="there is no arm 'cobol'") as caught:
        registry.find("cobol")
    assert "sample (available)" in caught.value.hint


def test_a_folder_without_a_package_is_not_built() -> None:
    installed = {entry.name for entry in entry_points(group=registry.GROUP)}
    waiting = [arm_id for arm_id in source.arm_ids() if arm_id not in installed]
    if not waiting:
        pytest.skip("every arm that has a folder has a package too")
    assert status(waiting[0]).state is State.NOT_BUILT
    with pytest.raises(KitError, match="is not built yet"):
        registry.find(waiting[0])


def test_without_the_repository_only_installed_arms_are_listed(
    install: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_repository() -> Path:
        raise KitError("no sources")

    monkeypatch.setattr(source, "root", no_repository)
    install("sample", GOOD)
    assert status("sample").state is State.AVAILABLE
    assert all(each.state is not State.NOT_BUILT for each in registry.statuses())


def test_no_file_of_the_kit_names_a_language() -> None:
    """Python apart, which the kit itself is written in."""
    facts = [read_facts(source.arm(arm_id) / "arm.toml") for arm_id in source.arm_ids()]
    words = {word for each in facts if each.id != "python" for word in (each.id, each.title.lower())}
    assert len(words) >= 12
    named = re.compile("|".join(rf"(?<![\w+#]){re.escape(word)}(?![\w+#])" for word in sorted(words)), re.IGNORECASE)
    files = [path for path in source.root().glob("arms/kit/*/**/*.py") if ".mypy_cache" not in path.parts]
    assert len(files) > 40
    found = [f"{path.name}: {match[0]}" for path in files for match in named.finditer(path.read_text(encoding="utf-8"))]
    assert found == []
