"""Direct system calls on Linux x86_64 that the standard library lacks; each raises OSError with the kernel's reason."""

from __future__ import annotations

import ctypes
import os

# PyDLL keeps the interpreter's lock during a call: the launcher's ``clone`` returns twice, and its child goes on.
_libc = ctypes.PyDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long

CLONE_NEWNS = 0x0002_0000
CLONE_NEWIPC = 0x0800_0000
CLONE_NEWUSER = 0x1000_0000
CLONE_NEWPID = 0x2000_0000
CLONE_NEWNET = 0x4000_0000

_CLONE, _CAPSET, _PRCTL, _UNSHARE = 56, 126, 157, 272
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER, _PR_SET_NO_NEW_PRIVS = 1, 36, 38
_CAPABILITY_VERSION_3 = 0x2008_0522
_OWN_CAPABILITIES = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
_NO_CAPABILITIES = (ctypes.c_uint32 * 6)()
_SIGCHLD = 17
_CLONE_PIDFD = 0x1000


def syscall(number: int, *arguments: object) -> int:
    """Call the kernel.

    Raises:
        OSError: the kernel refused.
    """
    result = int(_libc.syscall(ctypes.c_long(number), *arguments))
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result


def prctl(option: int, value: int) -> None:
    """Set one property of this process."""
    syscall(_PRCTL, *(ctypes.c_ulong(each) for each in (option, value, 0, 0, 0)))


def clone(flags: int) -> tuple[int, int]:
    """Fork into the new namespaces of ``flags``; for a process of one thread only.

    Returns:
        What ``os.fork`` returns, and in the parent a pidfd of the child (which may have ended by then).
    """
    pidfd = ctypes.c_int(-1)
    unused = ctypes.c_ulong(0)
    process = syscall(
        _CLONE, ctypes.c_ulong(flags | _CLONE_PIDFD | _SIGCHLD), unused, ctypes.byref(pidfd), unused, unused
    )
    return process, pidfd.value


def unshare(flags: int) -> None:
    """Move this process into the new namespaces of ``flags``."""
    syscall(_UNSHARE, ctypes.c_ulong(flags))


def die_with_parent(signal: int) -> None:
    """Have the kernel send ``signal`` to this process when the process that made it dies."""
    prctl(_PR_SET_PDEATHSIG, signal)


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent died."""
    prctl(_PR_SET_CHILD_SUBREAPER, 1)


def gain_nothing() -> None:
    """Never again gain a privilege by running a program."""
    prctl(_PR_SET_NO_NEW_PRIVS, 1)


def drop_capabilities() -> None:
    """Give up every capability; after ``gain_nothing`` running a program as root brings none back."""
    syscall(_CAPSET, ctypes.byref(_OWN_CAPABILITIES), ctypes.byref(_NO_CAPABILITIES))
