"""What the model reads, letter by letter."""

from __future__ import annotations

import pytest
from gg_arm_kit.seam import RefusalKind, Refused, UnchangedLocations
from gg_host import messages
from gg_host.feedback import LOG_BYTES, LOG_LINE_BYTES, Log, StandardError
from gg_host.messages import Band
from gg_host.traps import read_trap

UNCHANGED = UnchangedLocations()


class Shifted:
    """Program text that was generated from ``program.src``, every line 10 further down."""

    def rewrite(self, text: str) -> str:
        return text.replace("program.gen:15:3", "program.src:5:3")


def test_a_compiler_error_is_the_diagnostics_verbatim() -> None:
    refused = Refused(RefusalKind.COMPILE, "program.ts(4,1): error TS2591: no 'process'\n")
    assert messages.compiler_error(refused) == ("Compiler error\n----\nprogram.ts(4,1): error TS2591: no 'process'\n")


def test_a_runtime_error_has_words_place_and_standard_error() -> None:
    assert messages.runtime_error("TypeError: no", "program.js:5:3", "warning\n", UNCHANGED) == (
        "Runtime error\n----\nTypeError: no\nat program.js:5:3\n\nstderr:\nwarning\n"
    )


def test_what_the_words_hold_already_is_not_said_again() -> None:
    words = "panicked at program.rs:5:25:\nindex out of bounds"
    assert messages.runtime_error(words, "program.rs:5:25", words + "\n", UNCHANGED) == (
        f"Runtime error\n----\n{words}\n"
    )


def test_places_are_rewritten_everywhere() -> None:
    text = messages.runtime_error("x at program.gen:15:3", "    at f (program.gen:15:3)", "program.gen:15:3", Shifted())
    assert "program.gen" not in text
    assert "    at f (program.src:5:3)" in text
    assert messages.place_of("at f (program.gen:15:3)", "program.src", Shifted()) == "program.src:5:3"


@pytest.mark.parametrize(
    ("location", "place"),
    [
        (None, None),
        ("", None),
        ("line 5, column 8", "line 5, column 8"),
        ("at f (program.js:5:3)\nat g (program.js:9:1)", "program.js:5:3"),
        ("at program.js:7", "program.js:7"),
        ("other.js:1:1\nlib.js:2:2", None),
        ("myprogram.js:1:1\nx", None),
    ],
)
def test_the_place_is_the_first_in_the_models_own_file(location: str | None, place: str | None) -> None:
    assert messages.place_of(location, "program.js", UNCHANGED) == place


def test_notices_come_first_and_the_error_last() -> None:
    told = messages.in_order(["one", "two"], messages.message(Band.RUNTIME_ERROR, "words"))
    assert told == ["Notice\n----\none\n", "Notice\n----\ntwo\n", "Runtime error\n----\nwords\n"]


TRAP = """error while executing at wasm backtrace:
    0:   0x3f4 - main.core.wasm!std::__1::__verbose_abort
                    at /opt/sysroot/include/vector:1393:5
    1:   0x2a2 - main.core.wasm!main
                    at /tmp/build/main.cpp:7:23
    2:   0x2ff - <unknown>!<wasm function 6>

Caused by:
    wasm trap: wasm `unreachable` instruction executed"""


def test_a_trap_tells_its_reason_and_the_frames_of_the_models_file() -> None:
    trap = read_trap(TRAP, "main.cpp")
    assert trap.reason == "wasm trap: wasm `unreachable` instruction executed"
    assert trap.places == ("main.cpp:7:23",)
    assert trap.text == f"{trap.reason}\n    at main.cpp:7:23"


@pytest.mark.parametrize(
    ("fault", "exhausted"),
    [("0xfffffff0", True), ("0x10000003c", True), ("0xff000000", True), ("0xfeffffff", False), ("0x0", False)],
)
def test_the_address_of_a_fault_tells_an_exhausted_stack(fault: str, exhausted: bool) -> None:
    text = (
        "error while executing\n\nCaused by:\n"
        f"    0: memory fault at wasm address {fault} in linear memory of size 0x1010000\n"
        "    1: wasm trap: out of bounds memory access"
    )
    trap = read_trap(text, "program.rs")
    assert trap.stack_exhausted is exhausted
    assert ("call stack exhausted" in trap.reason) is exhausted
    assert "out of bounds memory access" in trap.reason


def test_standard_error_that_fits_is_whole() -> None:
    stream = StandardError()
    for piece in ("a\n", "é"):
        stream.write(piece.encode())
    assert stream.text() == "a\né"
    stream = StandardError()
    stream.write(b"x" * 8192)
    assert stream.text() == "x" * 8192


def test_standard_error_is_cut_at_lines_with_the_dropped_bytes_counted() -> None:
    stream = StandardError()
    lines = [f"line {number:04d}\n" for number in range(3000)]
    text = "".join(lines)
    for start in range(0, len(text), 7):
        stream.write(text[start : start + 7].encode())
    shown = stream.text()
    head, _, tail = shown.partition("(")
    count, _, tail = tail.partition(" bytes dropped)\n")
    assert text.startswith(head)
    assert head.endswith("\n")
    assert text.endswith(tail)
    assert tail.startswith("line ")
    assert len(head) <= 4096
    assert len(tail) <= 4096
    assert len(head) + len(tail) + int(count) == len(text)


def test_one_endless_line_is_cut_too() -> None:
    stream = StandardError()
    stream.write(b"x" * 100_000)
    assert stream.text() == "x" * 4096 + "\n(91808 bytes dropped)\n" + "x" * 4096


def test_a_log_keeps_the_last_lines_and_counts_the_rest() -> None:
    log = Log()
    for number in range(250):
        log.add(str(number))
    assert log.lines() == tuple(str(number) for number in range(50, 250))
    assert log.suppressed == 50


def test_a_log_keeps_16_kib() -> None:
    log = Log()
    for _ in range(50):
        log.add("x" * 1024)
    assert len(log.lines()) == LOG_BYTES // 1024
    assert log.suppressed == 50 - LOG_BYTES // 1024


def test_a_long_line_is_cut_and_says_so() -> None:
    log = Log()
    kept = log.add("é" * 2000)
    assert kept == "é" * (LOG_LINE_BYTES // 2) + " (976 more chars...)"
    assert log.add("y" * LOG_LINE_BYTES) == "y" * LOG_LINE_BYTES
