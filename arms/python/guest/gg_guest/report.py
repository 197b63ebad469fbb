"""How an uncaught error is told: what kind it is, Python's own words for it, and where in the program it happened."""

from gg_guest.own_builtins import NAMES as __builtins__

import importlib.util
import sys
from collections import deque
from collections.abc import Callable
from itertools import islice
from types import CodeType, ModuleType, TracebackType
from typing import Any

import wit_world.imports.feedback as feedback
import wit_world.imports.types as wire

from gg_guest.crossing import tell

FIRST_FRAMES, LAST_FRAMES = 8, 8
"""Frames of a traceback that are shown. Laying one out costs 0.13 ms, and recursion leaves a thousand."""
CHAIN = 4
"""Errors of a chain (``raise ... from``, or raised while another was handled) that are shown."""
MESSAGE_CHARACTERS = 8000
"""What is told of one error; of a longer text the beginning and the end."""
PROGRAM = "program.py"
PARSER_GAVE_UP = "Parser stack overflowed"
"""Begins the words of a ``MemoryError`` that is about nesting, not memory."""

_report_error, _out_of_memory = tell(feedback.report_error), tell(feedback.out_of_memory)
_Error, _Kind, _Code = feedback.ProgramError, feedback.ErrorKind, wire.ErrorCode
_codes = {code.name: code for code in _Code}
_api_failure: type[Exception]
_sdk_modules: dict[int, str] = {}
_own_files: frozenset[str] = frozenset()


def _private_copy(name: str) -> ModuleType:
    """A module of the standard library, imported once more for this package alone."""
    spec = importlib.util.find_spec(name)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    vars(module)["__builtins__"] = __builtins__
    spec.loader.exec_module(module)
    return module


_linecache = _private_copy("linecache")
_traceback = _private_copy("traceback")
_traceback.linecache = _linecache
_traceback._colorize = _private_copy("_colorize")


def know(failure: type[Exception], modules: dict[str, ModuleType], own_files: frozenset[str]) -> None:
    """Set what is told apart.

    Parameters:
        failure: the SDK's failure.
        modules: the SDK's modules by the name a program writes.
        own_files: files whose frames are not the program's own, as code objects name them.
    """
    global _api_failure, _own_files
    _api_failure, _own_files = failure, own_files
    _sdk_modules.update((id(module), name) for name, module in modules.items())
    _warm_up()


def _warm_up() -> None:
    """Lay out one error now, so that what this imports and compiles on first use is there before any program runs."""
    try:
        exec(compile("1 +\\\n 'a'", PROGRAM, "exec"))
    except TypeError as error:
        _message(error, ["1 +\\\n", " 'a'"])


def report(error: BaseException, lines: list[str], compiling: bool) -> None:
    """Tell the host of the error that ended a program. This cannot fail, whatever the error is made of.

    Parameters:
        error: the error.
        lines: the program's lines, with their endings.
        compiling: whether the program did not even start.
    """
    kind = type(error)  # an error can lie about its class, not about its type
    if issubclass(kind, MemoryError) and not (compiling and PARSER_GAVE_UP in str(error)):
        _out_of_memory()
        _forget_locals(error)
    filed, code = _Kind.OTHER, None
    if issubclass(kind, _api_failure):
        filed, code = _Kind.API_FAILURE, _code(error)
    elif issubclass(kind, NameError) or _missing_from(error) is not None:
        filed = _Kind.UNKNOWN_NAME
    location = _tried(_location, None, error, lines, compiling)
    message = _tried(_message, None, error, lines) or _tried(_plain_message, _type_name(error), error)
    _report_error(_Error(filed, code, _sendable(message), location))


def _tried(tell_of: Callable[..., Any], otherwise: Any, *arguments: Any) -> Any:
    """What a function returns, or ``otherwise``: code of the program may run in it, and do anything."""
    try:
        return tell_of(*arguments)
    except BaseException:  # noqa: BLE001
        return otherwise


def _plain_message(error: BaseException) -> str:
    """The words without a traceback, by nothing that a program could have replaced."""
    return f"{_type_name(error)}: {BaseException.__str__(error)}"


def _type_name(error: BaseException) -> str:
    return type.__dict__["__name__"].__get__(type(error))


def _code(error: Any) -> Any:
    return _tried(lambda: _codes[error.code.name], _Code.OTHER)  # a program can make one without a code


def _missing_from(error: BaseException) -> tuple[str, Any] | None:
    """The module of the SDK that has no such attribute, if that is what the error is about."""
    if not issubclass(type(error), AttributeError):
        return None
    module = AttributeError.obj.__get__(error)
    name = _sdk_modules.get(id(module))
    return (name, module) if name is not None else None


def _sendable(text: str) -> str:
    """The text within bounds, and with what cannot cross written out."""
    if len(text) > MESSAGE_CHARACTERS:
        half = MESSAGE_CHARACTERS // 2
        text = f"{text[:half]}\n({len(text) - 2 * half} characters left out)\n{text[-half:]}"
    return text.encode("utf-8", "backslashreplace").decode()


def _forget_locals(error: BaseException) -> None:
    """Give back what the program's frames hold: telling of an error takes memory."""
    tb = error.__traceback__
    while tb is not None:
        try:
            tb.tb_frame.clear()
        except RuntimeError:  # still running: it is one of ours
            pass
        tb = tb.tb_next


def _location(error: BaseException, lines: list[str], compiling: bool) -> str | None:
    if compiling:
        if issubclass(type(error), SyntaxError) and error.lineno:
            column = f", column {error.offset}" if error.offset and error.offset > 0 else ""
            return f"line {error.lineno}{column}"
        return None
    innermost, tb = None, error.__traceback__
    while tb is not None:
        if tb.tb_frame.f_code.co_filename == PROGRAM:
            innermost = tb
        tb = tb.tb_next
    if innermost is None:
        return None
    line, column = _position(innermost.tb_frame.f_code, innermost.tb_lasti)
    if line is None:
        return f"line {innermost.tb_lineno}"
    if column is None:
        return f"line {line}"
    text = lines[line - 1] if line <= len(lines) else ""
    return f"line {line}, column {_characters(text, column) + 1}"


def _position(code: CodeType, instruction: int) -> tuple[int | None, int | None]:
    line, _, column, _ = next(islice(code.co_positions(), instruction // 2, None), (None, None, None, None))
    return line, column


def _characters(line: str, column: int) -> int:
    """A column in bytes of UTF-8, as one in characters."""
    return column if line.isascii() else len(line.encode()[:column].decode("utf-8", "ignore"))


def _message(error: BaseException, lines: list[str]) -> str:
    _linecache.cache[PROGRAM] = (sum(map(len, lines)), None, lines, PROGRAM)
    cuts = _shorten(error)
    shown = _traceback.TracebackException(type(error), error, error.__traceback__, compact=True)
    _mark_cuts(shown, cuts)
    text: str = "".join(shown.format(colorize=False)).rstrip("\n")
    missing = _missing_from(error)
    if missing is not None:
        name, module = missing
        text += f"\n{name} declares: {', '.join(sorted(vars(module)['__all__']))}"
    return text


def _shorten(error: BaseException) -> dict[int, int]:
    """Cut every traceback of the chain to its first and last frames, and the chain to its last errors.

    Returns:
        How many frames were left out, by the first frame that is left after them.
    """
    cuts: dict[int, int] = {}
    current: BaseException | None = error
    for place in range(CHAIN):
        if current is None:
            break
        _shorten_one(current, cuts)
        later = current.__cause__ or (None if current.__suppress_context__ else current.__context__)
        if place == CHAIN - 1:
            current.__cause__ = current.__context__ = None
        current = later
    return cuts


def _shorten_one(error: BaseException, cuts: dict[int, int]) -> None:
    first: list[TracebackType] = []
    last: deque[TracebackType] = deque(maxlen=LAST_FRAMES)
    count, tb = 0, error.__traceback__
    while tb is not None:
        if tb.tb_frame.f_code.co_filename not in _own_files:
            count += 1
            (first if len(first) < FIRST_FRAMES else last).append(tb)
        tb = tb.tb_next
    left_out = count - len(first) - len(last)
    shortened = None
    for tb in reversed([*first, *last]):
        shortened = TracebackType(shortened, tb.tb_frame, tb.tb_lasti, tb.tb_lineno)
    error.__traceback__ = shortened
    if left_out:
        cuts[id(error)] = left_out


def _mark_cuts(shown: Any, cuts: dict[int, int]) -> None:
    """Say in a laid out traceback how many frames are left out, where they are."""
    if not cuts:
        return
    for left_out in cuts.values():
        stack = shown.stack
        if stack is not None and len(stack) == FIRST_FRAMES + LAST_FRAMES:
            shown.stack = _CutStack(stack, left_out)
        shown = shown.__cause__ or shown.__context__
        if shown is None:
            return


class _CutStack(list):  # type: ignore[type-arg]
    """A laid out stack with a line in its middle."""

    def __init__(self, stack: Any, left_out: int) -> None:
        super().__init__(stack)
        self._left_out = left_out

    def format(self, **options: Any) -> list[str]:
        """The lines, as ``StackSummary.format`` gives them."""
        summary = _traceback.StackSummary
        first, last = summary.from_list(self[:FIRST_FRAMES]), summary.from_list(self[FIRST_FRAMES:])
        middle = f"  ({self._left_out} frames left out)\n"
        return [*first.format(**options), middle, *last.format(**options)]
