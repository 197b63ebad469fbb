"""A tree that grew by an operation and an interface: generated and built like the real one, called from every arm."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from gg_conformance import grown, suites
from gg_conformance.grown import Grown, Job

ADDED = "files.count_lines"


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Keep other test processes out."""
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all processes of this test run see."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base) / "grown"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def tree(shared: Path) -> Grown:
    """The grown tree, made once for all test processes. ``before.json`` tells what its checks said on the way."""
    found = Grown(shared / "tree", shared / "cache")
    with alone(shared):
        if not (shared / "before.json").exists():
            grown.copied(shared)
            grown.add_values(found.tree)
            grown.add_operation(found.tree)
            found.run_well("-m", "gg_codegen", "generate")
            missing = found.missing_methods()
            grown.add_method(found.tree)
            (shared / "before.json").write_text(json.dumps(missing))
    return found


@pytest.fixture(scope="session")
def built(tree: Grown, shared: Path, arm: str) -> Grown:
    """The grown tree with the arm's artifact."""
    with alone(shared):
        if not (shared / f"{arm}.built").exists():
            tree.run_well("-m", "gg_arm_kit.build_command", arm)
            (shared / f"{arm}.built").touch()
    return tree


def test_an_operation_that_is_added_is_generated_for_every_arm(tree: Grown, arm: str) -> None:
    document = json.loads((tree.tree / "arms" / arm / "generated" / "signatures.json").read_text(encoding="utf-8"))
    assert ADDED in [function["operation"] for function in document["functions"]]
    assert "values" in [module["id"] for module in document["modules"]]


def test_its_missing_host_method_is_named(tree: Grown, shared: Path) -> None:
    (fault,) = json.loads((shared / "before.json").read_text())
    assert fault.startswith(
        f"{ADDED}: `FilesProvider` has no method `count_lines`; write it in gg_host.providers.files"
    )
    assert tree.missing_methods() == []


def test_a_program_calls_it_once_the_method_is_there(built: Grown, arm: str) -> None:
    (done,) = built.programs([Job(arm, suites.text(arm, "grown"), values=False)])
    report = done["report"]
    assert (report["outcome"], report["logs"]) == ("progressed", ["3", "count_lines not-found"]), report


def test_every_type_of_value_goes_there_and_back(built: Grown, arm: str) -> None:
    """The provider compares what arrives, the program what comes back and what must be refused."""
    (done,) = built.programs([Job(arm, suites.text(arm, "values"), values=True)])
    report, arrived = done["report"], done["arrived"]
    assert (report["outcome"], report["logs"]) == ("progressed", ["done"]), report
    assert set(arrived) == set(done["names"]) - suites.absent_values(arm)
