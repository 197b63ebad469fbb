"""The built arm, and the compiler run as the arm runs it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from gg_arm_kit.artifacts import Artifact
from gg_arm_kit.kit import Kit
from gg_arm_kit.seam import Prepared, Refused
from gg_arm_kit.workspace import Workspace
from gg_arm_typescript import ARM
from gg_host import EndingRole, Host, Limits, ProgramReport, full_grant
from gg_host.providers import workspace_providers


@pytest.fixture(scope="session")
def kit() -> Kit:
    """The kit with its usual cache."""
    return Kit()


@pytest.fixture(scope="session")
def artifact(kit: Kit) -> Artifact:
    """The arm's artifact, built when it is not there."""
    return ARM.build(kit)


@pytest.fixture
def prepare(artifact: Artifact) -> Callable[[str | bytes], Prepared | Refused]:
    """Prepares a program in a workspace of its own."""

    def prepared(program: str | bytes) -> Prepared | Refused:
        data = program.encode() if isinstance(program, str) else program
        with Workspace() as workspace:
            return ARM.prepare(data, (), artifact, workspace)

    return prepared


@pytest.fixture(scope="session")
def host(artifact: Artifact) -> Iterator[Host]:
    """A host with that artifact."""
    with Host() as host:
        host.add(ARM, artifact)
        yield host


@pytest.fixture
def run(host: Host, tmp_path: Path) -> Callable[[str], ProgramReport]:
    """Runs a program in an empty workspace."""
    limits = Limits(timeout_secs=20, max_memory_bytes=256 << 20)
    providers = workspace_providers(tmp_path)
    return lambda program: host.run(ARM, program, grant=full_grant(EndingRole.NONE), limits=limits, providers=providers)
