"""The failure table's rows against the law: the seed's table, word for word."""

from __future__ import annotations

import pytest
from gg_arm_kit.errors import KitError
from gg_conformance import drive
from gg_conformance.model import Cell, Shape, read_table

LAW = """
TypeScript | program_api_error | program_throw | program_throw | program_throw | refused by tsc
JavaScript | program_api_error | program_throw | program_throw | program_throw | program_unknown_name
PureScript | program_api_error | program_throw | nothing to file | program_throw | program_throw
Python | program_api_error | program_throw | program_throw | program_throw | sandbox_trap
Ruby | program_api_error | program_throw | nothing to file | program_throw | program_throw
C++ | program_api_error | sandbox_trap | program_throw | sandbox_trap | sandbox_trap
C# | program_api_error | program_throw | program_throw | sandbox_trap | sandbox_trap
Rust | sandbox_trap | sandbox_trap | sandbox_trap | sandbox_trap | sandbox_trap
Swift | sandbox_trap | sandbox_trap | nothing to file | sandbox_trap | sandbox_trap
Kotlin | sandbox_trap | sandbox_trap | refused by kotlinc | sandbox_trap | refused by kotlinc
Java | sandbox_trap | sandbox_trap | refused by javac | sandbox_trap | refused by javac
"""


def test_the_table_is_the_law_in_its_order() -> None:
    cells = {(cell.arm, cell.shape): cell for cell in read_table()}
    lines = [
        " | ".join([title, *(cells[arm, shape].expected for shape in Shape)]) for arm, title in drive.titles().items()
    ]
    assert lines == LAW.strip().splitlines()
    assert len(cells) == 55


def test_a_refusal_is_filed_as_a_compile_error() -> None:
    for cell in read_table():
        assert (cell.expected.startswith("refused by")) == (cell.filed_as == "transpile_compile"), cell


@pytest.mark.parametrize("cell", [c for c in read_table() if c.program], ids=lambda c: f"{c.arm}-{c.shape}")
def test_a_program_names_its_shape_and_stands_below_a_call_of_many_lines(cell: Cell) -> None:
    lines = cell.source().decode().splitlines()
    assert f"({cell.shape})" in lines[0]
    assert lines[1] == ""
    opened = next(i for i, line in enumerate(lines) if line.endswith("("))
    assert not lines[opened + 1].endswith(")"), (
        "the call stands on one line, so a place that is off by a line would not show"
    )


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        ("[[cell]\n", "TOML"),
        ('[[cell]]\narm = "x"\nshape = "f"\nfiled-as = "y"\n', "shape"),
        ('[[cell]]\narm = "x"\nshape = "a"\n', "filed-as"),
        ('[[cell]]\narm = "x"\nshape = "a"\nfiled-as = "y"\nprogram = "a.x"\n', "needs program, band, says and at"),
        ('[[cell]]\narm = "x"\nshape = "a"\nfiled-as = "y"\nwhat = 1\n', "what"),
        ('[[cell]]\narm = "x"\nshape = "a"\nfiled-as = "y"\n' * 2, "stands twice"),
    ],
)
def test_a_wrong_row_is_named(tmp_path, damage: str, words: str) -> None:
    path = tmp_path / "table.toml"
    path.write_text(damage)
    with pytest.raises(KitError, match=r"table\.toml") as caught:
        read_table(path)
    assert words in str(caught.value)
