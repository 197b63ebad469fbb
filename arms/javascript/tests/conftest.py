"""Runs programs in the built component, through the real host."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from gg_arm_javascript import ARM
from gg_arm_kit.artifacts import Artifact
from gg_arm_kit.kit import Kit
from gg_host import EndingRole, Host, Limits, ProgramReport, full_grant
from gg_host.generated.operations import OPERATIONS

Runner = Callable[..., ProgramReport]


class Recorder:
    """Serves one namespace: keeps what each operation was called with, and answers what a test told it to.

    Parameters:
        namespace: whose operations it serves.
        answers: by operation id; a callable is called with the arguments.
    """

    def __init__(self, namespace: str, answers: dict[str, Any]) -> None:
        self.calls: list[tuple[Any, ...]] = []
        for row in OPERATIONS:
            if row.interface == namespace:
                setattr(self, row.method, self._method(row.id, answers.get(row.id)))

    def _method(self, operation: str, answer: Any) -> Callable[..., Any]:
        def method(_: object, *arguments: Any) -> Any:
            self.calls.append((operation, *arguments))
            return answer(*arguments) if callable(answer) else answer

        return method


@pytest.fixture(scope="session")
def kit() -> Kit:
    """The kit with its usual cache."""
    return Kit()


@pytest.fixture(scope="session")
def artifact(kit: Kit) -> Artifact:
    """The arm's artifact, built when it is not there."""
    return ARM.build(kit)


@pytest.fixture(scope="session")
def host(artifact: Artifact) -> Iterator[Host]:
    """A host with that artifact."""
    with Host() as host:
        host.add(ARM, artifact)
        yield host


@pytest.fixture
def run(host: Host) -> Runner:
    """Runs a program with every operation granted; keywords: ``answers``, ``timeout_secs``, ``max_memory_bytes``."""

    def run_program(
        program: str,
        answers: dict[str, Any] | None = None,
        timeout_secs: float = 20.0,
        max_memory_bytes: int = 256 << 20,
    ) -> ProgramReport:
        namespaces = {row.interface for row in OPERATIONS}
        providers = {namespace: Recorder(namespace, answers or {}) for namespace in namespaces}
        return host.run(
            ARM,
            program,
            grant=full_grant(EndingRole.STANDARD),
            limits=Limits(timeout_secs=timeout_secs, max_memory_bytes=max_memory_bytes),
            providers=providers,
        )

    return run_program
