"""Every WIT type to Python and back, through the values wasmtime's C API reads, and what is refused on the way."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import pytest
from gg_host import abi
from gg_host.convert import Converters
from gg_host.guests import shared_engine
from gg_host.hints import HintMismatchError
from gg_host.values import IllFormedError, Some
from hypothesis import given
from hypothesis import strategies as st
from wasmtime import component as wit

WIT = """package test:values;
interface values {
  enum colour { red, dark-green }
  record point { x: s32, %from: option<string>, tags: list<string> }
  variant shape { dot, named(string), at(point), many(list<point>) }
  record all {
    a: bool, b: u8, c: s8, d: u16, e: s16, f: u32, g: s32, h: u64, i: s64, j: f32, k: f64, l: char, m: string,
    n: colour, o: shape, p: list<shape>, q: option<option<u32>>, r: option<point>, s: list<list<u8>>, t: option<colour>,
  }
  record failure { code: colour, message: string }
  booleans: func(x: bool) -> result<bool, failure>;
  bytes: func(x: u8) -> result<u8, failure>;
  shorts: func(x: s16) -> result<s16, failure>;
  words: func(x: u32) -> result<u32, failure>;
  longs: func(x: u64) -> result<u64, failure>;
  signed: func(x: s64) -> result<s64, failure>;
  singles: func(x: f32) -> result<f32, failure>;
  doubles: func(x: f64) -> result<f64, failure>;
  chars: func(x: char) -> result<char, failure>;
  strings: func(x: string) -> result<string, failure>;
  colours: func(x: colour) -> result<colour, failure>;
  points: func(x: point) -> result<point, failure>;
  shapes: func(x: shape) -> result<shape, failure>;
  lists: func(x: list<string>) -> result<list<string>, failure>;
  maybe: func(x: option<string>) -> result<option<string>, failure>;
  nested: func(x: option<option<u32>>) -> result<option<option<u32>>, failure>;
  everything: func(x: all) -> result<all, failure>;
  several: func(a: string, b: option<u32>, c: list<point>) -> result<_, failure>;
}
world values-world { import values; }
"""


class Colour(StrEnum):
    RED = "red"
    DARK_GREEN = "dark-green"


@dataclass(frozen=True, slots=True)
class Point:
    x: Annotated[int, "s32"]
    from_: str | None
    tags: list[str]


@dataclass(frozen=True, slots=True)
class ShapeDot:
    pass


@dataclass(frozen=True, slots=True)
class ShapeNamed:
    value: str


@dataclass(frozen=True, slots=True)
class ShapeAt:
    value: Point


@dataclass(frozen=True, slots=True)
class ShapeMany:
    value: list[Point]


Shape = ShapeDot | ShapeNamed | ShapeAt | ShapeMany


@dataclass(frozen=True, slots=True)
class Everything:
    a: bool
    b: int
    c: int
    d: int
    e: int
    f: int
    g: int
    h: int
    i: int
    j: float
    k: float
    l: str  # noqa: E741
    m: str
    n: Colour
    o: Shape
    p: list[Shape]
    q: Some | int | None
    r: Point | None
    s: list[list[int]]
    t: Colour | None


@dataclass(frozen=True, slots=True)
class Failed:
    code: Colour
    message: str


HINTS: dict[str, Any] = {
    "booleans": bool,
    "bytes": int,
    "shorts": int,
    "words": Annotated[int, "u32"],
    "longs": int,
    "signed": int,
    "singles": float,
    "doubles": float,
    "chars": str,
    "strings": str,
    "colours": Colour,
    "points": Point,
    "shapes": Shape,
    "lists": list[str],
    "maybe": str | None,
    "nested": int | None,
    "everything": Everything,
}


@pytest.fixture(scope="module")
def functions(tmp_path_factory: pytest.TempPathFactory, wasm_tools: Callable[..., None]) -> dict[str, Any]:
    """The function types of the interface above, as a real component has them."""
    folder = tmp_path_factory.mktemp("values")
    (folder / "values.wit").write_text(WIT, encoding="utf-8")
    core, component = folder / "core.wasm", folder / "component.wasm"
    wasm_tools("component", "embed", "--dummy", folder / "values.wit", "--world", "values-world", "-o", core)
    wasm_tools("component", "new", core, "-o", component)
    return types_of(component)


def types_of(component: Path) -> dict[str, Any]:
    loaded = wit.Component.from_file(shared_engine(), str(component))
    (interface,) = loaded.type.imports(shared_engine()).values()
    found = {name: extern.ty for name, extern in interface.ty.exports(shared_engine()).items()}
    return {name: kind for name, kind in found.items() if isinstance(kind, wit.FuncType)}


@pytest.fixture(scope="module")
def through(functions: dict[str, Any]) -> Callable[[str, Any], Any]:
    """Lower a value into memory and lift it again."""
    converters = Converters("test")
    names = {}
    for name, hint in HINTS.items():
        ((label, kind),) = functions[name].params
        names[name] = (
            converters.lower_value(name, kind, hint, name),
            converters.lift_arguments(f"{name}_arguments", [(label, kind)], [hint]),
        )
    made = converters.compile()

    def go(name: str, value: Any) -> Any:
        lower, lift = names[name]
        memory = ctypes.create_string_buffer(abi.VALUE_BYTES)
        address = ctypes.addressof(memory)
        made[lower](address, value)
        try:
            (lifted,) = made[lift](address)
            return lifted
        finally:
            abi.delete_value(address)

    return go


POINT = Point(-(2**31), None, [])
VALUES = {
    "booleans": [True, False],
    "bytes": [0, 255],
    "shorts": [-(2**15), 2**15 - 1],
    "words": [0, 2**32 - 1],
    "longs": [0, 2**53, 2**64 - 1],
    "signed": [-(2**63), 2**63 - 1],
    "singles": [0.5, -0.0, math.inf],
    "doubles": [1e308, -0.0, math.inf, 5e-324, 1],
    "chars": ["a", "\0", "😀", "\U0010ffff", "\ud7ff", "\ue000"],
    "strings": ["", "\0", "é😀\U0010ffff", "x" * (1 << 20), "😀" * (1 << 18)],
    "colours": list(Colour),
    "points": [POINT, Point(2**31 - 1, "", ["", "b\0", "😀"])],
    "shapes": [ShapeDot(), ShapeNamed(""), ShapeAt(POINT), ShapeMany([]), ShapeMany([POINT, POINT])],
    "lists": [[], [""], ["a"] * 10_000],
    "maybe": [None, "", "text"],
    "nested": [None, Some(None), Some(0), Some(7)],
    "everything": [
        Everything(
            True,
            1,
            -2,
            3,
            -4,
            5,
            -6,
            7,
            -8,
            0.5,
            0.25,
            "l",
            "m",
            Colour.DARK_GREEN,
            ShapeAt(Point(1, "here", ["t"])),
            [ShapeDot(), ShapeNamed("n")],
            Some(None),
            Point(2, None, []),
            [[], [1, 2]],
            None,
        )
    ],
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in VALUES.items() for value in values])
def test_a_value_comes_back_as_it_went(through: Callable[[str, Any], Any], name: str, value: Any) -> None:
    back = through(name, value)
    assert back == value
    assert isinstance(value, int | float) or type(back) is type(value)
    if isinstance(value, float):
        assert math.copysign(1, back) == math.copysign(1, value)


class Shifting(list[str]):
    """Tells another length than it has, as a list does that another thread changes between two looks."""

    def __len__(self) -> int:
        return 1


def test_a_list_that_changes_meanwhile_has_room_for_what_is_written(through: Callable[[str, Any], Any]) -> None:
    items = [f"item {number}" for number in range(1000)]
    for _ in range(20):
        assert through("lists", Shifting(items)) == items


def test_not_a_number_stays_one(through: Callable[[str, Any], Any]) -> None:
    assert math.isnan(through("singles", math.nan))
    assert math.isnan(through("doubles", math.nan))


@given(text=st.text(), number=st.integers(-(2**31), 2**31 - 1), tags=st.lists(st.text(), max_size=4))
def test_any_record_comes_back(through: Callable[[str, Any], Any], text: str, number: int, tags: list[str]) -> None:
    for point in (Point(number, text, tags), Point(number, None, tags)):
        assert through("points", point) == point
        assert through("shapes", ShapeMany([point])) == ShapeMany([point])


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("booleans", 1, "booleans must be a boolean"),
        ("bytes", 256, "an integer from 0 to 255"),
        ("bytes", -1, "an integer from 0 to 255"),
        ("bytes", True, "an integer from 0 to 255"),
        ("words", -1, r"0 to 4294967295 \(u32\), and is -1"),
        ("words", 2**32, "4294967295"),
        ("words", 1.0, "an integer"),
        ("longs", 2**64, "18446744073709551615"),
        ("signed", 2**63, "9223372036854775807"),
        ("singles", 1e39, "the range of f32"),
        ("doubles", 10**400, "the range of f64"),
        ("doubles", "1", "a number"),
        ("doubles", True, "a number"),
        ("chars", "ab", "one Unicode scalar value"),
        ("chars", "", "one Unicode scalar value"),
        ("chars", "\ud800", "one Unicode scalar value"),
        ("strings", b"b", "a string"),
        ("strings", None, "a string"),
        ("strings", "\udfff", "lone surrogate"),
        ("colours", "red", "a Colour"),
        ("points", {"x": 1}, "a Point"),
        ("points", Point(2**31, None, []), "points.x must be"),
        ("points", Point(1, None, ["a", 2]), r"points\.tags\[\] must be a string"),  # type: ignore[list-item]
        ("points", Point(1, 5, []), "points.from must be a string"),  # type: ignore[arg-type]
        ("shapes", "dot", "one of ShapeDot, ShapeNamed, ShapeAt, ShapeMany"),
        ("shapes", ShapeMany([POINT, Point(1, None, [None])]), r"shapes\.many\[\]\.tags\[\]"),  # type: ignore[list-item]
        ("lists", "abc", "a list"),
        ("lists", None, "a list"),
        ("nested", 7, "None or a Some"),
    ],
)
def test_an_ill_formed_value_is_named_and_never_wrapped(
    through: Callable[[str, Any], Any], name: str, value: Any, words: str
) -> None:
    with pytest.raises(IllFormedError, match=words):
        through(name, value)


def test_several_arguments_come_as_a_tuple(functions: dict[str, Any]) -> None:
    converters = Converters()
    parameters = functions["several"].params
    hints = [str, int | None, list[Point]]
    lowers = [converters.lower_value(f"p{i}", kind, hints[i], label) for i, (label, kind) in enumerate(parameters)]
    lift = converters.lift_arguments("several", parameters, hints)
    made = converters.compile()
    memory = ctypes.create_string_buffer(abi.VALUE_BYTES * 3)
    values = ("text", 5, [POINT])
    for index, (lower, value) in enumerate(zip(lowers, values, strict=True)):
        made[lower](ctypes.addressof(memory) + index * abi.VALUE_BYTES, value)
    assert made[lift](ctypes.addressof(memory)) == values


@pytest.mark.parametrize(
    ("name", "hint", "words"),
    [
        ("points", str, "is no dataclass"),
        ("points", Failed, "has the fields"),
        ("colours", str, "is not"),
        ("shapes", ShapeDot | ShapeNamed, "the case at has no class"),
        ("lists", str, "the WIT type is a list"),
        ("maybe", str, "has no None"),
    ],
)
def test_a_hint_that_is_no_description_of_the_type_is_refused(
    functions: dict[str, Any], name: str, hint: Any, words: str
) -> None:
    with pytest.raises(HintMismatchError, match=words):
        Converters().lift_arguments(name, functions[name].params, [hint])


def test_the_source_can_be_read(functions: dict[str, Any]) -> None:
    converters = Converters()
    converters.lower_ok("words", functions["words"].result, int)
    assert converters.source == (
        "def words_ok(a, x):\n"
        "    if type(x) is not int or not 0 <= x <= 4294967295:\n"
        "        raise IllFormedError('result', 'an integer from 0 to 4294967295 (u32)', x)\n"
        "    put_u32(M, a, 6, x)\n"
        "    put_result(M, a, 19, 1, box(a))\n"
    )


def test_nothing_is_held_after_many_values(through: Callable[[str, Any], Any]) -> None:
    def resident() -> int:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * 4096

    value = ShapeMany([Point(1, "f" * 1000, ["t" * 1000] * 10)] * 10)
    for _ in range(200):
        through("shapes", value)
    before = resident()
    for _ in range(2000):  # 100 KB each
        through("shapes", value)
    assert resident() - before < 8 << 20
