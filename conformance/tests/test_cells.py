"""Every cell of every arm in the repository, through its real toolchain, component and host."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from gg_arm_kit import registry
from gg_conformance.drive import drive
from gg_conformance.judge import Status
from gg_conformance.model import Cell, read_table
from gg_host import Host

CELLS = [cell for cell in read_table() if cell.arm in registry.available()]


@pytest.fixture(scope="module")
def host() -> Iterator[Host]:
    with Host() as opened:
        yield opened


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: f"{cell.arm}-{cell.shape}")
def test_cell(host: Host, cell: Cell) -> None:
    result = drive(host, cell)
    assert result.status is Status.PASS, f"{result.reason}\n{result.seen.text if result.seen else ''}"
