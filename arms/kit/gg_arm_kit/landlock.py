"""Landlock: which files a process and its descendants may reach, whoever they run as. By direct system calls.

See landlock(7): rights and structures below are those of ``linux/landlock.h`` up to version 7 of the interface.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Sequence

from gg_arm_kit import syscalls

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_RULE_PATH_BENEATH = 1

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_REFER, _TRUNCATE, _IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
_FIRST_VERSION = (1 << 13) - 1
_MAKE_CHAR, _MAKE_BLOCK = 1 << 6, 1 << 11

_READ = _EXECUTE | _READ_FILE | _READ_DIR
_WRITE = ((_FIRST_VERSION | _REFER | _TRUNCATE) & ~_EXECUTE) & ~(_MAKE_CHAR | _MAKE_BLOCK)
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV


def version() -> int:
    """The kernel's version of the interface.

    Raises:
        OSError: the kernel has none, or it is switched off.
    """
    return syscalls.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(1))


def restrict(readable: Sequence[str], writable: Sequence[str]) -> None:
    """Confine this process for good. ``syscalls.gain_nothing`` comes first.

    Parameters:
        readable: files and folders to read and run; folders with all that is below.
        writable: files and folders to read and change, but not run.

    Raises:
        OSError: a path cannot be opened, or the kernel has no Landlock.
    """
    known = version()
    handled = _FIRST_VERSION
    for since, right in ((2, _REFER), (3, _TRUNCATE), (5, _IOCTL_DEV)):
        if known >= since:
            handled |= right
    attributes = [handled]
    if known >= 4:
        attributes.append(0b11)  # TCP: no bind, no connect
    if known >= 6:
        attributes.append(0b11)  # no abstract Unix socket, no signal to a process outside
    ruleset_of = (ctypes.c_uint64 * len(attributes))(*attributes)
    ruleset = syscalls.syscall(
        _CREATE_RULESET, ctypes.byref(ruleset_of), ctypes.c_size_t(ctypes.sizeof(ruleset_of)), ctypes.c_uint32(0)
    )
    try:
        for paths, rights in ((readable, _READ), (writable, _WRITE)):
            for path in paths:
                _allow(ruleset, path, rights & handled)
        syscalls.syscall(_RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint32(0))
    finally:
        os.close(ruleset)


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def _allow(ruleset: int, path: str, rights: int) -> None:
    opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        if not os.path.isdir(path):  # noqa: PTH112 - the launcher loads few modules
            rights &= _OF_FILES
        rule = _PathBeneath(rights, opened)
        syscalls.syscall(
            _ADD_RULE, ctypes.c_int(ruleset), ctypes.c_int(_RULE_PATH_BENEATH), ctypes.byref(rule), ctypes.c_uint32(0)
        )
    finally:
        os.close(opened)
