"""What the host has under each name, and the provider that compares. Loaded by path, in the tree that has the interface."""

import struct
from typing import Any

from gg_host.failures import ErrorCode, Failure
from gg_host.generated import types as t

MIB = 1 << 20
FULL = t.Thing(True, 255, 2**53 - 1, "\U0001f9ed", t.Shade.MEDIUM_GRAY, -0.0, ["", "b"], t.Remark("r", "a"), t.Shade.BRIGHT, [])
BARE = t.Thing(False, 0, 0, "", t.Shade.DARK, 1.5, [], None, None, None)
HALF = t.Thing(True, 1, 2, "t", t.Shade.BRIGHT, 0.0, ["x"], t.Remark("", None), None, [-1, 2**31 - 1])

EDGES: dict[str, dict[str, Any]] = {
    "bool": {"true": True, "false": False},
    "u8": {"zero": 0, "max": 255},
    "s16": {"min": -32768, "minus-one": -1, "max": 32767},
    "u32": {"zero": 0, "max": 2**32 - 1, "high-bit": 2**31},
    "s32": {"min": -(2**31), "minus-one": -1, "zero": 0, "max": 2**31 - 1},
    "u64": {"zero": 0, "above-32-bits": 2**32, "exact": 2**53 - 1, "max": 2**64 - 1},
    "s64": {"min": -(2**63), "exact-min": -(2**53 - 1), "minus-one": -1, "exact": 2**53 - 1, "max": 2**63 - 1},
    "f32": {"zero": 0.0, "minus-zero": -0.0, "one-and-half": 1.5, "infinity": float("inf"), "nan": float("nan")},
    "f64": {
        "zero": 0.0,
        "minus-zero": -0.0,
        "infinity": float("inf"),
        "minus-infinity": float("-inf"),
        "nan": float("nan"),
        "least": 5e-324,
        "largest": 1.7976931348623157e308,
        "tenth": 0.1,
    },
    "char": {"letter": "a", "nul": "\0", "accent": "\u00e9", "han": "\u6f22", "last": "\U0010ffff", "emoji": "\U0001f600"},
    "text": {
        "empty": "",
        "nul": "a\0b\0",
        "planes": "a\u00e9\u6f22\U0001f600\U0010ffff",
        "last-of-plane": "\ud7ff\ue000\uffff",
        "mark": "\ufeffa",
        "lines": "a\r\nb\u2028c",
        "mebibyte": "\u6f22b" * (MIB // 4),
    },
    "option": {"absent": None, "empty": "", "present": "p"},
    "shade": {"dark": t.Shade.DARK, "medium-gray": t.Shade.MEDIUM_GRAY, "bright": t.Shade.BRIGHT},
    "item": {
        "vacant": t.ItemVacant(),
        "count": t.ItemCount(2**32 - 1),
        "words": t.ItemWords("w\0"),
        "measured": t.ItemMeasured(2.5),
        "remarks": t.ItemRemarks([t.Remark("a", None), t.Remark("", "b")]),
        "no-remarks": t.ItemRemarks([]),
        "single": t.ItemSingle(t.Remark("s", "me")),
        "tone": t.ItemTone(t.Shade.BRIGHT),
    },
    "items": {
        "empty": [],
        "mixed": [t.ItemWords("a"), t.ItemVacant(), t.ItemCount(7), t.ItemSingle(t.Remark("s", None)), t.ItemVacant()],
    },
    "things": {"empty": [], "several": [FULL, BARE, HALF]},
    "numbers": {"empty": [], "hundred-thousand": list(range(100_000))},
    "texts": {"empty": [], "hundred-thousand": [f"line {i}" for i in range(100_000)]},
    "table": {"empty": [], "rows": [[], [None], ["", None, "\U0001f600"], []]},
}


def same(one: Any, other: Any) -> bool:
    """Equality that tells -0.0 from 0.0, 1 from true, and takes every NaN for the same."""
    if type(one) is not type(other):
        return False
    if isinstance(one, float):
        return one != one if other != other else struct.pack("d", one) == struct.pack("d", other)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    if hasattr(one, "__slots__") and not isinstance(one, str):
        return all(same(getattr(one, name), getattr(other, name)) for name in one.__slots__)
    return bool(one == other)


class Values:
    """Compares what arrives with what there is under its name, and gives that back."""

    def __init__(self) -> None:
        self.arrived: list[str] = []
        for kind, edges in EDGES.items():
            setattr(self, f"echo_{kind}", self._echo(kind, edges))

    def _echo(self, kind: str, edges: dict[str, Any]) -> Any:
        def echo(_call: Any, label: str, given: Any) -> Any:
            self.arrived.append(f"{kind} {label}")
            if label not in edges:
                raise Failure(ErrorCode.CONFLICT, f"there is no {kind} named {label!r}, but {given!r:.200} arrived")
            if not same(given, edges[label]):
                raise Failure(ErrorCode.CONFLICT, f"{kind} {label} arrived as {given!r:.200}")
            return edges[label]

        return echo

    def largest(self, _call: Any) -> int:
        """The largest number of 64 bits."""
        return 2**64 - 1


def names() -> list[str]:
    """Every value by kind and name."""
    return [f"{kind} {label}" for kind, edges in EDGES.items() for label in edges]
