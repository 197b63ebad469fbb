"""The launcher: a small process of one thread that starts confined programs for the host process.

Forking a large process of many threads is slow and unsafe, so the host keeps this one warm. It reads requests from a
Unix socket (``u32 length, JSON``, with four descriptors: stdin, stdout, stderr, status) and ends when that socket
does. For each request it makes two processes: a keeper, first process of a PID namespace of its own, whose end is the
end of everything below it, and under it the program. On the status socket (one JSON text a packet) the launcher tells
``{"started": pid}`` with a pidfd of the keeper, the program ``{"failed": reason}`` if it could not start, and the
keeper how it ended: ``{"status": wait status, "cpu": seconds, "peak": bytes}``.
"""

from __future__ import annotations

import array
import contextlib
import ctypes  # noqa: F401 - loaded before the first fork
import gc
import json
import os
import resource
import signal
import socket
import struct
from typing import Any

from gg_arm_kit import landlock, seccomp, syscalls

Request = dict[str, Any]
DESCRIPTORS = 4
SYSTEM_READABLE = sorted(
    {
        os.path.realpath(path)
        for path in (
            *("/usr", "/bin", "/sbin", "/lib", "/lib64"),
            *("/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime"),
            *("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"),
            *("/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/sys/vm/overcommit_memory"),
            *("/sys/devices/system/cpu", "/sys/kernel/mm/transparent_hugepage"),
        )
        if os.path.exists(path)  # noqa: PTH110 - this process loads few modules
    }
)
"""What programs of a system need to start: libraries, plain devices, what the processor is. No home, no /tmp, no
/proc of processes (a program that insists is given ``/proc``: other processes' memory and environment stay closed)."""

SYSTEM_WRITABLE = ["/dev/null"]

_landlock: landlock.Landlock | None = None
_PYTHON_IGNORES = (signal.SIGPIPE, signal.SIGXFSZ)
"""Programs expect to die of these."""


def main(descriptor: int, with_pids: bool = True) -> None:
    """Serve requests until the host closes its end of the socket ``descriptor``; ``with_pids`` False makes no PID
    namespaces, as on a machine that has none.
    """
    host = socket.socket(fileno=descriptor)
    host.set_inheritable(False)
    # The kernel reaps keepers by itself. Each child sets this back.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    missing = _enter_namespaces()
    if not with_pids:
        missing["processes"] = "switched off"
    host.sendall(_framed({"missing": missing}))
    gc.disable()
    gc.freeze()
    while (request := _receive(host)) is not None:
        _start(request[0], request[1], "processes" not in missing)
        for each in request[1]:
            os.close(each)


def _framed(message: object) -> bytes:
    text = json.dumps(message).encode()
    return struct.pack("<I", len(text)) + text


def _enter_namespaces() -> dict[str, str]:
    """Leave the machine's network and IPC for good; returns what this kernel or user cannot do, and why."""
    missing: dict[str, str] = {}
    own = syscalls.CLONE_NEWNET | syscalls.CLONE_NEWIPC
    try:
        syscalls.unshare(own)
    except OSError:
        try:
            user, group = os.geteuid(), os.getegid()
            syscalls.unshare(syscalls.CLONE_NEWUSER | own)
            for name, text in (
                ("setgroups", "deny"),
                ("uid_map", f"{user} {user} 1"),
                ("gid_map", f"{group} {group} 1"),
            ):
                with open(f"/proc/self/{name}", "w", encoding="ascii") as file:  # noqa: PTH123
                    file.write(text)
        except OSError as error:
            missing["network"] = f"no network namespace: {error.strerror}"
    for name, attempt in (("processes", _try_pids), ("files", _prepare_landlock), ("calls", _filter_calls)):
        try:
            attempt()
        except OSError as error:
            missing[name] = error.strerror or str(error)
    return missing


def _try_pids() -> None:
    process, pidfd = syscalls.clone(syscalls.CLONE_NEWPID)
    if process == 0:
        os._exit(0)
    os.close(pidfd)


def _prepare_landlock() -> None:
    global _landlock
    _landlock = landlock.Landlock(SYSTEM_READABLE, SYSTEM_WRITABLE)


def _filter_calls() -> None:
    """For this process and so for all it starts; it needs none of the denied calls any more."""
    syscalls.gain_nothing()
    seccomp.restrict()


def _receive(host: socket.socket) -> tuple[Request, list[int]] | None:
    """The next request and its descriptors; None when the host is gone."""
    found = array.array("i")
    data, ancillary, _, _ = host.recvmsg(
        1 << 16, socket.CMSG_SPACE(DESCRIPTORS * found.itemsize), socket.MSG_CMSG_CLOEXEC
    )
    for level, kind, content in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            found.frombytes(content[: len(content) - len(content) % found.itemsize])
    length: int | None = None
    while True:
        if not data:
            return None
        if length is None and len(data) >= 4:
            length = struct.unpack("<I", data[:4])[0]
        if length is not None and len(data) >= 4 + length:
            break
        more = host.recv(1 << 16)
        if not more:
            return None
        data += more
    return json.loads(data[4:]), list(found)


def _start(request: Request, descriptors: list[int], with_pids: bool) -> None:
    keeper, pidfd = syscalls.clone(syscalls.CLONE_NEWPID if with_pids else 0)
    if keeper == 0:
        try:
            _keep(request, descriptors)
        finally:
            os._exit(1)
    with socket.socket(fileno=os.dup(descriptors[3])) as status, contextlib.suppress(OSError):  # the host may be gone
        socket.send_fds(status, [json.dumps({"started": keeper}).encode()], [pidfd])
    os.close(pidfd)


def _tell(descriptors: list[int], message: object) -> None:
    os.write(descriptors[3], json.dumps(message).encode())


def _keep(request: Request, descriptors: list[int]) -> None:
    """Start the program, reap whatever becomes an orphan, and tell how the program ended."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    start = _start_in_namespace if os.getpid() == 1 else _start_below
    try:
        program = start(request, descriptors)
    except BaseException as error:  # the caller must hear of it, whatever it is
        _tell(descriptors, {"failed": str(error)})
        raise
    for each in descriptors[:3]:
        os.close(each)
    while True:
        ended, status, usage = os.wait4(-1, 0)
        if ended == program:
            break
    total = resource.getrusage(resource.RUSAGE_CHILDREN)
    _tell(
        descriptors,
        {"status": status, "cpu": total.ru_utime + total.ru_stime, "peak": usage.ru_maxrss * 1024},
    )
    if os.getpid() != 1:
        _end_below()
    os._exit(0)


def _start_in_namespace(request: Request, descriptors: list[int]) -> int:
    """The kernel ends everything in a PID namespace with its first process, this one. It confines itself, and what it
    starts inherits that: starting costs no second copy of this process.
    """
    syscalls.die_with_parent(signal.SIGKILL)
    _confine(request)
    return os.posix_spawn(
        request["program"],
        request["argv"],
        request["env"],
        file_actions=[(os.POSIX_SPAWN_DUP2, descriptors[target], target) for target in range(3)],
        setsid=True,
        setsigdef=_PYTHON_IGNORES,
    )


def _start_below(request: Request, descriptors: list[int]) -> int:
    """Without a namespace this process stays unconfined, adopts orphans, and ends everything below it when told by
    SIGTERM, which the kernel sends when the launcher dies.
    """
    syscalls.adopt_orphans()
    signal.signal(signal.SIGTERM, lambda *_: _end_below())
    syscalls.die_with_parent(signal.SIGTERM)
    os.setsid()
    program = os.fork()
    if program:
        return program
    try:
        os.setsid()
        for number in (*_PYTHON_IGNORES, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        syscalls.die_with_parent(signal.SIGKILL)
        _confine(request)
        for target in range(3):
            os.dup2(descriptors[target], target)
        os.execve(request["program"], request["argv"], request["env"])  # noqa: S606 - what the launcher is for
    except BaseException as error:
        _tell(descriptors, {"failed": str(error)})
    finally:
        os._exit(127)


def _end_below() -> None:
    """Kill every descendant, orphans as they come to this process, and end it."""
    while True:
        with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as file:  # noqa: PTH123
            left = file.read().split()
        if not left:
            os._exit(0)
        for each in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(each), signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.wait()


def _confine(request: Request) -> None:
    """Confine this process for good; what it starts inherits all of it."""
    os.umask(0o077)
    os.chdir(request["cwd"])
    for name, value in request["rlimits"].items():
        resource.setrlimit(getattr(resource, name), tuple(value))
    if _landlock is not None:
        _landlock.restrict(request["readable"], request["writable"])
    syscalls.drop_capabilities()
