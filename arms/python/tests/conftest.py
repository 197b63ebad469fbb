"""A host with the Python arm, built once, and a provider that answers every operation with the result it is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from gg_arm_kit.kit import Kit
from gg_arm_python import ARM
from gg_host import Host, Limits, Machine, ProgramReport, full_grant
from gg_host.generated import operations as generated

START_NS = 1_760_000_000_000_000_000
Answer = Callable[[str, tuple[Any, ...]], Any]


@pytest.fixture(scope="session")
def host() -> Iterator[Host]:
    artifact = ARM.build(Kit())
    with Host() as opened:
        opened.add(ARM, artifact)
        yield opened


def serving(answer: Answer) -> dict[str, object]:
    """Providers of every operation; ``answer`` gets its id and arguments, and returns or raises the outcome."""
    methods: dict[str, dict[str, Any]] = {}
    for row in generated.OPERATIONS:
        namespace, key = row.id.split(".")

        def method(_self: object, _call: object, *arguments: Any, _id: str = row.id) -> Any:
            return answer(_id, arguments)

        methods.setdefault(namespace, {})[key] = method
    return {namespace: type(namespace, (), functions)() for namespace, functions in methods.items()}


class Runner:
    """Runs programs; ``calls`` holds what reached the host in the last one."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self.calls: list[tuple[str, tuple[Any, ...]]] = []

    def __call__(
        self,
        program: str,
        answer: Answer | None = None,
        *,
        seconds: float = 20,
        memory: int = 256 << 20,
        seed: int = 1,
        **options: Any,
    ) -> ProgramReport:
        self.calls = []

        def told(operation: str, arguments: tuple[Any, ...]) -> Any:
            self.calls.append((operation, arguments))
            return answer(operation, arguments) if answer else None

        options = {"grant": full_grant(), **options}
        return self._host.run(
            "python",
            program,
            limits=Limits(timeout_secs=seconds, max_memory_bytes=memory),
            providers=serving(told),
            machine=Machine(start_ns=START_NS, seed=seed),
            **options,
        )

    def logs(self, program: str, answer: Answer | None = None, **options: Any) -> list[str]:
        """The lines a program logged that ended well."""
        report = self(program, answer, **options)
        assert report.outcome.value == "progressed", report.text
        assert not report.stderr, report.stderr
        return list(report.logs)


@pytest.fixture
def run(host: Host) -> Runner:
    return Runner(host)
