"""A copy of the tree's inputs, which a test may change and generate from."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from gg_arm_kit import source

Command = Callable[..., subprocess.CompletedProcess[str]]

# One more output for an arm: one file for each module, and one for the whole catalogue.
PROBE = """
[[output]]
template = "probe.js.j2"
path = "probe/$id.js"
per = "module"

[[output]]
template = "all.txt.j2"
path = "all.txt"
"""
PROBE_TEMPLATE = """\
{% for function in module.functions %}
{{ function.brief | block_comment }}
export function {{ arm.function(function) }}() {}
{% endfor %}
"""
ALL_TEMPLATE = """\
{{ header }}
{% for operation in catalogue.operations %}
{{ operation.id }}
{% endfor %}
"""


@pytest.fixture(scope="session")
def generated_tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository's generation inputs, with a probe of two outputs more, and what was generated from them."""
    root, copy = source.root(), tmp_path_factory.mktemp("generated") / "tree"
    ignore = shutil.ignore_patterns("__pycache__", "target", "guest", "tests", "gg_arm_*", "pyproject.toml")
    for folder in ("wit", "host/templates", "host/gg_host/generated", "codegen/bindgen", "requirements"):
        shutil.copytree(root / folder, copy / folder, ignore=ignore)
    for arm in root.glob("arms/*/arm.toml"):
        shutil.copytree(arm.parent, copy / "arms" / arm.parent.name, ignore=ignore)
    shutil.copy(root / "codegen" / "signatures.schema.json", copy / "codegen")
    with (copy / "arms" / "javascript" / "arm.toml").open("a") as file:
        file.write(PROBE)
    templates = copy / "arms" / "javascript" / "templates"
    templates.mkdir(exist_ok=True)
    (templates / "probe.js.j2").write_text(PROBE_TEMPLATE)
    (templates / "all.txt.j2").write_text(ALL_TEMPLATE)
    done = _generate(copy)
    assert done.returncode == 0, done.stderr
    return copy


@pytest.fixture
def tree(generated_tree: Path, tmp_path: Path) -> Path:
    """A fresh tree that a test may change."""
    return shutil.copytree(generated_tree, tmp_path / "tree")


@pytest.fixture
def command(tree: Path) -> Command:
    """Runs ``gg-codegen generate ... --root TREE`` in a process of its own."""

    def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return _generate(tree, *arguments, **environment)

    return run


def _generate(tree: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    whole = {name: value for name, value in os.environ.items() if name != "CI"} | environment
    line = [sys.executable, "-m", "gg_codegen", "generate", "--root", str(tree), *arguments]
    return subprocess.run(line, env=whole, capture_output=True, text=True, timeout=600, check=False)


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A folder with a copy of every ``arm.toml``, to damage."""
    for path in source.arms().glob("*/arm.toml"):
        (tmp_path / path.parent.name).mkdir()
        shutil.copy(path, tmp_path / path.parent.name)
    return tmp_path
