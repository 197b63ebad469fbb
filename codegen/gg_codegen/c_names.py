"""Names as wit-bindgen's C generator makes them, so that a template's C text meets the generated header."""

from __future__ import annotations

from gg_codegen.wit_model import Case, Catalogue, Function, Type, TypeDef

_SCALARS = {
    "bool": "bool", "char": "uint32_t", "f32": "float", "f64": "double",
    "u8": "uint8_t", "u16": "uint16_t", "u32": "uint32_t", "u64": "uint64_t",
    "s8": "int8_t", "s16": "int16_t", "s32": "int32_t", "s64": "int64_t",
}  # fmt: skip

# The words that wit-bindgen-c 0.63.0 (`to_c_ident`) writes with an underscore behind: C's and C++'s keywords, and
# the names of the parameters it adds itself.
_ESCAPED = frozenset(
    (
        "alignas", "alignof", "and", "and_eq", "asm", "atomic_cancel", "atomic_commit", "atomic_noexcept",
        "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char", "char8_t", "char16_t", "char32_t",
        "class", "compl", "concept", "const", "consteval", "constexpr", "constinit", "const_cast", "continue",
        "co_await", "co_return", "co_yield", "decltype", "default", "delete", "do", "double", "dynamic_cast",
        "else", "enum", "explicit", "export", "extern", "false", "float", "for", "friend", "goto", "if",
        "inline", "int", "long", "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr",
        "operator", "or", "or_eq", "private", "protected", "public", "reflexpr", "register", "reinterpret_cast",
        "requires", "return", "short", "signed", "sizeof", "static", "static_assert", "static_cast", "struct",
        "switch", "synchronized", "template", "this", "thread_local", "throw", "true", "try", "typedef",
        "typeid", "typename", "union", "unsigned", "using", "virtual", "void", "volatile", "wchar_t", "while",
        "xor", "xor_eq", "_Packed", "ret", "err", "stdin", "stdout", "stderr",
    )
)  # fmt: skip


class CNames:
    """The C names of one catalogue."""

    def __init__(self, catalogue: Catalogue) -> None:
        package = catalogue.package.split("@")[0]
        self._package = _snake(package.replace(":", "_"))
        self._world = _snake(catalogue.world)
        self._exports = frozenset(id(function) for function in catalogue.exports)

    def interface(self, interface: str) -> str:
        """The prefix of everything of an interface: ``gg_sdk_files``."""
        return f"{self._package}_{_snake(interface)}"

    def function(self, function: Function) -> str:
        """``gg_sdk_files_read_file``; a function the world exports is ``exports_guest_run``."""
        if id(function) in self._exports:
            return f"exports_{self._world}_{_snake(function.name)}"
        return f"{self.interface(function.interface)}_{_snake(function.name)}"

    def typedef(self, typedef: TypeDef) -> str:
        """``gg_sdk_files_file_read_t``."""
        return f"{self.interface(typedef.interface)}_{_snake(typedef.name)}_t"

    def type(self, type_: Type, interface: str) -> str:
        """The C type of a type written in ``interface``: that of the function, or of the record it is a field of.

        ``guest_list_string_t`` for what holds no named type, ``gg_sdk_context_list_turn_range_t`` for what does.
        """
        if type_.typedef is not None:
            return self.typedef(type_.typedef)
        if type_.kind == "string":
            return f"{self._world}_string_t"
        if type_.item is None:
            return _SCALARS[type_.kind]
        owner = self.interface(interface) if any(type_.named) else self._world
        return f"{owner}_{_flat(type_)}_t"

    def case(self, typedef: TypeDef, case: Case) -> str:
        """The constant of an enum's case or a variant's tag: ``GG_SDK_TYPES_ERROR_CODE_NOT_FOUND``."""
        return f"{self.typedef(typedef).removesuffix('_t')}_{_snake(case.name)}".upper()


def c_identifier(name: str) -> str:
    """A WIT name as a C field or parameter: ``blocked_by``, and ``default_`` for a keyword."""
    snake = _snake(name)
    return f"{snake}_" if snake in _ESCAPED else snake


def _flat(type_: Type) -> str:
    if type_.typedef is not None:
        return _snake(type_.typedef.name)
    if type_.item is not None:
        return f"{type_.kind}_{_flat(type_.item)}"
    return "char32" if type_.kind == "char" else type_.kind


def _snake(name: str) -> str:
    return name.replace("-", "_").replace(":", "_").lower()
