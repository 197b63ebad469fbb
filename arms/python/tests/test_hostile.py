# ruff: noqa: E501 -- a case of a table is one line, a program in it too
"""Programs that attack the interpreter they run in: the host lives, each is filed as what it is, and the next run is untouched."""

from __future__ import annotations

from typing import Any

import pytest

THROW, API, NAME, TRAP, TIME, MEMORY = (
    "program_throw", "program_api_error", "program_unknown_name", "sandbox_trap", "sandbox_timeout", "sandbox_out_of_memory"
)  # fmt: skip

PROGRAMS: dict[str, tuple[str, tuple[str | None, ...]]] = {
    "modules emptied": ("import sys\nsys.modules.clear()\nraise ValueError('own')", (THROW,)),
    "modules of gg replaced": ("import sys, types\nfake = types.ModuleType('gg.core')\nimport gg\nsys.modules['gg.core'] = fake\ngg.core = fake\ngg.files.read_file('a')", (API,)),
    "failure class replaced": ("import gg\ngg.core.ApiError = ValueError\ngg.files.read_file('a')", (API,)),
    "codes renamed": ("import gg\ngg.core.ApiErrorCode.NOT_FOUND._name_ = 'UNAVAILABLE'\ngg.files.read_file('a')", (API, NAME)),
    "failure told as unavailable": ("import gg\nraise gg.core.ApiError(gg.core.ApiErrorCode.UNAVAILABLE, 'x', 'y')", (NAME,)),
    "failure without a code": ("import gg\ne = gg.core.ApiError.__new__(gg.core.ApiError)\nraise e", (API,)),
    "failure with a strange code": ("import gg\nraise gg.core.ApiError(42, object(), None)", (API,)),
    "hunt for the binding": ("import gc\nfound = [o for o in gc.get_objects() if getattr(o, '__name__', '') == 'call_import']\nfound += [g for o in gc.get_objects() if callable(o) and (g := getattr(o, '__globals__', {}).get('_send'))]\nfor f in found:\n    f(0, [1, 2, 3])\nraise ValueError(len(found))", (THROW, TRAP)),
    "binding with wrong numbers": ("import gg\ncross = gg.files._crossing.cross\ncross(9999, [])", (THROW, TRAP)),
    "binding with wrong values": ("import gg\ngg.files._crossing.cross(gg.files._READ_FILE, [object()])", (THROW, TRAP)),
    "ctypes": ("import ctypes\nctypes.string_at(0)", (THROW,)),
    "frozen broken open": ("import gg\np = gg.tasks.TaskPatch()\nobject.__setattr__(p, 'title', 3)\ngg.tasks.update_task('a', p)", (API,)),
    "class of an argument swapped": ("import gg\nclass P(gg.tasks.TaskPatch): pass\np = object.__new__(P)\ngg.tasks.update_task('a', p)", (THROW, API)),
    "fake member": ("import gg\nm = object.__new__(gg.tasks.TaskStatus)\ngg.tasks.update_task('a', gg.tasks.TaskPatch(status=m))", (API,)),
    "raise a class that lies": ("class M(type):\n    def __instancecheck__(c, o): return True\n    __name__ = property(lambda c: 1/0)\nclass E(Exception, metaclass=M):\n    def __str__(self): raise SystemExit\n    __class__ = property(lambda s: 1/0)\n    __cause__ = property(lambda s: 1/0)\nraise E", (THROW,)),
    "traceback patched": ("import traceback, linecache\nfor m in (traceback, linecache):\n    for n in list(vars(m)):\n        if not n.startswith('__'): setattr(m, n, None)\nraise ValueError('own words')", (THROW,)),
    "own traceback edited": ("e = ValueError('x')\ntry: raise e\nexcept ValueError: pass\ne.__context__ = e\nraise e", (THROW,)),
    "raise in a finaliser": ("class D:\n    def __del__(self): raise SystemExit(9)\nd = D()\ndel d\nprint('on')", (None,)),
    "builtins replaced": ("import builtins\nfor n in list(vars(builtins)):\n    if n not in ('__build_class__', '__import__', 'ValueError', 'setattr', 'print') and not n.startswith('__'):\n        setattr(builtins, n, print)\nraise ValueError('own')", (THROW,)),
    "import replaced": ("import builtins\nbuiltins.__import__ = None\nimport gg", (THROW,)),
    "isinstance lies": ("import builtins, gg\nbuiltins.isinstance = lambda *a: True\nbuiltins.type = lambda *a: str\ngg.files.read_file(3)", (API,)),
    "stdout replaced": ("import sys\nclass S:\n    def write(self, t): raise KeyboardInterrupt\n    flush = write\nsys.stdout = sys.stderr = S()\nprint('x')", (THROW,)),
    "exit in finally": ("import os\ntry:\n    raise ValueError\nfinally:\n    os._exit(4)", (TRAP,)),
    "exit in a finaliser": ("import os\nclass D:\n    def __del__(self): os._exit(4)\nd = D()", (TRAP, None)),
    "exit function restored": ("import sys\nsys.setrecursionlimit(10**9)\ndef f(): f()\nf()", (THROW,)),
    "recursion in repr": ("a = []\nfor n in range(100_000): a = [a]\nrepr(a)", (THROW,)),
    "recursion in json": ("import json\na = []\nfor n in range(100_000): a = [a]\njson.dumps(a)", (THROW,)),
    "recursion in pickle": ("import pickle\na = []\nfor n in range(100_000): a = [a]\npickle.dumps(a)", (THROW,)),
    "recursion in ==": ("a = b = []\nfor n in range(1000_000): a, b = [a], [b]\na == b", (THROW, TRAP)),
    "recursion in del": ("a = []\nfor n in range(1_000_000): a = [a]\ndel a\nprint('done')", (None, TRAP)),
    "recursion in the parser": ("eval('-' * 100_000 + '1')", (THROW, MEMORY)),
    "recursion in compile": ("eval('+'.join(['a'] * 200_000))", (THROW, MEMORY, NAME)),
    "recursion in a generator": ("def g():\n    yield from g()\nlist(g())", (THROW,)),
    "recursion while handling recursion": ("def f():\n    try: f()\n    finally: f()\nf()", (THROW, TIME)),
    "generator that never ends": ("def g():\n    while True:\n        try: yield\n        except GeneratorExit: pass\nx = g(); next(x)\nx.close()", (THROW,)),
    "catastrophic regex": ("import re\nre.match('(a*)*b', 'a' * 40)", (TIME,)),
    "huge number": ("x = 10 ** (10 ** 8)\nprint(len(str(x)))", (TIME, THROW, MEMORY)),
    "huge shift": ("x = 1 << (1 << 40)", (MEMORY, THROW)),
    "huge list": ("x = [0] * (1 << 30)", (MEMORY,)),
    "memory caught for ever": ("kept = []\nwhile True:\n    try:\n        while True: kept.append(bytearray(1 << 16))\n    except MemoryError:\n        pass", (TIME, MEMORY, TRAP)),
    "loop": ("while True: pass", (TIME,)),
    "loop that catches all": ("while True:\n    try:\n        while True: pass\n    except BaseException: pass", (TIME,)),
    "bad bytes as source": ("exec(b'\\xff')", (THROW,)),
    "code from bytes": ("import types\nc = (lambda: 0).__code__.replace(co_code=bytes(range(256)) * 10)\nexec(c)", (THROW, TRAP, None, NAME, TIME, MEMORY)),
    "marshal": ("import marshal\nmarshal.loads(b'\\xe3' + b'\\xff' * 100)", (THROW, TRAP, MEMORY)),
    "trace and profile": ("import sys\ndef t(*a): raise ValueError('in the tracer')\nsys.settrace(t)\ndef f(): pass\nf()", (THROW,)),
    "audit hook": ("import sys\nsys.addaudithook(lambda *a: (_ for _ in ()).throw(ValueError('hook')))\nimport gg\ncompile('1', 'x', 'exec')", (THROW, TRAP)),
    "exception hook": ("import sys\nsys.excepthook = lambda *a: print('hook')\nraise ValueError('own')", (THROW,)),
    "interpreter flags": ("import _testcapi", (THROW,)),
    "fault handler": ("import faulthandler\nfaulthandler._sigsegv()", (TRAP, THROW, None)),
    "null read": ("import faulthandler\nfaulthandler._read_null()", (TRAP, THROW, None)),
    "deadlock": ("import threading\nl = threading.Lock()\nl.acquire(); l.acquire()", (THROW, TRAP)),
    "surrogates everywhere": ("import sys\nprint('\\ud800')\nsys.stderr.write('\\udfff')\nraise ValueError('\\udc80')", (THROW,)),
    "a megabyte of NUL": ("print('\\0' * (1 << 20))", (None,)),
    "frames of the runner": ("import sys\nf = sys._getframe()\nwhile f.f_back: f = f.f_back\nf.f_globals.clear()\nraise ValueError('own')", (THROW, TRAP)),
}  # fmt: skip
"""Name to program and what it may be filed as; None is a program that ends well."""


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_host_lives_and_the_next_run_is_untouched(run: Any, name: str) -> None:
    from gg_host.failures import ErrorCode, Failure

    def answer(_operation: str, _arguments: tuple[Any, ...]) -> Any:
        raise Failure(ErrorCode.NOT_FOUND, "no such thing")

    program, allowed = PROGRAMS[name]
    report = run(program, answer, seconds=2, memory=192 << 20)
    assert report.outcome.value in ("error", "progressed"), report.fault
    assert report.error_type in allowed, (report.error_type, report.text[:2000], report.stderr)
    if "own" in program and report.error_type == THROW:
        assert "own" in report.text
    clean = run(
        "import gg, builtins, sys\nassert type('x') is str and isinstance(1, int)\nprint(gg.files.read_text_file('a'), len(sys.modules) > 300)\n",
        lambda *_: "ok",
    )
    assert clean.logs == ("ok True",), clean.text


def test_a_program_that_takes_the_reporter_apart_is_still_an_error(run: Any) -> None:
    program = """
import gc
for found in gc.get_objects():
    if type(found) is dict and "_report_error" in found:
        found["_message"] = found["_location"] = found["_sendable"] = None
raise ValueError("own")
"""
    report = run(program)
    assert report.outcome.value == "error"
