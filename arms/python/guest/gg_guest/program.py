"""Runs one program as ``__main__``, as if it had been started from the file ``program.py``."""

from gg_guest.own_builtins import NAMES as __builtins__

import atexit
import builtins
import io
import linecache
import random
import sys
from types import ModuleType

import wit_world.imports.feedback as feedback

from gg_guest import crossing, report, streams
from gg_guest.crossing import tell

_random = tell(feedback.random)
_seed = random.seed
_modules = sys.modules
_hidden: tuple[str, ...] = ()
_exit_functions = atexit._ncallbacks()


def _dont_seed() -> None:
    """Stands for ``random.seed`` until a run starts."""


def prepare(hidden: tuple[str, ...]) -> None:
    """Last step of the guest's own start.

    The component runtime seeds ``random`` from 2,496 random bytes before the first call, which would be 312 calls to the host.
    It gets a function that does nothing; a run seeds with what it needs.

    Parameters:
        hidden: names of modules that programs do not see.
    """
    global _hidden, _exit_functions
    _hidden = hidden
    _exit_functions = atexit._ncallbacks()
    random.seed = _dont_seed  # type: ignore[assignment]


REHEARSED = (
    "import gg\nprint(gg.files.read_text_file('a', offset=1))\n",
    "def f(n):\n    return [n, {'a': str(n)}]\n\n\nfor n in range(3):\n    print(f(n), n)\n",
    "import gg\ntry:\n    gg.files.read_file(1)\nexcept gg.core.ApiError as error:\n    print(error)\n",
    "1 / 0\n",
)
REHEARSALS = 10


def rehearse() -> None:
    """Run small programs, with a host that answers nothing, so that the interpreter has its shortcuts ready for the first one.

    A new function or loop runs slower until the interpreter has seen it a few times, and it writes down what it saw in
    memory that is shared until then. This saves a quarter of a millisecond in each run.
    """
    main, send = _modules["__main__"], crossing._send
    crossing._send = lambda _number, _arguments: 0
    try:
        for text in REHEARSED * REHEARSALS:
            run(text)
    finally:
        crossing._send = send
        _modules["__main__"] = main


def run(text: str) -> None:
    """Run a program to its end, and tell the host of an error that nothing caught."""
    random.seed = _seed
    _seed(_random() << 64 | _random())
    for name in _hidden:
        _modules.pop(name, None)
    if text.startswith("\ufeff"):
        text = text[1:]
    lines = io.StringIO(text, newline=None).readlines()
    main = ModuleType("__main__")
    names = main.__dict__
    names["__builtins__"] = builtins
    names["__file__"] = report.PROGRAM
    _modules["__main__"] = main
    linecache.cache[report.PROGRAM] = (len(text), None, lines, report.PROGRAM)
    compiling = True
    try:
        code = compile(text, report.PROGRAM, "exec", dont_inherit=True)
        compiling = False
        exec(code, names)
    except BaseException as error:  # noqa: BLE001 - whatever a program raises is its own
        report.report(error, lines, compiling)
    if atexit._ncallbacks() > _exit_functions:
        atexit._run_exitfuncs()
    streams.finish()
