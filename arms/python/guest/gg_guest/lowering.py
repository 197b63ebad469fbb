"""Checks of arguments before a call leaves the guest: nothing malformed crosses, and nothing is converted in silence.

Every function takes the value, the operation's key and the argument's name, and returns what the binding layer takes. What is
wrong raises the SDK's failure with ``invalid-argument``.
"""

from gg_guest.own_builtins import NAMES as __builtins__

from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any

SHOWN_CHARACTERS = 60
"""How much of a wrong value a message shows."""

_failure: Callable[[Any, str, str], Exception]
_code: Any
_is_ascii, _encode, _plain_text = str.isascii, str.encode, str.__str__
_plain_int, _plain_float = int.__int__, float.__float__
_type_name = type.__dict__["__name__"].__get__


def failing_with(failure: Callable[[Any, str, str], Exception], invalid_argument: Any) -> None:
    """Set the SDK's failure and its code for a malformed argument."""
    global _failure, _code
    _failure, _code = failure, invalid_argument


def _invalid(operation: str, message: str) -> Exception:
    return _failure(_code, operation, message)


def wrong(value: object, operation: str, name: str, wanted: str) -> Exception:
    """The failure for an argument of another type; ``wanted`` says what it must be."""
    return _invalid(operation, f"{name} must be {wanted}, not {_type_name(type(value))}")


def text(value: object, operation: str, name: str) -> str:
    """A string without lone surrogates, which the membrane has no way to pass."""
    if type(value) is not str:
        if not isinstance(value, str):
            raise wrong(value, operation, name, "str")
        value = _plain_text(value)
    if not _is_ascii(value):
        try:
            _encode(value)
        except UnicodeEncodeError as error:
            found = f"a lone surrogate U+{ord(value[error.start]):04X} at index {error.start}"
            raise _invalid(operation, f"{name} must be text that can be encoded as UTF-8, but it has {found}") from None
    return value


def char(value: object, operation: str, name: str) -> str:
    """A string of one character."""
    value = text(value, operation, name)
    if len(value) != 1:
        raise _invalid(operation, f"{name} must be one character, not {len(value)}")
    return value


def boolean(value: object, operation: str, name: str) -> bool:
    """True or False, and nothing that only counts as one of them."""
    if value is True or value is False:
        return value
    raise wrong(value, operation, name, "bool")


def _integer(lowest: int, highest: int) -> Callable[[object, str, str], int]:
    def integer(value: object, operation: str, name: str) -> int:
        if type(value) is not int:
            if not isinstance(value, int) or isinstance(value, bool):
                raise wrong(value, operation, name, "int")
            value = _plain_int(value)
        if lowest <= value <= highest:
            return value
        raise _invalid(operation, f"{name} must be from {lowest} to {highest}, not {_shown(value)}")

    return integer


def _shown(value: int) -> str:
    return str(value) if value.bit_length() < SHOWN_CHARACTERS * 3 else f"a number of {value.bit_length()} bits"


u8, u16, u32, u64 = (_integer(0, 2**bits - 1) for bits in (8, 16, 32, 64))
s8, s16, s32, s64 = (_integer(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for bits in (8, 16, 32, 64))


def f64(value: object, operation: str, name: str) -> float:
    """A float or an int that a float can hold; infinities and not-a-number are numbers here."""
    if type(value) is float:
        return value
    if isinstance(value, float):
        return _plain_float(value)
    if not isinstance(value, int) or isinstance(value, bool):
        raise wrong(value, operation, name, "float")
    try:
        return float(_plain_int(value))
    except OverflowError:
        raise _invalid(operation, f"{name} must be in the range of float, not {_shown(value)}") from None


LARGEST_F32 = 3.4028235677973366e38
"""Half-way between the largest float of 32 bits and the power of two above: from here on rounding overflows."""


def f32(value: object, operation: str, name: str) -> float:
    """A float that 32 bits can hold, rounded by the crossing."""
    number = f64(value, operation, name)
    if -LARGEST_F32 < number < LARGEST_F32 or number != number or number in (float("inf"), float("-inf")):
        return number
    raise _invalid(operation, f"{name} must be in the range of a 32-bit float, not {number}")


def items(value: object, operation: str, name: str, item: Callable[[Any, str, str], Any]) -> list[Any]:
    """Any sequence but a string, each element lowered by ``item``."""
    if type(value) is not list and type(value) is not tuple:
        if isinstance(value, (str, bytes, bytearray, memoryview)) or not isinstance(value, Sequence):
            raise wrong(value, operation, name, "a list or another sequence")
        value = list(value)
    return [item(each, operation, f"{name}[{index}]") for index, each in enumerate(value)]


def member(value: object, operation: str, name: str, members: tuple[tuple[Any, Any], ...], kind: type[Enum]) -> Any:
    """A member of an enum, as the binding layer's own member; ``members`` holds pairs of both."""
    for own, wire in members:
        if value is own:
            return wire
    names = ", ".join(f"{kind.__name__}.{own.name}" for own, _ in members)
    raise wrong(value, operation, name, f"one of {names}")
