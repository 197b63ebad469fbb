"""Values as wasmtime's component C API lays them out in memory, and the few of its functions that move them.

Each value is 32 bytes: a kind, then its contents. The host reads and writes them by address with ``struct``, through
one view of this process's memory, because objects of ``ctypes`` cost more than the whole rest of a call. The layout is
checked against wasmtime's own structures when this module is loaded.
"""

from __future__ import annotations

import ctypes
from struct import Struct

import gg_arm_kit.engine  # noqa: F401  (must be loaded before wasmtime: it sets how traps name source lines)
import wasmtime
from gg_arm_kit.errors import KitError
from wasmtime import _ffi as ffi

MEMORY = memoryview((ctypes.c_ubyte * (1 << 47)).from_address(0)).cast("B")  # user addresses have 47 bits on x86-64
"""This process's memory by address. Reading an address that is not mapped ends the process."""

VALUE_BYTES = 32
ENTRY_BYTES = 48  # of a record: name (size, data), then the value
ENTRY_VALUE = 16

KINDS = {
    "bool": 0,
    "s8": 1,
    "u8": 2,
    "s16": 3,
    "u16": 4,
    "s32": 5,
    "u32": 6,
    "s64": 7,
    "u64": 8,
    "f32": 9,
    "f64": 10,
    "char": 11,
    "string": 12,
    "list": 13,
    "record": 14,
    "variant": 16,
    "enum": 17,
    "option": 18,
    "result": 19,
}
"""The kind byte of each WIT type."""

SCALAR_FORMATS = {
    "bool": "?",
    "s8": "b",
    "u8": "B",
    "s16": "h",
    "u16": "H",
    "s32": "i",
    "u32": "I",
    "s64": "q",
    "u64": "Q",
    "f32": "f",
    "f64": "d",
    "char": "I",
}
"""``struct`` format of each type that fits in the value itself."""

one_word_at = Struct("<8xQ").unpack_from
"""Contents of an option: the address of its payload, or 0."""
two_words_at = Struct("<8xQQ").unpack_from
"""Contents of a string, list, record or enum (size, address), or of a result (is_ok in the low byte, address)."""
three_words_at = Struct("<8xQQQ").unpack_from
"""Contents of a variant: size and address of its case's name, address of its payload or 0."""
put_word = Struct("<Q").pack_into
put_pointer = Struct("<B7xQ").pack_into
put_result = Struct("<B7xB7xQ").pack_into


def _check_layout() -> None:
    """Refuse a wasmtime whose values look different.

    Raises:
        KitError: the installed version is not the one this module was written for.
    """
    value, entry = ffi.wasmtime_component_val_t, ffi.wasmtime_component_valrecord_entry
    seen = {
        "size of a value": (ctypes.sizeof(value), VALUE_BYTES),
        "offset of its contents": (value.of.offset, 8),
        "size of a record's entry": (ctypes.sizeof(entry), ENTRY_BYTES),
        "offset of an entry's value": (entry.val.offset, ENTRY_VALUE),
        "offset of a variant's payload": (ffi.wasmtime_component_valvariant.val.offset, 16),
        "offset of a result's payload": (ffi.wasmtime_component_valresult.val.offset, 8),
    }
    wrong = [f"{what} is {found}, not {wanted}" for what, (found, wanted) in seen.items() if found != wanted]
    wrong += [
        f"kind of {name} is {kind}, not {wanted}"
        for name, wanted in KINDS.items()
        if (kind := getattr(ffi, f"WASMTIME_COMPONENT_{name.upper()}").value) != wanted
    ]
    if wrong:
        raise KitError(
            f"wasmtime {wasmtime.__version__} lays its values out differently: {'; '.join(wrong)}",
            "Install the version of wasmtime that the requirements name.",
        )


_check_layout()

# These functions finish in well under a microsecond, so they keep the interpreter's lock: as ``PyDLL`` does.
_quick = ctypes.PyDLL(ffi.dll._name)
_pointer, _size = ctypes.c_void_p, ctypes.c_size_t


def _function(name: str, arguments: list[object], result: object = None) -> ctypes._NamedFuncPointer:
    found = getattr(_quick, name)
    found.argtypes, found.restype = arguments, result
    return found  # type: ignore[no-any-return]


new_bytes = _function("wasm_byte_vec_new", [_pointer, _size, ctypes.c_char_p])
"""``new_bytes(address, size, data)``: write an owned copy of ``data`` as (size, address) at ``address``."""
new_list = _function("wasmtime_component_vallist_new_uninit", [_pointer, _size])
new_record = _function("wasmtime_component_valrecord_new_uninit", [_pointer, _size])
box = _function("wasmtime_component_val_new", [_pointer], _size)
"""Move the value at an address into a box of its own; what stays behind is ``false``."""
delete_value = _function("wasmtime_component_val_delete", [_pointer])
new_error = _function("wasmtime_error_new", [ctypes.c_char_p], _size)
"""An owned error whose text is the given bytes; a host function returns it to trap the guest."""

CALLBACK = ctypes.CFUNCTYPE(_size, _size, _size, _size, _size, _size, _size, _size)
"""A host function: (data, context, type, arguments, their count, results, their count) to 0 or an owned error.
Addresses are plain integers."""
NO_FINALIZER = ctypes.c_void_p(None)
add_function = _function(
    "wasmtime_component_linker_instance_add_func",
    [_pointer, ctypes.c_char_p, _size, CALLBACK, _pointer, _pointer],
    _size,
)
call_function = ctypes.CDLL(ffi.dll._name).wasmtime_component_func_call  # runs the guest, so it releases the lock
call_function.argtypes = [_pointer, _pointer, _pointer, _size, _pointer, _size]
call_function.restype = ctypes.POINTER(ffi.wasmtime_error_t)
