"""What every suite uses: a host for the session, and each arm that is in the repository by existing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from gg_arm_kit import registry
from gg_conformance.suites import AbsentError
from gg_host import Host


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "arm" in metafunc.fixturenames:
        metafunc.parametrize("arm", list(registry.available()), scope="session")


@pytest.fixture(scope="session")
def host() -> Iterator[Host]:
    with Host() as opened:
        yield opened


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """A program that a language has no words for is told as skipped, with the listed reason."""
    del item
    try:
        return (yield)
    except AbsentError as error:
        pytest.skip(str(error))
