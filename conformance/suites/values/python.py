import math
import struct
from dataclasses import fields, is_dataclass

import gg
from gg import values


def same(one, other):
    if type(one) is not type(other):
        return False
    if isinstance(one, float):
        return (math.isnan(one) and math.isnan(other)) or struct.pack("d", one) == struct.pack("d", other)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    if is_dataclass(one):
        return all(same(getattr(one, field.name), getattr(other, field.name)) for field in fields(one))
    return one == other


def check(echo, label, given, expected=...):
    try:
        back = echo(label, given)
    except Exception as error:
        print("failed:", label, repr(error)[:200])
        return
    if not same(back, given if expected is ... else expected):
        print("came back:", label, repr(back)[:200])


def refused(what, call):
    try:
        got = call()
    except gg.core.ApiError as error:
        if error.code is not gg.core.ApiErrorCode.INVALID_ARGUMENT:
            print("another failure:", what, error)
    except Exception as error:
        print("another failure:", what, repr(error)[:200])
    else:
        print("was accepted:", what, got)


Shade, Thing, Remark = values.Shade, values.Thing, values.Remark

check(values.echo_bool, "true", True)
check(values.echo_bool, "false", False)
check(values.echo_u8, "zero", 0)
check(values.echo_u8, "max", 255)
check(values.echo_s16, "min", -32768)
check(values.echo_s16, "minus-one", -1)
check(values.echo_s16, "max", 32767)
check(values.echo_u32, "zero", 0)
check(values.echo_u32, "max", 2**32 - 1)
check(values.echo_u32, "high-bit", 2**31)
check(values.echo_s32, "min", -(2**31))
check(values.echo_s32, "minus-one", -1)
check(values.echo_s32, "zero", 0)
check(values.echo_s32, "max", 2**31 - 1)
check(values.echo_u64, "zero", 0)
check(values.echo_u64, "above-32-bits", 2**32)
check(values.echo_u64, "exact", 2**53 - 1)
check(values.echo_u64, "max", 2**64 - 1)
check(values.echo_s64, "min", -(2**63))
check(values.echo_s64, "exact-min", -(2**53 - 1))
check(values.echo_s64, "minus-one", -1)
check(values.echo_s64, "exact", 2**53 - 1)
check(values.echo_s64, "max", 2**63 - 1)
check(values.echo_f32, "zero", 0.0)
check(values.echo_f32, "minus-zero", -0.0)
check(values.echo_f32, "one-and-half", 1.5)
check(values.echo_f32, "infinity", math.inf)
check(values.echo_f32, "nan", math.nan)
check(values.echo_f64, "zero", 0.0)
check(values.echo_f64, "zero", 0, 0.0)
check(values.echo_f64, "minus-zero", -0.0)
check(values.echo_f64, "infinity", math.inf)
check(values.echo_f64, "minus-infinity", -math.inf)
check(values.echo_f64, "nan", math.nan)
check(values.echo_f64, "least", 5e-324)
check(values.echo_f64, "largest", 1.7976931348623157e308)
check(values.echo_f64, "tenth", 0.1)
check(values.echo_char, "letter", "a")
check(values.echo_char, "nul", "\0")
check(values.echo_char, "accent", "\u00e9")
check(values.echo_char, "han", "\u6f22")
check(values.echo_char, "last", "\U0010ffff")
check(values.echo_char, "emoji", "\U0001f600")
check(values.echo_text, "empty", "")
check(values.echo_text, "nul", "a\0b\0")
check(values.echo_text, "planes", "a\u00e9\u6f22\U0001f600\U0010ffff")
check(values.echo_text, "last-of-plane", "\ud7ff\ue000\uffff")
check(values.echo_text, "mark", "\ufeffa")
check(values.echo_text, "lines", "a\r\nb\u2028c")
check(values.echo_text, "mebibyte", "\u6f22b" * (1024 * 256))


def option(label, given):
    return values.echo_option(label, given=given)


check(option, "absent", None)
check(lambda label, _: values.echo_option(label), "absent", None)
check(option, "empty", "")
check(option, "present", "p")
check(values.echo_shade, "dark", Shade.DARK)
check(values.echo_shade, "medium-gray", Shade.MEDIUM_GRAY)
check(values.echo_shade, "bright", Shade.BRIGHT)
check(values.echo_item, "vacant", values.ItemVacant())
check(values.echo_item, "count", values.ItemCount(2**32 - 1))
check(values.echo_item, "words", values.ItemWords("w\0"))
check(values.echo_item, "measured", values.ItemMeasured(2.5))
check(values.echo_item, "remarks", values.ItemRemarks([Remark("a"), Remark("", author="b")]))
check(values.echo_item, "no-remarks", values.ItemRemarks([]))
check(values.echo_item, "single", Remark("s", author="me"))
check(values.echo_item, "tone", values.ItemTone(Shade.BRIGHT))
check(values.echo_items, "empty", [])
mixed = [values.ItemWords("a"), values.ItemVacant(), values.ItemCount(7), Remark("s"), values.ItemVacant()]
check(values.echo_items, "mixed", mixed)
check(values.echo_items, "mixed", tuple(mixed), mixed)
things = [
    Thing(
        counted=True, small=255, large=2**53 - 1, title="\U0001f9ed", brightness=Shade.MEDIUM_GRAY, measure=-0.0,
        labels=["", "b"], remark=Remark("r", author="a"), former=Shade.BRIGHT, numbers=[],
    ),
    Thing(counted=False, small=0, large=0, title="", brightness=Shade.DARK, measure=1.5, labels=[]),
    Thing(
        counted=True, small=1, large=2, title="t", brightness=Shade.BRIGHT, measure=0.0, labels=["x"],
        remark=Remark(""), numbers=[-1, 2**31 - 1],
    ),
]
check(values.echo_things, "empty", [])
check(values.echo_things, "several", things)
check(values.echo_numbers, "empty", [])
check(values.echo_numbers, "hundred-thousand", list(range(100_000)))
check(values.echo_numbers, "hundred-thousand", range(100_000), list(range(100_000)))
check(values.echo_texts, "empty", [])
check(values.echo_texts, "hundred-thousand", [f"line {i}" for i in range(100_000)])
check(values.echo_table, "empty", [])
check(values.echo_table, "rows", [[], [None], ["", None, "\U0001f600"], []])

# What does not fit its type fails here, before the host hears of it.
refused("a negative number", lambda: values.echo_u8("x", -1))
refused("256 in 8 bits", lambda: values.echo_u8("x", 256))
refused("a fraction", lambda: values.echo_u32("x", 1.5))
refused("a whole fraction", lambda: values.echo_u32("x", 1.0))
refused("2^31 with a sign", lambda: values.echo_s32("x", 2**31))
refused("2^64", lambda: values.echo_u64("x", 2**64))
refused("a hundred digits", lambda: values.echo_u64("x", 10**100))
refused("a truth value for a number", lambda: values.echo_u32("x", True))
refused("a number for a truth value", lambda: values.echo_bool("x", 1))
refused("a number in a text", lambda: values.echo_u32("x", "1"))
refused("a text for a fraction", lambda: values.echo_f64("x", "1.5"))
refused("a text of two characters", lambda: values.echo_char("x", "ab"))
refused("an empty text for a character", lambda: values.echo_char("x", ""))
refused("half of a pair", lambda: values.echo_text("x", "a\ud800"))
refused("half of a pair in a list", lambda: values.echo_texts("x", ["a", "\udc00b"]))
refused("half of a pair as a character", lambda: values.echo_char("x", "\ud800"))
refused("None for a text", lambda: values.echo_text("x", None))
refused("bytes for a text", lambda: values.echo_text("x", b"a"))
refused("a word for a member", lambda: values.echo_shade("x", "dark"))
refused("another class", lambda: values.echo_item("x", object()))
refused("a case of the wrong value", lambda: values.echo_item("x", values.ItemCount("1")))
refused("a text for a list", lambda: values.echo_texts("x", "abc"))
refused("a mapping for a list", lambda: values.echo_texts("x", {"a": 1}))
refused("a field deep inside", lambda: values.echo_items("x", [Remark("a", author=1)]))

if values.largest() != 2**64 - 1:
    print("was rounded:", values.largest())
print("done")
