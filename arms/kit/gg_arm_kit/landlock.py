"""Landlock: which files a process and its descendants may reach, whoever they run as. By direct system calls.

See landlock(7): rights and structures below are those of ``linux/landlock.h`` up to version 7 of the interface.
"""

from __future__ import annotations

import ctypes
import os
import stat
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


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def _opened(paths: Sequence[str], rights: int) -> list[_PathBeneath]:
    """A rule for each path; each holds a descriptor."""
    rules = []
    for path in paths:
        parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
        is_folder = stat.S_ISDIR(os.fstat(parent).st_mode)
        rules.append(_PathBeneath(rights if is_folder else rights & _OF_FILES, parent))
    return rules


class Landlock:
    """What to confine processes to, with the rules that all of them share made once."""

    def __init__(self, readable: Sequence[str], writable: Sequence[str]) -> None:
        """Open the shared paths, which exist; parameters as of ``restrict``.

        Raises:
            OSError: the kernel has no Landlock, or a path cannot be opened.
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
        self._attributes = (ctypes.c_uint64 * len(attributes))(*attributes)
        self._read, self._write = _READ & handled, _WRITE & handled
        self._shared = _opened(readable, self._read) + _opened(writable, self._write)

    def restrict(self, readable: Sequence[str], writable: Sequence[str]) -> None:
        """Confine this process for good. ``syscalls.gain_nothing`` comes first.

        Parameters:
            readable: files and folders to read and run; folders with all that is below.
            writable: files and folders to read and change, but not run.

        Raises:
            OSError: a path cannot be opened.
        """
        ruleset = syscalls.syscall(
            _CREATE_RULESET,
            ctypes.byref(self._attributes),
            ctypes.c_size_t(ctypes.sizeof(self._attributes)),
            ctypes.c_uint32(0),
        )
        own: list[_PathBeneath] = []
        try:
            own = _opened(readable, self._read) + _opened(writable, self._write)
            of, kind, flags = ctypes.c_int(ruleset), ctypes.c_int(_RULE_PATH_BENEATH), ctypes.c_uint32(0)
            for rule in (*self._shared, *own):
                syscalls.syscall(_ADD_RULE, of, kind, ctypes.byref(rule), flags)
            syscalls.syscall(_RESTRICT_SELF, of, flags)
        finally:
            os.close(ruleset)
            for rule in own:
                os.close(rule.parent)
