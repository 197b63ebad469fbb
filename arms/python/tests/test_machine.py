# ruff: noqa: E501 -- a case of a table is one line, a program in it too
"""The machine a program sees: the run's clock and random numbers, and nothing to reach."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from gg_arm_kit.compile import compiled
from gg_arm_kit.engine import make_engine
from gg_arm_kit.errors import KitError
from gg_arm_python import machine, machine_wat
from wasmtime import component as wit


def test_the_component_imports_no_wasi(host: Any) -> None:
    engine = make_engine()
    component = wit.Component.deserialize_file(engine, str(compiled(host.arm("python").artifact.component)))
    assert {name.partition("/")[0] for name in component.type.imports(engine)} == {"gg:sdk"}


@pytest.mark.parametrize(
    "read",
    [
        "time.time()",
        "time.time_ns() / 1e9",
        "time.monotonic()",
        "time.monotonic_ns() / 1e9",
        "time.perf_counter()",
        "time.clock_gettime(time.CLOCK_REALTIME)",
        "time.clock_gettime(time.CLOCK_MONOTONIC)",
        "datetime.datetime.now().timestamp()",
        "datetime.datetime.now(datetime.UTC).timestamp()",
        "time.mktime(time.localtime())",
        "time.mktime(time.gmtime())",
        "asyncio.new_event_loop().time()",
        "uuid.uuid1().time / 1e7",
        "threading.get_ident() * 0 + time.time()",
    ],
)
@pytest.mark.parametrize(
    "sleep",
    [
        "time.sleep(3600)",
        "asyncio.run(asyncio.sleep(3600))",
        "threading.Event().wait(3600)",
        "select.select([], [], [], 3600)",
    ],
)
def test_a_sleep_returns_at_once_and_shows_on_every_clock(run: Any, read: str, sleep: str) -> None:
    program = (
        "import asyncio, datetime, select, threading, time, uuid\n"
        f"before = {read}\n{sleep}\nafter = {read}\nprint(round(after - before))\n"
    )
    report = run(program, seconds=10)
    assert report.logs == ("3600",), (report.logs, report.text)


def test_many_sleeps_add_up(run: Any) -> None:
    program = (
        "import time\na = time.monotonic()\nfor n in range(5000): time.sleep(0.5)\nprint(round(time.monotonic() - a))\n"
    )
    assert run.logs(program) == ["2500"]


def test_the_clock_is_the_runs_own(run: Any) -> None:
    program = "import time, datetime\nprint(int(time.time()), datetime.datetime.now(datetime.UTC).isoformat()[:16])\n"
    assert run.logs(program) == ["1760000000 2025-10-09T08:53"]


def test_a_queue_gives_up_in_virtual_time(run: Any) -> None:
    program = "import queue, time\na = time.time()\ntry:\n    queue.Queue().get(timeout=60)\nexcept queue.Empty:\n    print(round(time.time() - a))\n"
    assert run.logs(program) == ["60"]


def test_asyncio_in_virtual_time(run: Any) -> None:
    program = """
import asyncio, time

async def step(name, seconds):
    await asyncio.sleep(seconds)
    print(name)
    return name

async def main():
    async with asyncio.TaskGroup() as group:
        group.create_task(step("slow", 20))
        group.create_task(step("fast", 10))
    print(await asyncio.gather(step("a", 2), step("b", 1)))
    try:
        async with asyncio.timeout(5):
            await asyncio.sleep(60)
    except TimeoutError:
        print("timed out")
    queue = asyncio.Queue()
    asyncio.get_running_loop().call_later(3, queue.put_nowait, "queued")
    print(await queue.get())
    print(await asyncio.wait_for(asyncio.sleep(1, "waited"), 2))

began = time.monotonic()
asyncio.run(main())
print(round(time.monotonic() - began))
"""
    assert run.logs(program) == [
        "fast", "slow", "b", "a", "['a', 'b']", "timed out", "queued", "waited", "31"
    ]  # fmt: skip


def test_a_wait_without_end_is_an_error_not_a_hang(run: Any) -> None:
    report = run("import asyncio\nasync def main():\n    await asyncio.Event().wait()\nasyncio.run(main())\n")
    assert report.error_type == "program_throw"
    assert "waits for something that nothing in this program can bring about" in report.text


DRAWS = "import os, random, secrets, uuid, tempfile\nprint(random.random(), secrets.token_hex(4), os.urandom(3), uuid.uuid4(), random.SystemRandom().random())\n"


def test_random_numbers_are_those_of_the_runs_seed(run: Any) -> None:
    first, again, other = (run.logs(DRAWS, seed=seed) for seed in (1, 1, 2))
    assert first == again
    for one, two in zip(first[0].split(), other[0].split(), strict=True):
        assert one != two


def test_many_random_bytes(run: Any) -> None:
    assert run.logs("import os\nb = os.urandom(100_003)\nprint(len(b), len(set(b)))\n") == ["100003 256"]


def test_string_hashes_are_those_of_the_build(run: Any) -> None:
    program = "print(hash('gg'), list({'a', 'b', 'c', 'd'}))\n"
    assert run.logs(program, seed=1) == run.logs(program, seed=2)


@pytest.mark.parametrize(
    "attempt",
    [
        "open('/etc/passwd')",
        "open('program.py')",
        "open('/python/os.py')",
        "open('out.txt', 'w')",
        "os.listdir('/')",
        "os.listdir('.')",
        "os.mkdir('x')",
        "os.stat('/')",
        "pathlib.Path('/0/app.py').read_text()",
        "tempfile.TemporaryFile()",
        "os.open('/', 0)",
        "socket.socket()",
        "socket.create_connection(('127.0.0.1', 80), timeout=1)",
        "socket.getaddrinfo('localhost', 80)",
        "urllib.request.urlopen('http://127.0.0.1/')",
        "subprocess.run(['ls'])",
        "os.system('ls')",
        "os.fork()",
        "os.execv('/bin/ls', ['ls'])",
        "os.kill(1, 9)",
        "threading.Thread(target=print).start()",
        "__import__('ctypes')",
        "importlib.import_module('app')",
        "importlib.import_module('gg_guest')",
        "importlib.import_module('wit_world')",
        "importlib.import_module('componentize_py_runtime')",
        "importlib.machinery.SourceFileLoader('x', '/bundled/poll_loop.py').load_module()",
        "input()",
    ],
)
def test_there_is_nothing_to_reach(run: Any, attempt: str) -> None:
    program = (
        "import importlib.machinery, os, pathlib, socket, subprocess, tempfile, threading, urllib.request\n"
        f"try:\n    {attempt}\nexcept (OSError, ImportError, RuntimeError, AttributeError, NotImplementedError) as error:\n"
        "    print('refused')\nexcept EOFError:\n    print('refused')\n"
    )
    assert run.logs(program) == ["refused"]


def test_there_is_no_environment(run: Any) -> None:
    program = "import os, sys\nprint(dict(os.environ), sys.argv, sys.path, os.getcwd(), os.path.exists('/'))\n"
    assert run.logs(program) == ["{} [] [] / False"]


def test_bytes_written_below_python_are_lines_too(run: Any) -> None:
    program = "import os, sys\nprint('one')\nos.write(1, b'two\\nthr')\nos.write(2, b'\\xff!')\nsys.stdout.buffer.write('vier é\\n'.encode())\n"
    report = run(program)
    assert report.logs == ("one", "two", "thr", "vier é")
    assert report.stderr == "\ufffd!"


def test_a_megabyte_of_text_in_pieces(run: Any) -> None:
    program = "import sys\ntext = ('é😀x' * 100 + '\\n')\nfor n in range(1000):\n    sys.stdout.write(text[:150]); sys.stdout.write(text[150:])\n"
    report = run(program)
    assert (report.logs[-1], len(report.logs) + report.logs_suppressed) == ("é😀x" * 100, 1000)


def test_random_bytes_on_standard_output(run: Any) -> None:
    program = "import os, sys\nfor n in range(200):\n    sys.stdout.buffer.write(os.urandom(97)); os.write(1, os.urandom(50)); sys.stderr.buffer.write(os.urandom(9))\n"
    assert run(program).outcome.value == "progressed"


def test_a_stream_that_was_closed_or_replaced(run: Any) -> None:
    program = "import sys, io\nprint('before', end='')\nsys.stdout.close()\nsys.stderr = None\n"
    assert run.logs(program) == ["before"]
    program = "import sys, io\nold, sys.stdout = sys.stdout, io.StringIO()\nprint('kept away')\nold.write('own')\n"
    assert run.logs(program) == ["own"]


def test_a_skeleton_of_another_form_is_refused() -> None:
    with pytest.raises(KitError, match="of a form that was not met before"):
        machine.module('(module (export "elsewhere|x" (func 0)) (func (;0;) (type 0)))')
    with pytest.raises(KitError, match="exports nothing"):
        machine.module("(module)")


def test_the_machines_world_exports_what_a_component_imports() -> None:
    text = machine.world("world root {\n  import wasi:io/poll@0.2.9;\n  import gg:sdk/files@0.1.0;\n}")
    assert "export wasi:io/poll@0.2.9;" in text
    assert "gg:sdk/files" not in text


def test_every_function_without_a_body_needs_something_that_is_never_handed_out() -> None:
    """A method of a descriptor or socket, or a destructor; all else has an answer."""
    named = {name.rpartition("|")[2] for name in machine_wat.BODIES}
    assert {"get-random-bytes", "exit", "get-directories", "create-tcp-socket", "resolve-addresses"} <= named
    assert Path(machine_wat.__file__).name == "machine_wat.py"
