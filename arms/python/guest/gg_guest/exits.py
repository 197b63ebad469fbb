"""Ways to leave that no handler sees: they tell the host first, with the status the program gave."""

from gg_guest.own_builtins import NAMES as __builtins__

import os
import posix
import sys
from operator import index
from typing import Never

import wit_world.imports.feedback as feedback

from gg_guest import streams
from gg_guest.crossing import tell

RECURSION_LIMIT = 1000
"""What ``sys.setrecursionlimit`` is held to: within it recursion ends as Python's own error, well inside the stack."""

_exit, _abort = posix._exit, posix.abort
_set_limit = sys.setrecursionlimit
_tell_exit, _tell_stderr = tell(feedback.exit), tell(feedback.stderr)


def _exit_with(status: int) -> Never:
    """Exit to the system with specified status, without normal exit processing."""
    number = index(status)
    if not -(2**31) <= number < 2**31:
        raise OverflowError("Python int too large to convert to C int")
    streams.finish()
    _tell_exit(number)
    _exit(1)


def _abort_now() -> Never:
    """Abort the interpreter immediately."""
    streams.finish()
    _tell_stderr("Fatal Python error: Aborted\n")
    _abort()


def _set_recursion_limit(limit: int, /) -> None:
    """Set the maximum depth of the Python interpreter stack to n, at most 1000."""
    _set_limit(min(index(limit), RECURSION_LIMIT))


def install() -> None:
    """Put these in place of the interpreter's own."""
    for module in (os, posix):
        module._exit, module.abort = _exit_with, _abort_now  # type: ignore[attr-defined]
    for function, name in ((_exit_with, "_exit"), (_abort_now, "abort"), (_set_recursion_limit, "setrecursionlimit")):
        function.__name__ = function.__qualname__ = name
    sys.setrecursionlimit = _set_recursion_limit
    _set_limit(RECURSION_LIMIT)
