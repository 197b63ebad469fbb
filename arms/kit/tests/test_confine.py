"""Confined runs: programs really try to get out, to take too much and to outlive their run."""

from __future__ import annotations

import os
import socket
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from gg_arm_kit import confine, launching
from gg_arm_kit.errors import KitError
from gg_arm_kit.limits import (
    Cancelled,
    Completed,
    CpuLimit,
    Exited,
    Limits,
    MemoryLimit,
    OutputLimit,
    ProcessLimit,
    Signalled,
    WallLimit,
)
from gg_arm_kit.workspace import Workspace

PLENTY = Limits(cpu_secs=20, memory_bytes=1 << 30, wall_secs=60)
PYTHON = [Path(sys.prefix), Path(sys.base_prefix)]


def needs(name: str) -> pytest.MarkDecorator:
    """Skip where this machine cannot confine ``name``, with the kernel's reason."""
    reason = launching.missing().get(name)
    return pytest.mark.skipif(reason is not None, reason=f"not confined here: {name}: {reason}")


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace(tmp_path) as made:
        yield made


def python(
    workspace: Workspace, code: str, limits: Limits = PLENTY, cancel: threading.Event | None = None, *arguments: str
) -> Completed:
    return workspace.run(
        [sys.executable, "-I", "-S", "-c", textwrap.dedent(code), *arguments],
        limits,
        readable=PYTHON,
        cancel=cancel,
    )


def alive(marker: str) -> list[int]:
    """Processes, zombies too, whose command line or environment holds ``marker``."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                text = (entry / "cmdline").read_bytes() + (entry / "environ").read_bytes()
            except OSError:
                continue
            if marker.encode() in text:
                found.append(int(entry.name))
    return found


def assert_gone(marker: str) -> None:
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        if not alive(marker):
            return
        time.sleep(0.02)
    raise AssertionError(f"still alive: {alive(marker)}")


def test_output_input_and_status_come_back(workspace: Workspace) -> None:
    done = workspace.run(["sh", "-c", "cat; echo err >&2; exit 7"], PLENTY, stdin=b"in\0put")
    assert (done.stdout, done.stderr, done.ending) == (b"in\0put", b"err\n", Exited(7))
    assert not done.ok
    assert workspace.run(["true"], PLENTY).ok


def test_large_input_and_output_do_not_block_each_other(workspace: Workspace) -> None:
    data = os.urandom(1 << 20) * 3
    done = workspace.run(["sh", "-c", "tee /dev/fd/2"], PLENTY, stdin=data, readable=[Path("/proc")])
    assert (len(done.stdout), len(done.stderr), done.ending) == (len(data), len(data), Exited(0))


def test_a_crash_is_told_by_its_signal(workspace: Workspace) -> None:
    done = workspace.run(["sh", "-c", "kill -SEGV $$"], PLENTY)
    assert done.ending == Signalled(11)
    assert "SIGSEGV" in str(done.ending)


def test_the_environment_is_what_was_given(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GG_SECRET", "do not tell")
    done = workspace.run(["env"], PLENTY, env={"MORE": "1"})
    names = {line.partition(b"=")[0].decode() for line in done.stdout.splitlines()}
    assert names == {*workspace.environment(), "MORE"}
    assert b"do not tell" not in done.stdout


def test_the_workspace_is_writable_private_and_removed(tmp_path: Path) -> None:
    with Workspace(tmp_path) as made:
        done = made.run(["sh", "-c", 'pwd; echo a > f; echo b > "$HOME/g"; echo c > "$TMPDIR/h"; umask'], PLENTY)
        assert done.ending == Exited(0), done.stderr
        assert done.stdout.split() == [str(made.folder).encode(), b"0077"]
        assert (made.folder / "f").read_text() == "a\n"
        assert made.folder.parent.stat().st_mode & 0o777 == 0o700
    assert list(tmp_path.iterdir()) == []
    made.close()


@needs("files")
def test_a_file_outside_cannot_be_read(workspace: Workspace, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("treasure")
    link = workspace.folder / "link"
    link.symlink_to(secret)
    (workspace.folder / "hard").touch()
    for path in (secret, link, Path("/etc/passwd"), Path("/etc/shadow"), Path("/proc/1/environ")):
        done = workspace.run(["cat", path], PLENTY)
        assert done.ending == Exited(1), path
        assert b"ermission denied" in done.stderr
        assert done.stdout == b""
    assert workspace.run(["ls", "/"], PLENTY).ending != Exited(0)


@needs("files")
def test_nothing_outside_can_be_changed(workspace: Workspace, tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_text("as it was")
    for script in (
        f"echo x > {tmp_path}/new",
        f"echo x > {target}",
        f"rm {target}",
        f"mv {target} {tmp_path}/moved",
        f"ln {target} {workspace.folder}/hard && echo x > {workspace.folder}/hard",
        f"mkdir {tmp_path}/folder",
        "echo x > /dev/shm/gg-confine-test",
        "echo x > /usr/gg-confine-test",
    ):
        done = workspace.run(["sh", "-c", script], PLENTY)
        assert done.ending != Exited(0), script
    assert target.read_text() == "as it was"
    assert {entry.name for entry in tmp_path.iterdir()} == {"target", workspace.folder.parent.name}


@needs("calls")
def test_modes_and_times_of_files_stay(workspace: Workspace, tmp_path: Path) -> None:
    """Landlock lets everybody change those of a file they own, wherever it lies."""
    target = tmp_path / "target"
    target.write_text("")
    target.chmod(0o600)
    before = target.stat()
    code = f"""
        import ctypes, os
        path = {str(target)!r}
        os.chmod(path, 0o777)
        os.utime(path, (1, 1))
        os.chown(path, os.getuid(), os.getgid())
        os.setxattr(path, "user.gg", b"x")
        for number, arguments in (
            (90, (path.encode(), 0o777)),  # chmod
            (268, (-100, path.encode(), 0o777)),  # fchmodat
            (452, (-100, path.encode(), 0o777, 0)),  # fchmodat2
            (235, (path.encode(), None)),  # utimes
        ):
            ctypes.CDLL(None).syscall(number, *arguments)
        with open("own", "w") as own:
            os.fchmod(own.fileno(), 0o777)
        print("done")
    """
    assert python(workspace, code).stdout == b"done\n"
    after = target.stat()
    assert (after.st_mode, after.st_mtime_ns, after.st_uid) == (before.st_mode, before.st_mtime_ns, before.st_uid)
    assert after.st_ctime_ns == before.st_ctime_ns
    assert (workspace.folder / "own").stat().st_mode & 0o777 == 0o600


@needs("files")
def test_what_was_written_cannot_be_run_unless_asked(workspace: Workspace) -> None:
    script = "cp /bin/true mine && ./mine"
    assert workspace.run(["sh", "-c", script], PLENTY).ending == Exited(126)
    assert workspace.run(["sh", "-c", script], PLENTY, executable=True).ending == Exited(0)


def reach(workspace: Workspace, address: str) -> Completed:
    code = f"""
        import socket
        try:
            family, kind, to = {address}
            channel = socket.socket(family, kind)
            channel.connect(to)
            channel.send(b"hello")
        except OSError as error:
            print("refused", error.errno)
        else:
            print("reached")
    """
    return python(workspace, code)


@pytest.mark.skipif(
    {"network", "calls", "files"} <= set(launching.missing()), reason="nothing confines the network on this machine"
)
def test_no_network_not_even_loopback(workspace: Workspace, tmp_path: Path) -> None:
    unix = str(tmp_path / "socket")
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp,
        socket.socket(socket.AF_UNIX) as path,
        socket.socket(socket.AF_UNIX) as abstract,
    ):
        udp.bind(("127.0.0.1", 0))
        path.bind(unix)
        path.listen()
        abstract.bind(f"\0gg-confine-{os.getpid()}")
        abstract.listen()
        for address in (
            f"(socket.AF_INET, socket.SOCK_STREAM, {tcp.getsockname()})",
            f"(socket.AF_INET, socket.SOCK_DGRAM, {udp.getsockname()})",
            f"(socket.AF_UNIX, socket.SOCK_STREAM, {unix!r})",
            f"(socket.AF_UNIX, socket.SOCK_STREAM, {abstract.getsockname()!r})",
        ):
            done = reach(workspace, address)
            assert done.stdout.startswith(b"refused"), (address, done)


@needs("calls")
def test_dangerous_calls_are_refused_and_ordinary_ones_work(workspace: Workspace) -> None:
    code = """
        import ctypes, os, socket, subprocess, threading
        libc = ctypes.CDLL(None, use_errno=True)
        def call(number, *arguments):
            ctypes.set_errno(0)
            return libc.syscall(number, *arguments), ctypes.get_errno()
        print(call(272, 0x10000000), call(101, 0, 0, 0, 0), call(425, 1, 0), call(321, 0, 0, 0), call(435, 0, 0))
        print(call(56, 0x10000000 | 17, 0, 0, 0, 0))
        one, two = socket.socketpair() if False else os.pipe()
        seen = []
        thread = threading.Thread(target=seen.append, args=[1]); thread.start(); thread.join()
        print(seen, subprocess.run(["/bin/echo", "child"], capture_output=True).stdout)
    """
    done = python(workspace, code)
    assert done.stdout.decode().splitlines() == [
        "(-1, 1) (-1, 1) (-1, 1) (-1, 1) (-1, 38)",
        "(-1, 1)",
        "[1] b'child\\n'",
    ], done.stderr


def test_no_privilege_is_left(workspace: Workspace) -> None:
    done = workspace.run(
        ["grep", "-E", "^(CapEff|CapPrm|NoNewPrivs)", "/proc/self/status"], PLENTY, readable=[Path("/proc")]
    )
    assert [line.split()[1].lstrip(b"0") for line in done.stdout.splitlines()] == [b"", b"", b"1"]


@needs("processes")
def test_other_processes_cannot_be_seen_or_signalled(workspace: Workspace) -> None:
    done = python(
        workspace,
        f"""
        import os
        print(os.getpid() < 10)
        try:
            os.kill({os.getpid()}, 0)
        except OSError as error:
            print("refused", error.errno)
    """,
    )
    assert done.stdout.split() == [b"True", b"refused", b"3"]


def test_a_spin_reaches_the_cpu_limit(workspace: Workspace) -> None:
    limits = Limits(cpu_secs=0.3, memory_bytes=1 << 30, wall_secs=60)
    done = python(workspace, "while True: pass", limits)
    assert done.ending == CpuLimit(0.3)
    assert 0.3 < done.cpu_secs < 1.0
    assert "CPU limit" in str(done.ending)


def test_processor_time_of_children_counts(workspace: Workspace) -> None:
    limits = Limits(cpu_secs=0.5, memory_bytes=1 << 30, wall_secs=60)
    code = """
        import os
        while True:
            child = os.fork()
            if child == 0:
                for _ in range(10**6): pass
                os._exit(0)
            os.waitpid(child, 0)
    """
    assert python(workspace, code, limits).ending == CpuLimit(0.5)


def test_a_sleep_reaches_the_wall_limit(workspace: Workspace) -> None:
    limits = Limits(cpu_secs=20, memory_bytes=1 << 30, wall_secs=0.3)
    done = workspace.run(["sleep", "1000"], limits)
    assert done.ending == WallLimit(0.3)
    assert 0.3 <= done.wall_secs < 1.5


def test_a_gigabyte_reaches_the_memory_limit(workspace: Workspace) -> None:
    limits = Limits(cpu_secs=20, memory_bytes=200 << 20, wall_secs=60)
    done = python(workspace, "block = bytearray(1 << 30); import time; time.sleep(60)", limits)
    assert done.ending == MemoryLimit(200 << 20)
    assert done.peak_bytes > 200 << 20


def test_memory_of_the_whole_tree_counts(workspace: Workspace) -> None:
    limits = Limits(cpu_secs=20, memory_bytes=200 << 20, wall_secs=60)
    code = """
        import os, time
        for _ in range(4):
            if os.fork() == 0:
                block = bytearray(80 << 20); time.sleep(60)
        time.sleep(60)
    """
    assert python(workspace, code, limits).ending == MemoryLimit(200 << 20)


def test_address_space_alone_is_not_memory(workspace: Workspace) -> None:
    limits = Limits(cpu_secs=20, memory_bytes=200 << 20, wall_secs=60)
    done = python(workspace, "import mmap; block = mmap.mmap(-1, 16 << 30); print(len(block))", limits)
    assert (done.ending, done.stdout.strip()) == (Exited(0), str(16 << 30).encode())


@pytest.mark.parametrize("stream", ["", " >&2"])
def test_endless_output_reaches_the_output_limit(workspace: Workspace, stream: str) -> None:
    limits = Limits(cpu_secs=20, memory_bytes=1 << 30, wall_secs=60, output_bytes=100_000)
    done = workspace.run(["sh", "-c", f"yes{stream}"], limits)
    assert done.ending == OutputLimit(100_000)
    assert max(len(done.stdout), len(done.stderr)) == 100_000


def test_a_fork_bomb_is_bounded_and_leaves_nothing(workspace: Workspace) -> None:
    marker = f"gg-bomb-{os.getpid()}-{time.monotonic_ns()}"
    limits = Limits(cpu_secs=20, memory_bytes=4 << 30, wall_secs=20, processes=50)
    code = """
        import os
        while True:
            try:
                os.fork()
            except OSError:
                pass
    """
    done = python(workspace, code, limits, None, marker)
    assert done.ending == ProcessLimit(50)
    assert_gone(marker)


def test_a_file_larger_than_allowed_is_not_written(workspace: Workspace) -> None:
    limits = Limits(cpu_secs=20, memory_bytes=1 << 30, wall_secs=60, file_bytes=1 << 20)
    done = workspace.run(["sh", "-c", "head -c 5000000 /dev/zero > big"], limits)
    assert done.ending != Exited(0)
    assert (workspace.folder / "big").stat().st_size == 1 << 20


def orphan_scripts() -> dict[str, str]:
    return {
        "background": "sleep 1000 & exit 0",
        "own session": "setsid sleep 1000 & exit 0",
        "double fork": "(setsid sh -c 'sleep 1000 & sleep 1000' &) ; sleep 0.1; exit 0",
        "deaf": "trap '' TERM HUP INT; (trap '' TERM HUP INT; sleep 1000) & exit 0",
    }


@pytest.mark.parametrize("name", orphan_scripts())
def test_nothing_outlives_a_run(workspace: Workspace, name: str) -> None:
    marker = f"gg-orphan-{os.getpid()}-{time.monotonic_ns()}"
    done = workspace.run(["sh", "-c", orphan_scripts()[name]], PLENTY, env={"MARKER": marker})
    assert done.ending == Exited(0)
    assert done.wall_secs < 5
    assert_gone(marker)


def test_a_run_can_be_cancelled_from_another_thread(workspace: Workspace) -> None:
    cancel = threading.Event()
    timer = threading.Timer(0.2, cancel.set)
    timer.start()
    done = python(workspace, "import time; time.sleep(1000)", PLENTY, cancel)
    timer.join()
    assert done.ending == Cancelled()
    assert done.wall_secs < 2


def test_an_interrupt_of_the_host_leaves_nothing(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    marker = f"gg-interrupt-{os.getpid()}-{time.monotonic_ns()}"

    def interrupted(_: object) -> None:
        assert alive(marker), "the program must run when the interrupt comes"
        raise KeyboardInterrupt

    monkeypatch.setattr(confine.Watch, "look", interrupted)
    with pytest.raises(KeyboardInterrupt):
        workspace.run(["sleep", "1000"], PLENTY, env={"MARKER": marker})
    assert_gone(marker)


def test_sixteen_runs_at_once_keep_apart(tmp_path: Path) -> None:
    def one(number: int) -> tuple[bytes, str]:
        with Workspace(tmp_path) as made:
            script = f"echo {number} > mine; sleep 0.1; cat mine; ls | wc -l"
            return made.run(["sh", "-c", script], PLENTY).stdout, str(made.folder)

    with ThreadPoolExecutor(16) as pool:
        results = list(pool.map(one, range(16)))
    assert [stdout for stdout, _ in results] == [f"{number}\n1\n".encode() for number in range(16)]
    assert len({folder for _, folder in results}) == 16
    assert list(tmp_path.iterdir()) == []


def bad_commands() -> dict[str, Callable[[Workspace], object]]:
    gone = Path("/nowhere/at/all")
    return {
        "no such program: no-such-program": lambda made: made.run(["no-such-program"], PLENTY),
        "/nowhere/at/all": lambda made: made.run(["true"], PLENTY, readable=[gone]),
        "could not be started": lambda made: made.run(["true"], PLENTY, cwd=gone),
        "no such program": lambda made: made.run([made.folder], PLENTY),
    }


@pytest.mark.parametrize("words", bad_commands())
def test_what_cannot_be_started_is_told(workspace: Workspace, words: str) -> None:
    with pytest.raises(KitError) as told:
        bad_commands()[words](workspace)
    assert all(word in str(told.value) for word in words.split(": "))


def test_descriptors_do_not_leak(workspace: Workspace) -> None:
    workspace.run(["true"], PLENTY)
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(20):
        workspace.run(["true"], PLENTY)
    with pytest.raises(KitError):
        workspace.run(["no-such-program"], PLENTY)
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_no_descriptor_of_the_host_is_inherited(workspace: Workspace) -> None:
    done = python(workspace, "import os; print(sorted(os.listdir('/proc/self/fd')))", PLENTY)
    listed = workspace.run(["ls", "/proc/self/fd"], PLENTY, readable=[Path("/proc")])
    assert listed.stdout.split() == [b"0", b"1", b"2", b"3"], done  # 3 is the folder being listed


def test_capabilities_say_what_is_confined() -> None:
    told = {each.name: each for each in confine.capabilities()}
    assert len(told) == 5
    for each in told.values():
        assert each.active == (each.reason == "active")
