"""What wasmtime's text of a trap says: the reason, and the frames that name the model's own file."""

from __future__ import annotations

import re
from dataclasses import dataclass

STACK_FAULT_ADDRESS = 0xFF00_0000
"""A guest's shadow stack lies at the bottom of its memory and grows down, so a stack that ends faults just below 0,
which is just below 4 GiB: an access from this address up is an exhausted stack, any other is a bad access."""

STACK_EXHAUSTED = "call stack exhausted"
_FAULT = re.compile(r"memory fault at wasm address (0x[0-9a-f]+)")
_CAUSE = re.compile(r"^\s*(?:\d+: )?(.*)$")
_PLACE = re.compile(
    r"^\s*(?:\d+:\s*)?(?:0x[0-9a-f]+ - )?(?:\S.*\s)?at (?P<file>[^\s:]+):(?P<line>\d+):(?P<column>\d+)\s*$"
)
_FRAME = re.compile(r"^\s*\d+:\s+0x[0-9a-f]+ - (?P<name>.*)$")


@dataclass(frozen=True, slots=True)
class Trap:
    """One trap. ``reason`` is the innermost cause; ``places`` are the frames in the model's file, innermost first."""

    reason: str
    places: tuple[str, ...] = ()
    stack_exhausted: bool = False

    @property
    def text(self) -> str:
        """The reason, then a line for each frame of the model's own file."""
        return "\n".join([self.reason, *(f"    at {place}" for place in self.places)])


def read_trap(text: str, program_file: str) -> Trap:
    """Read wasmtime's text of an error, whole chain.

    Parameters:
        text: the error as text.
        program_file: the model's own file; frames of any other file are struck.
    """
    reason = _reason(text)
    fault = _FAULT.search(text)
    exhausted = STACK_EXHAUSTED in text
    if fault and int(fault[1], 16) >= STACK_FAULT_ADDRESS:
        exhausted = True
        reason = f"wasm trap: {STACK_EXHAUSTED} (out of bounds memory access below the stack)"
    places = []
    for line in text.splitlines():
        place = _PLACE.match(line)
        if place and place["file"].rpartition("/")[2] == program_file:
            places.append(f"{program_file}:{place['line']}:{place['column']}")
    return Trap(reason, tuple(places), exhausted)


def _reason(text: str) -> str:
    """The last cause of the chain."""
    lines = [line for line in text.strip().splitlines() if line.strip()]
    if not lines:
        return "wasm trap"
    match = _CAUSE.match(lines[-1])
    return match[1].strip() if match else lines[-1].strip()
