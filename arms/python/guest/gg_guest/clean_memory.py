"""Keeps what differs between two builds out of the snapshot: the numbers that a file system gives to files.

Importing a module asks for its file's status. The number of the file then lies in memory that was given back, and shows
through where an object that takes the place does not fill it. So each time the import system has looked at files, free
memory of all small sizes is overwritten.
"""

import importlib
import sys
from importlib import _bootstrap_external as _importing
from types import SimpleNamespace
from typing import Any

SIZES = range(15, 512, 16)
"""Lengths of ``bytes`` that fill a block of each size that small objects have (their header takes 16 bytes and one ends them)."""

_status, _read, _list_folder = _importing._path_stat, _importing.FileLoader.get_data, _importing.FileFinder._fill_cache


NUMBERS = 1200
"""Blocks of the size of an integer that are overwritten each time; more than two of the pools they lie in."""


def overwrite(blocks: int) -> None:
    """Overwrite the ``blocks`` blocks of each size that were given back last, and more of those that held numbers."""
    kept = [bytes(size) for size in SIZES for _ in range(blocks)]
    kept += [bytes(SIZES[1]) for _ in range(NUMBERS)]
    kept.clear()


def _status_without_number(path: str) -> SimpleNamespace:
    found = _status(path)
    told = SimpleNamespace(st_mode=found.st_mode, st_size=found.st_size, st_mtime=found.st_mtime)
    del found
    overwrite(8)
    return told


def _read_and_overwrite(self: Any, path: str) -> bytes:
    data: bytes = _read(self, path)
    overwrite(8)
    return data


def _list_and_overwrite(self: Any) -> None:
    _list_folder(self)
    overwrite(8)


def begin() -> None:
    """From now on overwrite after every look at a file; what was given back so far is overwritten at once."""
    sys.dont_write_bytecode = True
    _importing._path_stat = _status_without_number
    _importing.FileLoader.get_data = _read_and_overwrite
    _importing.FileFinder._fill_cache = _list_and_overwrite
    importlib.invalidate_caches()
    overwrite(200)


def end() -> None:
    """Leave the import system as it was."""
    sys.dont_write_bytecode = False
    _importing._path_stat = _status
    _importing.FileLoader.get_data = _read
    _importing.FileFinder._fill_cache = _list_folder
    overwrite(200)
