"""The launcher and warm servers: they die, and the host goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from gg_arm_kit import launching
from gg_arm_kit.limits import (
    Cancelled,
    CpuLimit,
    Exited,
    Limits,
    MemoryLimit,
    OutputLimit,
    Signalled,
    WallLimit,
)
from gg_arm_kit.server import Server, ServerDiedError
from gg_arm_kit.workspace import Workspace

PLENTY = Limits(cpu_secs=20, memory_bytes=1 << 30, wall_secs=60)
PYTHON = [Path(sys.prefix), Path(sys.base_prefix)]
KIT = Path(launching.__file__).parents[1]


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace(tmp_path) as made:
        yield made


def is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def wait_until_gone(*processes: int) -> None:
    deadline = time.monotonic() + 5
    while any(map(is_running, processes)):
        assert time.monotonic() < deadline, [each for each in processes if is_running(each)]
        time.sleep(0.02)


def test_one_launcher_serves_every_run(workspace: Workspace) -> None:
    workspace.run(["true"], PLENTY)
    first = launching._launcher().process.pid
    workspace.run(["true"], PLENTY)
    assert launching._launcher().process.pid == first


def test_a_killed_launcher_is_replaced(workspace: Workspace) -> None:
    workspace.run(["true"], PLENTY)
    first = launching._launcher().process
    os.kill(first.pid, signal.SIGKILL)
    assert workspace.run(["echo", "on"], PLENTY).stdout == b"on\n"
    assert launching._launcher().process.pid != first.pid


def test_a_launcher_killed_during_a_run_takes_the_program_with_it(workspace: Workspace) -> None:
    launching._launcher()
    timer = threading.Timer(0.3, lambda: os.kill(launching._launcher().process.pid, signal.SIGKILL))
    timer.start()
    done = workspace.run(["sleep", "1000"], PLENTY)
    timer.join()
    assert done.ending == Signalled(9)
    assert workspace.run(["true"], PLENTY).ok


def test_sixteen_threads_survive_a_killed_launcher(tmp_path: Path) -> None:
    def one(number: int) -> bytes:
        with Workspace(tmp_path) as made:
            if number == 7:
                os.kill(launching._launcher().process.pid, signal.SIGKILL)
            done = made.run(["echo", str(number)], PLENTY)
            return done.stdout if done.ok else b"killed with the launcher\n"

    with ThreadPoolExecutor(16) as pool:
        results = list(pool.map(one, range(16)))
    for number, result in enumerate(results):
        assert result in (f"{number}\n".encode(), b"killed with the launcher\n")
    assert one(99) == b"99\n"


HOST = """
    import os, signal, sys, threading
    sys.path.insert(0, sys.argv[1])
    from pathlib import Path
    from gg_arm_kit import launching
    from gg_arm_kit.limits import Limits
    from gg_arm_kit.workspace import Workspace
    limits = Limits(cpu_secs=20, memory_bytes=1 << 30, wall_secs=60)
    with Workspace(Path(sys.argv[2])) as made:
        thread = threading.Thread(target=made.run, args=[["sh", "-c", "sleep 1000 & sleep 1000"], limits], daemon=True)
        thread.start()
        launcher = launching._launcher().process.pid
        while True:
            below, waiting = [], [launcher]
            while waiting:
                parent = waiting.pop()
                try:
                    children = [int(each) for each in open(f"/proc/{parent}/task/{parent}/children").read().split()]
                except FileNotFoundError:
                    continue  # it has just ended
                below += children
                waiting += children
            if len(below) >= 4:
                break
        print(launcher, *below, flush=True)
        sys.stdin.read()
"""


def start_host(folder: Path) -> tuple[subprocess.Popen[str], list[int]]:
    """A host process with a run in it, and every process that belongs to the run."""
    host = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(HOST), str(KIT), str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert host.stdout is not None
    processes = [int(each) for each in host.stdout.readline().split()]
    assert len(processes) >= 5
    assert all(map(is_running, processes))
    return host, processes


def test_nothing_outlives_a_host_that_is_killed(tmp_path: Path) -> None:
    host, processes = start_host(tmp_path)
    with host:
        host.kill()
        host.wait()
        wait_until_gone(*processes)


def test_nothing_outlives_a_host_that_ends(tmp_path: Path) -> None:
    host, processes = start_host(tmp_path)
    with host:
        assert host.stdin is not None
        host.stdin.close()
        assert host.wait(10) == 0
        wait_until_gone(*processes)


def test_a_forked_host_starts_a_launcher_of_its_own(workspace: Workspace) -> None:
    workspace.run(["true"], PLENTY)
    code = f"""
        import os, sys
        sys.path.insert(0, {str(KIT)!r})
        from pathlib import Path
        from gg_arm_kit import launching
        from gg_arm_kit.limits import Limits
        from gg_arm_kit.workspace import Workspace
        limits = Limits(cpu_secs=20, memory_bytes=1 << 30, wall_secs=60)
        def run():
            with Workspace(Path({str(workspace.folder)!r})) as made:
                return made.run(["echo", "ok"], limits).stdout, launching._launcher().process.pid
        text, mine = run()
        child = os.fork()
        if child == 0:
            text, its = run()
            os._exit(0 if text == b"ok\\n" and its != mine else 1)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), run() == (b"ok\\n", mine))
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=False)
    assert done.stdout == "0 True\n", done.stderr


@pytest.fixture
def without_namespaces(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As on a machine where no PID namespace can be made."""
    launcher = launching._Launcher(with_pids=False)
    monkeypatch.setattr(launching, "_current", launcher)
    yield
    launcher.close()


@pytest.mark.usefixtures("without_namespaces")
@pytest.mark.parametrize(
    "script", ["sleep 1000 & exit 3", "setsid sh -c 'sleep 1000 & sleep 1000' & sleep 0.1; exit 3"]
)
def test_without_namespaces_nothing_outlives_a_run_either(workspace: Workspace, script: str) -> None:
    assert "processes" in launching.missing()
    done = workspace.run(["sh", "-c", script], PLENTY)
    assert done.ending == Exited(3)
    assert descendants_of_the_launcher() == []


@pytest.mark.usefixtures("without_namespaces")
def test_without_namespaces_a_limit_kills_the_tree(workspace: Workspace) -> None:
    limits = Limits(cpu_secs=20, memory_bytes=1 << 30, wall_secs=0.5)
    done = workspace.run(["sh", "-c", "setsid sleep 1000 & (sleep 1000 &) ; sleep 1000"], limits)
    assert done.ending == WallLimit(0.5)
    assert descendants_of_the_launcher() == []
    assert workspace.run(["sh", "-c", "kill -SEGV $$"], PLENTY).ending == Signalled(11)


def descendants_of_the_launcher() -> list[int]:
    deadline = time.monotonic() + 5
    launcher = launching._launcher().process.pid
    while left := Path(f"/proc/{launcher}/task/{launcher}/children").read_text().split():
        if time.monotonic() > deadline:
            break
        time.sleep(0.02)
    return [int(each) for each in left]


ECHO = """
    import os, struct, sys, time
    block = None
    while header := sys.stdin.buffer.read(4):
        message = sys.stdin.buffer.read(struct.unpack("<I", header)[0])
        if message == b"pid":
            message = str(os.getpid()).encode()
        elif message == b"die":
            print("last words", file=sys.stderr, flush=True)
            os._exit(5)
        elif message == b"crash":
            os.kill(os.getpid(), 11)
        elif message == b"spin":
            while True: pass
        elif message == b"sleep":
            time.sleep(1000)
        elif message == b"eat":
            block = bytearray(1 << 30); time.sleep(1000)
        elif message == b"keep":
            block = bytearray(150 << 20)
        elif message == b"flood":
            while True: sys.stdout.buffer.write(b"\\xff" * 65536)
        elif message == b"garbage":
            os.write(1, b"\\xff\\xff\\xff\\xff")
        sys.stdout.buffer.write(struct.pack("<I", len(message)) + message)
        sys.stdout.buffer.flush()
"""


@pytest.fixture
def server(workspace: Workspace) -> Iterator[Server]:
    with Server(
        [sys.executable, "-I", "-S", "-c", textwrap.dedent(ECHO)],
        cwd=workspace.folder,
        env=workspace.environment(),
        limits=Limits(cpu_secs=1, memory_bytes=200 << 20, wall_secs=5, output_bytes=4 << 20),
        readable=PYTHON,
        writable=[workspace.folder],
    ) as made:
        yield made


def started_as(server: Server) -> int:
    assert server._running is not None
    return server._running.started.keeper


def test_a_server_answers_again_and_again(server: Server) -> None:
    big = os.urandom(3 << 20)
    assert server.request(b"") == b""
    first = started_as(server)
    assert server.request(big) == big
    assert [server.request(str(number).encode()) for number in range(50)] == [b"%d" % number for number in range(50)]
    assert started_as(server) == first


WAYS = {
    b"die": (Exited(5), "last words"),
    b"crash": (Signalled(11), ""),
    b"spin": (CpuLimit(1), ""),
    b"sleep": (WallLimit(5), ""),
    b"eat": (MemoryLimit(200 << 20), ""),
    b"flood": (OutputLimit(4 << 20), ""),
    b"garbage": (OutputLimit(4 << 20), ""),
}


@pytest.mark.parametrize("message", WAYS)
def test_a_server_that_dies_says_how_and_is_started_again(server: Server, message: bytes) -> None:
    ending, words = WAYS[message]
    assert server.request(b"before") == b"before"
    keeper = started_as(server)
    with pytest.raises(ServerDiedError) as died:
        server.request(message)
    assert died.value.ending == ending
    assert died.value.stderr.strip() == words
    wait_until_gone(keeper)
    assert server.request(b"after") == b"after"


def test_processor_time_counts_for_each_request(server: Server) -> None:
    """Many requests together may use more than one request may."""
    limits = Limits(cpu_secs=0.2, memory_bytes=1 << 30, wall_secs=5)
    server.request(b"warm")
    first = started_as(server)
    for _ in range(20):
        assert server.request(b"x" * (1 << 20), limits=limits)
    assert started_as(server) == first


def test_a_server_that_holds_much_memory_is_started_anew(server: Server) -> None:
    server.request(b"before")
    first = started_as(server)
    assert server.request(b"keep") == b"keep"
    wait_until_gone(first)
    assert server.request(b"after") == b"after"


def test_a_server_killed_while_idle_is_started_again(server: Server) -> None:
    server.request(b"x")
    keeper = started_as(server)
    os.kill(keeper, signal.SIGKILL)
    wait_until_gone(keeper)
    assert server.request(b"y") == b"y"


def test_a_request_can_be_cancelled(server: Server) -> None:
    cancel = threading.Event()
    timer = threading.Timer(0.2, cancel.set)
    timer.start()
    with pytest.raises(ServerDiedError) as died:
        server.request(b"sleep", cancel=cancel)
    timer.join()
    assert died.value.ending == Cancelled()
    assert server.request(b"y") == b"y"


def test_requests_of_many_threads_get_their_own_answers(server: Server) -> None:
    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(server.request, [b"%d" % number for number in range(64)]))
    assert answers == [b"%d" % number for number in range(64)]
