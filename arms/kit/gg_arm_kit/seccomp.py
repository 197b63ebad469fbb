"""A system call filter for compilers: no sockets of any kind, no namespaces, mounts, tracing or kernel services, and no
change of a file's mode, owner, times or attributes.

Landlock does not judge a connection to a Unix socket that lies in a folder, nor UDP; without ``socket`` there is none.
``socketpair`` and pipes stay. Numbers are those of x86_64 (``asm/unistd_64.h``).
"""

from __future__ import annotations

import ctypes
import errno
import os

from gg_arm_kit import syscalls

_SECCOMP, _SET_MODE_FILTER = 317, 1
_X86_64 = 0xC000_003E
_X32 = 0x4000_0000
_CLONE, _CLONE3 = 56, 435
_NEW_USER_NAMESPACE = 0x1000_0000
"""A flag of clone. Other namespaces need a capability, which confined programs lack and only a user namespace gives."""

DENIED: dict[str, int] = {
    "socket": 41,
    "ptrace": 101,
    "syslog": 103,
    "pivot_root": 155,
    "adjtimex": 159,
    "chroot": 161,
    "acct": 163,
    "settimeofday": 164,
    "mount": 165,
    "umount2": 166,
    "swapon": 167,
    "swapoff": 168,
    "reboot": 169,
    "sethostname": 170,
    "setdomainname": 171,
    "iopl": 172,
    "ioperm": 173,
    "init_module": 175,
    "delete_module": 176,
    "quotactl": 179,
    "clock_settime": 227,
    "kexec_load": 246,
    "add_key": 248,
    "request_key": 249,
    "keyctl": 250,
    "unshare": 272,
    "perf_event_open": 298,
    "name_to_handle_at": 303,
    "open_by_handle_at": 304,
    "setns": 308,
    "process_vm_readv": 310,
    "process_vm_writev": 311,
    "finit_module": 313,
    "kexec_file_load": 320,
    "bpf": 321,
    "userfaultfd": 323,
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "io_uring_register": 427,
    "open_tree": 428,
    "move_mount": 429,
    "fsopen": 430,
    "fsconfig": 431,
    "fsmount": 432,
    "fspick": 433,
    "pidfd_getfd": 438,
    "mount_setattr": 442,
}
"""What answers EPERM."""

IGNORED: dict[str, int] = {
    "chmod": 90,
    "fchmod": 91,
    "chown": 92,
    "fchown": 93,
    "lchown": 94,
    "utime": 132,
    "setxattr": 188,
    "lsetxattr": 189,
    "fsetxattr": 190,
    "removexattr": 197,
    "lremovexattr": 198,
    "fremovexattr": 199,
    "utimes": 235,
    "fchownat": 260,
    "futimesat": 261,
    "fchmodat": 268,
    "utimensat": 280,
    "fchmodat2": 452,
    "setxattrat": 463,
    "removexattrat": 466,
    "file_setattr": 469,
}
"""What answers that it was done and does nothing. Landlock does not judge it either, so a program could open to others
whatever file its user owns. Tools set modes and times of what they wrote, where nothing depends on them; one that is
refused would give up."""

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW = 0x7FFF_0000
_ERRNO = 0x0005_0000
_NUMBER_AT, _ARCHITECTURE_AT, _FIRST_ARGUMENT_AT = 0, 4, 16

_Instruction = tuple[int, int, int, int]


class _Filter(ctypes.Structure):
    _fields_ = (("code", ctypes.c_uint16), ("jt", ctypes.c_uint8), ("jf", ctypes.c_uint8), ("k", ctypes.c_uint32))


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_uint16), ("filters", ctypes.POINTER(_Filter)))


def _program() -> list[_Instruction]:
    """Classic BPF. Jumps count the instructions to skip."""
    denied = (_RETURN, 0, 0, _ERRNO | errno.EPERM)
    program: list[_Instruction] = [
        (_LOAD, 0, 0, _ARCHITECTURE_AT),
        (_EQUAL, 1, 0, _X86_64),
        denied,
        (_LOAD, 0, 0, _NUMBER_AT),
        (_AT_LEAST, 0, 1, _X32),
        denied,
        # A C library that is told that clone3 does not exist uses clone, whose flags can be read.
        (_EQUAL, 0, 1, _CLONE3),
        (_RETURN, 0, 0, _ERRNO | errno.ENOSYS),
    ]
    for number in DENIED.values():
        program += [(_EQUAL, 0, 1, number), denied]
    for number in IGNORED.values():
        program += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ERRNO)]
    program += [
        (_EQUAL, 0, 3, _CLONE),
        (_LOAD, 0, 0, _FIRST_ARGUMENT_AT),
        (_ANY_BIT, 0, 1, _NEW_USER_NAMESPACE),
        denied,
        (_RETURN, 0, 0, _ALLOW),
    ]
    return program


_FILTERS = (_Filter * len(_program()))(*(_Filter(*instruction) for instruction in _program()))


def restrict() -> None:
    """Filter the calls of this process and of all it starts, for good. ``syscalls.gain_nothing`` comes first.

    Raises:
        OSError: this is not x86_64, or the kernel has no filters.
    """
    if os.uname().machine != "x86_64":
        raise OSError(errno.ENOSYS, f"the filter is written for x86_64, not {os.uname().machine}")
    program = _Program(len(_FILTERS), _FILTERS)
    syscalls.syscall(_SECCOMP, ctypes.c_uint(_SET_MODE_FILTER), ctypes.c_uint(0), ctypes.byref(program))
