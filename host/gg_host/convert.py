"""Converters between WIT values and Python values, made once for each function of a component.

For each function this writes plain Python source, specialised to its WIT types, and compiles it once: a call then does
no look-up by type or name. ``Converters.source`` is that text, for reading and for tests.

Shapes: records are dataclasses, variants one dataclass for each case, enums string enums, options ``None`` or the value
(an option of an option: ``None`` or ``Some(...)``), lists are lists, ``char`` is a string of one character.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from struct import Struct
from struct import error as struct_error
from typing import Any

from wasmtime import component as wit

from gg_host import abi
from gg_host.hints import HintMismatchError, enum_members, item_hint, record_fields, shape, some_hint, variant_cases
from gg_host.values import IllFormedError, Some

_SCALARS = {getattr(wit, name.capitalize()): name for name in abi.SCALAR_FORMATS}
_RANGES = {f"u{bits}": (0, 2**bits - 1) for bits in (8, 16, 32, 64)} | {
    f"s{bits}": (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for bits in (8, 16, 32, 64)
}


def _read_text(size: int, address: int) -> str:
    return str(abi.MEMORY[address : address + size], "utf-8")


def _encode(value: object, path: str) -> bytes:
    if not isinstance(value, str):
        raise IllFormedError(path, "a string", value)
    try:
        return value.encode()
    except UnicodeEncodeError:
        raise IllFormedError(path, "a string of Unicode scalar values (it holds a lone surrogate)", value) from None


def _encode_char(value: object, path: str) -> int:
    if not isinstance(value, str) or len(value) != 1 or 0xD800 <= ord(value) <= 0xDFFF:
        raise IllFormedError(path, "one Unicode scalar value", value)
    return ord(value)


def _encode_float(value: object, path: str, name: str, check: Callable[[float], object]) -> float:
    if type(value) is not float and type(value) is not int:
        raise IllFormedError(path, f"a number ({name})", value)
    try:
        check(value)
    except (OverflowError, struct_error):
        raise IllFormedError(path, f"a number in the range of {name}", value) from None
    return value


class Converters:
    """Collects the functions of one component's signatures, then compiles them together.

    Parameters:
        what: names the signatures in tracebacks, such as the component's file.
    """

    def __init__(self, what: str = "component") -> None:
        self._what = what
        self._parts: list[str] = []
        self._made: dict[str, str] = {}
        self._names: dict[str, Any] = {
            "M": abi.MEMORY,
            "one_word_at": abi.one_word_at,
            "two_words_at": abi.two_words_at,
            "three_words_at": abi.three_words_at,
            "put_pointer": abi.put_pointer,
            "put_word": abi.put_word,
            "put_result": abi.put_result,
            "new_bytes": abi.new_bytes,
            "new_list": abi.new_list,
            "new_record": abi.new_record,
            "box": abi.box,
            "text": _read_text,
            "encode": _encode,
            "encode_char": _encode_char,
            "encode_float": _encode_float,
            "IllFormedError": IllFormedError,
            "Some": Some,
        }
        for name, letter in abi.SCALAR_FORMATS.items():
            self._names[f"{name}_at"] = Struct(f"<8x{letter}").unpack_from
            self._names[f"put_{name}"] = Struct(f"<B7x{letter}").pack_into
            self._names[f"check_{name}"] = Struct(f"<{letter}").pack

    @property
    def source(self) -> str:
        """The Python text of everything made so far."""
        return "\n\n".join(self._parts) + "\n"

    def lift_arguments(self, name: str, parameters: Sequence[tuple[str, object]], hints: Sequence[object]) -> str:
        """Add ``NAME_lift(address) -> tuple``, which reads a call's arguments; return its name."""
        pairs = zip(parameters, hints, strict=True)
        items = [
            self._lift(kind, hint, f"a + {index * abi.VALUE_BYTES}" if index else "a", f"{name}.{label}")
            for index, ((label, kind), hint) in enumerate(pairs)
        ]
        return self._function(f"{name}_lift", "a", [f"return ({', '.join(items)}{',' if len(items) == 1 else ''})"])

    def lower_value(self, name: str, kind: object, hint: object, label: str) -> str:
        """Add ``NAME_lower(address, value)``, which writes one value; return its name. ``label`` names it in faults."""
        return self._function(f"{name}_lower", "a, x", self._lower(kind, hint, "a", "x", label))

    def lower_ok(self, name: str, kind: object, hint: object) -> str:
        """Add ``NAME_ok(address, value)``, which writes the ``ok`` of a result type; return its name."""
        body = ["if x is not None:", " raise IllFormedError('result', 'nothing', x)", "put_result(M, a, 19, 1, 0)"]
        if kind.ok is not None:  # type: ignore[attr-defined]
            body = self._lower(kind.ok, hint, "a", "x", "result")  # type: ignore[attr-defined]
            body.append("put_result(M, a, 19, 1, box(a))")
        return self._function(f"{name}_ok", "a, x", body)

    def lower_err(self, name: str, kind: object, hint: object) -> str:
        """Add ``NAME_err(address, value)``, which writes the ``err`` of a result type; return its name."""
        body = self._lower(kind.err, hint, "a", "x", "failure")  # type: ignore[attr-defined]
        return self._function(f"{name}_err", "a, x", [*body, "put_result(M, a, 19, 0, box(a))"])

    def compile(self) -> dict[str, Callable[..., Any]]:
        """Compile what was added and return the functions by name."""
        code = compile(self.source, f"<converters of {self._what}>", "exec")
        exec(code, self._names)  # noqa: S102  the text is made above, from WIT types alone
        return self._names

    def _constant(self, value: object) -> str:
        name = f"c{len(self._names)}"
        self._names[name] = value
        return name

    def _function(self, name: str, parameters: str, body: list[str]) -> str:
        lines = [f"def {name}({parameters}):", *(f"    {line}" for line in body)]
        self._parts.append("\n".join(lines))
        self._names.setdefault(name, None)
        return name

    def _shared(self, what: str, kind: object, hint: object, label: str, make: Callable[[str], None]) -> str:
        """The name of one function for a type that is used in several places; made at its first use."""
        key = f"{what} {shape(kind)} {hint!r} {label if what == 'lower' else ''}"
        if key not in self._made:
            self._made[key] = f"{what}_{len(self._made)}"
            make(self._made[key])
        return self._made[key]

    def _lift(self, kind: Any, hint: object, at: str, label: str) -> str:
        """An expression that reads the value at address ``at``."""
        scalar = _SCALARS.get(type(kind))
        if scalar == "char":
            return f"chr(char_at(M, {at})[0])"
        if scalar:
            return f"{scalar}_at(M, {at})[0]"
        if isinstance(kind, wit.String):
            return f"text(*two_words_at(M, {at}))"
        return f"{self._shared('lift', kind, hint, label, lambda name: self._make_lift(name, kind, hint, label))}({at})"

    def _make_lift(self, name: str, kind: Any, hint: object, label: str) -> None:
        if isinstance(kind, wit.ListType):
            item = self._lift(kind.element, item_hint(hint, label), "e", label)
            body = ["n, d = two_words_at(M, a)", f"return [{item} for e in range(d, d + n * 32, 32)]"]
        elif isinstance(kind, wit.RecordType):
            cls, fields = record_fields(kind, hint, label)
            items = [self._lift(t, h, f"d + {16 + 48 * i}", f"{label}.{n}") for i, (n, _, t, h) in enumerate(fields)]
            body = ["d = two_words_at(M, a)[1]", f"return {self._constant(cls)}({', '.join(items)})"]
        elif isinstance(kind, wit.EnumType):
            table = {word.encode(): member for word, member in enum_members(kind, hint, label).items()}
            body = ["n, d = two_words_at(M, a)", f"return {self._constant(table)}[bytes(M[d : d + n])]"]
        elif isinstance(kind, wit.OptionType):
            inner = self._lift(kind.payload, some_hint(kind, hint, label), "p", label)
            inner = f"Some({inner})" if isinstance(kind.payload, wit.OptionType) else inner
            body = ["p = one_word_at(M, a)[0]", f"return {inner} if p else None"]
        elif isinstance(kind, wit.VariantType):
            body = ["n, d, p = three_words_at(M, a)", "c = bytes(M[d : d + n])"]
            for word, cls, payload, payload_hint in variant_cases(kind, hint, label):
                value = self._lift(payload, payload_hint, "p", f"{label}.{word}") if payload else ""
                body += [f"if c == {word.encode()!r}:", f"    return {self._constant(cls)}({value})"]
            body.append("raise AssertionError(c)")
        elif isinstance(kind, wit.ResultType):
            raise HintMismatchError(f"{label}: a result inside a value is not used in this project")
        else:
            raise HintMismatchError(f"{label}: {type(kind).__name__} is not used in this project")
        self._function(name, "a", body)

    def _lower(self, kind: Any, hint: object, at: str, value: str, label: str) -> list[str]:
        """Lines that check ``value`` and write it at address ``at``. The kind byte is written last, so that a value
        that turns out ill-formed half-way is never dropped as if it were whole.
        """
        scalar = _SCALARS.get(type(kind))
        if scalar == "bool":
            return [
                f"if {value} is not True and {value} is not False:",
                f"    raise IllFormedError({label!r}, 'a boolean', {value})",
                f"put_bool(M, {at}, 0, {value})",
            ]
        if scalar == "char":
            return [f"put_char(M, {at}, 11, encode_char({value}, {label!r}))"]
        if scalar in ("f32", "f64"):
            checked = f"encode_float({value}, {label!r}, {scalar!r}, check_{scalar})"
            return [f"put_{scalar}(M, {at}, {abi.KINDS[scalar]}, {checked})"]
        if scalar:
            low, high = _RANGES[scalar]
            return [
                f"if type({value}) is not int or not {low} <= {value} <= {high}:",
                f"    raise IllFormedError({label!r}, 'an integer from {low} to {high} ({scalar})', {value})",
                f"put_{scalar}(M, {at}, {abi.KINDS[scalar]}, {value})",
            ]
        if isinstance(kind, wit.String):
            return [f"b = encode({value}, {label!r})", f"new_bytes({at} + 8, len(b), b)", f"M[{at}] = 12"]
        name = self._shared("lower", kind, hint, label, lambda name: self._make_lower(name, kind, hint, label))
        return [f"{name}({at}, {value})"]

    def _make_lower(self, name: str, kind: Any, hint: object, label: str) -> None:
        if isinstance(kind, wit.ListType):
            item = self._lower(kind.element, item_hint(hint, label), "e", "y", f"{label}[]")
            body = [
                "if not isinstance(x, (list, tuple)):",
                f"    raise IllFormedError({label!r}, 'a list', x)",
                "x = tuple(x)",  # the room below is for these: a list may be changed by another thread meanwhile
                "new_list(a + 8, len(x))",
                "e = two_words_at(M, a)[1]",
                "for y in x:",
                *(f"    {line}" for line in item),
                "    e += 32",
                "M[a] = 13",
            ]
        elif isinstance(kind, wit.RecordType):
            cls, fields = record_fields(kind, hint, label)
            body = [
                f"if type(x) is not {self._constant(cls)}:",
                f"    raise IllFormedError({label!r}, 'a {cls.__name__}', x)",
                f"new_record(a + 8, {len(fields)})",
                "d = two_words_at(M, a)[1]",
            ]
            for index, (word, attribute, field_kind, field_hint) in enumerate(fields):
                body.append(f"new_bytes(d + {48 * index}, {len(word)}, {word.encode()!r})")
                body.append(f"f = d + {48 * index + 16}")
                body += self._lower(field_kind, field_hint, "f", f"x.{attribute}", f"{label}.{word}")
            body.append("M[a] = 14")
        elif isinstance(kind, wit.EnumType):
            members = enum_members(kind, hint, label)
            cls = type(next(iter(members.values())))
            table = self._constant({member: word.encode() for word, member in members.items()})
            body = [
                f"if type(x) is not {self._constant(cls)}:",
                f"    raise IllFormedError({label!r}, 'a {cls.__name__}', x)",
                f"b = {table}[x]",
                "new_bytes(a + 8, len(b), b)",
                "M[a] = 17",
            ]
        elif isinstance(kind, wit.OptionType):
            nested = isinstance(kind.payload, wit.OptionType)
            body = ["if x is None:", "    put_pointer(M, a, 18, 0)", "    return"]
            if nested:
                body += [
                    "if type(x) is not Some:",
                    f"    raise IllFormedError({label!r}, 'None or a Some', x)",
                    "x = x.value",
                ]
            body += self._lower(kind.payload, some_hint(kind, hint, label), "a", "x", label)
            body.append("put_pointer(M, a, 18, box(a))")
        elif isinstance(kind, wit.VariantType):
            body = ["t = type(x)"]
            names = []
            for word, cls, payload, payload_hint in variant_cases(kind, hint, label):
                names.append(cls.__name__)
                body.append(f"if t is {self._constant(cls)}:")
                inner = ["p = 0"]
                if payload:
                    attribute = dataclasses.fields(cls)[0].name
                    held = self._lower(payload, payload_hint, "a", f"x.{attribute}", f"{label}.{word}")
                    inner = [*held, "p = box(a)"]
                inner += [f"new_bytes(a + 8, {len(word)}, {word.encode()!r})", "put_word(M, a + 24, p)"]
                inner += ["M[a] = 16", "return"]
                body += [f"    {line}" for line in inner]
            body.append(f"raise IllFormedError({label!r}, 'one of {', '.join(names)}', x)")
        else:
            raise HintMismatchError(f"{label}: {type(kind).__name__} is not used in this project")
        self._function(name, "a, x", body)
