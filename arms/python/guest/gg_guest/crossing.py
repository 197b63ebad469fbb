"""Calls that leave the guest, and how the values that come back become those of the SDK.

The binding layer of the component runtime turns a value of the membrane into an object by calling the class that its
generated modules have under the value's name, and takes those classes when this guest has been imported. So each SDK
module puts its own classes in their place (``lift``): a result is made once, as what a program gets.

An import of the component has a number, which only the binding's own function knows. It is asked for it once, while the
guest is being built.
"""

from gg_guest.own_builtins import NAMES as __builtins__

from collections.abc import Callable
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

import componentize_py_runtime
import componentize_py_types

RUNTIME = "componentize_py_runtime"

_send = componentize_py_runtime.call_import
_operations: dict[str, int] = {}
_failure: type[Exception]


class _Numbered(Exception):
    """Carries the number of an import out of its function."""


def _tell_number(number: int, _arguments: list[Any]) -> None:
    raise _Numbered(number)


def number_of(function: FunctionType) -> int:
    """The number of the import that a function of the binding layer calls."""
    names = function.__globals__
    runtime = names[RUNTIME]
    names[RUNTIME] = SimpleNamespace(call_import=_tell_number)
    try:
        function(*[None] * function.__code__.co_argcount)
    except _Numbered as told:
        number: int = told.args[0]
        return number
    finally:
        names[RUNTIME] = runtime
    raise AssertionError(f"{function.__qualname__} calls no import")


def bind(operation: str, function: FunctionType) -> int:
    """Note that ``operation`` (``namespace.key``) is bound; return the number to call it by."""
    number = number_of(function)
    _operations[operation] = number
    return number


def bound_operations() -> list[str]:
    """Every operation that is bound."""
    return list(_operations)


def cross(number: int, arguments: list[Any]) -> Any:
    """Call an operation with lowered arguments.

    Returns:
        The result, as the SDK's own value.

    Raises:
        ApiError: the call failed.
    """
    result = _send(number, arguments)
    if type(result) is _failure:
        raise result
    return result


def tell(function: FunctionType) -> Callable[..., Any]:
    """A function of ``feedback``, to be called by position; it cannot fail."""
    number = number_of(function)

    def told(*arguments: Any) -> Any:
        return _send(number, list(arguments))

    return told


def same(value: Any) -> Any:
    """What the runtime calls with a payload that is itself what a program gets."""
    return value


class Case:
    """Stands for a case of a variant whose payload is itself what a program gets; ``of`` makes one to lower."""

    __slots__ = ("value",)
    value: Any

    def __new__(cls, value: Any) -> Any:
        """What the runtime calls with the payload."""
        return value

    @classmethod
    def of(cls, value: Any) -> "Case":
        """The case with a lowered payload."""
        case: Case = object.__new__(cls)
        case.value = value
        return case


def lift(binding: ModuleType, **classes: Any) -> None:
    """Let the runtime make these in place of the binding module's own classes of the same names."""
    for name, made_by in classes.items():
        if not hasattr(binding, name):
            raise AssertionError(f"the binding has no {binding.__name__}.{name}")
        setattr(binding, name, made_by)


def lift_failures(failure: type[Exception]) -> None:
    """Let the ``err`` of a result be the failure itself, and ``ok`` be the value itself."""
    global _failure
    _failure = failure
    componentize_py_types.Ok = componentize_py_types.Err = same
