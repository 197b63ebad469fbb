"""Whether a guest died of something the host gave it for which it had no memory.

The canonical ABI has the guest allocate what it is given, a result or the program itself, and a guest that cannot do it
has no way but to trap: it may call nothing then. wasmtime tells such a trap like any other, so it is told here by size.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from gg_host.traps import STACK_EXHAUSTED


def died_of(handed: object, trap_text: str, memory_bytes: int, limit_bytes: int) -> bool:
    """Whether what was handed over last cannot have fitted into the memory that was left.

    Parameters:
        handed: the arguments of the run or the latest result, as given to the converters.
        trap_text: wasmtime's text of the trap.
        memory_bytes: of the guest when it died; memory never shrinks.
        limit_bytes: the run's.
    """
    return STACK_EXHAUSTED not in trap_text and memory_bytes + size_of(handed) > limit_bytes


def size_of(value: object) -> int:
    """Bytes that a guest must allocate for a value, at least: its texts in UTF-8 and the elements of its lists."""
    total = 0
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            total += len(one.encode(errors="surrogatepass"))
        elif isinstance(one, list | tuple):
            total += len(one) if isinstance(one, list) else 0
            waiting.extend(one)
        elif dataclasses.is_dataclass(one):
            waiting.extend(_fields(one))
    return total


def _fields(record: object) -> Iterator[object]:
    assert dataclasses.is_dataclass(record)
    return (getattr(record, field.name) for field in dataclasses.fields(record))
