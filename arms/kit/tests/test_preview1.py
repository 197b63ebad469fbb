"""The preview 1 adapter, function by function: a module that hands every function out is driven through a component."""

from __future__ import annotations

import random
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import wasmtime
from gg_arm_kit import preview1, source
from gg_arm_kit.engine import make_engine
from gg_arm_kit.errors import KitError
from wasmtime import component

WASM_TOOLS = Path(sys.executable).parent / "wasm-tools"
FEEDBACK = "gg:sdk/feedback@0.1.0"
SCRATCH = 0x100
DATA = 0x1_0000
FREE = 0x80_0000


def probe_wat(pages: str = "256") -> str:
    """A core module that exports each preview 1 function, and its memory by words."""
    lines = ["(module"]
    for name, parameters in preview1.SIGNATURES.items():
        core = "".join(f" (param {parameter})" for parameter in parameters)
        result = "" if name == "proc_exit" else " (result i32)"
        lines.append(f'(import "{preview1.MODULE}" "{name}" (func ${name}{core}{result}))')
    lines.append(f'(memory (export "memory") {pages}) (global $free (mut i32) (i32.const {FREE}))')
    lines += [f'(export "{name.replace("_", "-")}" (func ${name}))' for name in preview1.SIGNATURES]
    lines.append(
        """(func (export "peek") (param i32) (result i64) (i64.load (local.get 0)))
        (func (export "pages") (result i32) (memory.size))
        (func (export "grow") (param i32) (drop (memory.grow (local.get 0))))
        (func (export "poke") (param i32 i32 i32)
          (memory.copy (local.get 0) (local.get 1) (i32.shl (local.get 2) (i32.const 3)))
          (global.set $free (i32.const 0x800000)))
        (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32)
          (global.set $free (i32.and (i32.add (global.get $free) (i32.const 7)) (i32.const -8)))
          (global.get $free) (global.set $free (i32.add (global.get $free) (local.get 3)))))"""
    )
    return "\n".join(lines)


def probe_wit() -> str:
    lines = ["package probe:probe;", "world probe {"]
    spelled = {"i32": "u32", "i64": "u64"}
    for name, parameters in preview1.SIGNATURES.items():
        listed = ", ".join(f"p{index}: {spelled[each]}" for index, each in enumerate(parameters))
        result = "" if name == "proc_exit" else " -> u32"
        lines.append(f"export {name.replace('_', '-')}: func({listed}){result};")
    lines += ["export peek: func(at: u32) -> u64;", "export poke: func(at: u32, words: list<u64>);"]
    lines += ["export pages: func() -> u32;", "export grow: func(by: u32);", "}"]
    return "\n".join(lines)


class ExitedError(Exception):
    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class Machine:
    """A running probe: what it told the host, and preview 1 as Python functions."""

    def __init__(self, engine: wasmtime.Engine, compiled: component.Component, max_bytes: int | None = None) -> None:
        self.told: list[tuple[str, str]] = []
        self.clock = 1_000_000
        self.random = iter(range(1, 1_000_000))
        self.store = wasmtime.Store(engine)
        self.store.set_epoch_deadline(1)
        if max_bytes is not None:
            self.store.set_limits(memory_size=max_bytes)
        linker = component.Linker(engine)

        def leave(_: object, status: int) -> None:
            raise ExitedError(status)

        functions: dict[str, Callable[..., object]] = {
            "log": lambda _, line: self.told.append(("log", line)),
            "stderr": lambda _, text: self.told.append(("stderr", text)),
            "exit": leave,
            "clock-now": lambda _: self.clock,
            "random": lambda _: next(self.random),
        }
        with linker.root() as root, root.add_instance(FEEDBACK) as feedback:
            for name, function in functions.items():
                feedback.add_func(name, function)
        self.instance = linker.instantiate(self.store, compiled)

    def call(self, name: str, *arguments: int) -> Any:
        function = self.instance.get_func(self.store, name.replace("_", "-"))
        assert function is not None, name
        result = function(self.store, *arguments)
        function.post_return(self.store)
        return result

    def poke(self, at: int, data: bytes) -> None:
        padded = data + bytes(-len(data) % 8)
        words = list(struct.unpack(f"<{len(padded) // 8}Q", padded))
        function = self.instance.get_func(self.store, "poke")
        assert function is not None
        function(self.store, at, words)
        function.post_return(self.store)

    def peek(self, at: int, count: int) -> bytes:
        return b"".join(struct.pack("<Q", self.call("peek", at + 8 * word)) for word in range(-(-count // 8)))[:count]

    def write(self, descriptor: int, *pieces: bytes, at: int = DATA) -> int:
        """One ``fd_write`` of ``pieces``."""
        vectors = b""
        place = at
        for piece in pieces:
            vectors += struct.pack("<II", place, len(piece))
            place += len(piece)
        self.poke(at, b"".join(pieces))
        self.poke(SCRATCH, vectors)
        errno = int(self.call("fd_write", descriptor, SCRATCH, len(pieces), SCRATCH + 0x8000))
        if not errno:
            assert struct.unpack("<I", self.peek(SCRATCH + 0x8000, 4))[0] == sum(map(len, pieces))
        return errno

    @property
    def lines(self) -> list[str]:
        return [text for kind, text in self.told if kind == "log"]

    @property
    def stderr(self) -> str:
        return "".join(text for kind, text in self.told if kind == "stderr")


@pytest.fixture(scope="module")
def engine() -> wasmtime.Engine:
    return make_engine(speed=False)


@pytest.fixture(scope="module")
def adapter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("adapter")
    return preview1.build_adapter(WASM_TOOLS, source.wit(), folder / "preview1.wasm")


def join(folder: Path, adapter: Path, wat: str, wit: str, world: str) -> bytes:
    """A component of ``wat`` with the adapter in the place of WASI."""
    (folder / "main.wat").write_text(wat, encoding="utf-8")
    (folder / "main.wit").write_text(wit, encoding="utf-8")
    for arguments in (
        ["component", "embed", "main.wit", "--world", world, "main.wat", "-o", "embedded.wasm"],
        ["component", "new", "embedded.wasm", "--adapt", f"{preview1.MODULE}={adapter}", "-o", "component.wasm"],
    ):
        done = subprocess.run([WASM_TOOLS, *arguments], cwd=folder, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode()
    return (folder / "component.wasm").read_bytes()


@pytest.fixture(scope="module")
def probe(engine: wasmtime.Engine, adapter: Path, tmp_path_factory: pytest.TempPathFactory) -> component.Component:
    folder = tmp_path_factory.mktemp("probe")
    return component.Component(engine, join(folder, adapter, probe_wat(), probe_wit(), "probe"))


@pytest.fixture
def machine(engine: wasmtime.Engine, probe: component.Component) -> Machine:
    return Machine(engine, probe)


def test_a_component_imports_feedback_and_nothing_else(engine: wasmtime.Engine, probe: component.Component) -> None:
    names = [name for name in probe.type.imports(engine) if not name.startswith("gg:sdk/types")]
    assert names == [FEEDBACK]


def test_every_function_of_preview_1_is_there(engine: wasmtime.Engine, probe: component.Component) -> None:
    exported = set(probe.type.exports(engine))
    assert len(preview1.SIGNATURES) == 46
    assert {name.replace("_", "-") for name in preview1.SIGNATURES} <= exported


def test_a_whole_line_is_one_log_without_its_end(machine: Machine) -> None:
    assert machine.write(1, b"one\ntwo\n\nthree\n") == 0
    assert machine.told == [("log", "one"), ("log", "two"), ("log", ""), ("log", "three")]


def test_a_line_split_over_writes_is_joined(machine: Machine) -> None:
    machine.write(1, b"on")
    machine.write(1, b"e \xc3")
    assert machine.told == []
    machine.write(1, b"\xa9", b"t", b"\xc3", b"\xa9\ntw")
    machine.write(1, b"o\n")
    assert machine.told == [("log", "one été"), ("log", "two")]


def test_stderr_leaves_at_each_write_as_it_is(machine: Machine) -> None:
    machine.write(2, b"panic: ")
    assert machine.stderr == "panic: "
    machine.write(2, b"x\n", b"y\xe2\x82")
    assert machine.stderr == "panic: x\ny"
    machine.write(2, b"\xac")
    assert machine.stderr == "panic: x\ny€"
    assert machine.lines == []


def test_stdout_comes_before_stderr_that_was_written_later(machine: Machine) -> None:
    machine.write(1, b"before")
    machine.write(2, b"middle\n")
    machine.write(1, b"after\n")
    assert machine.told == [("log", "before"), ("stderr", "middle\n"), ("log", "after")]


def test_a_character_is_joined_across_writes_to_the_other_descriptor(machine: Machine) -> None:
    machine.write(1, b"a\xf0\x9f")
    machine.write(2, b"b\xe2")
    machine.write(1, b"\x98\x80\n")
    machine.write(2, b"\x82\xac")
    assert machine.lines == ["a", "😀"]
    assert machine.stderr == "b€"


@pytest.mark.parametrize("function", ["fd_sync", "fd_close"])
def test_sync_and_close_end_what_is_held_back(machine: Machine, function: str) -> None:
    machine.write(1, b"held\xe2\x82")
    machine.write(2, b"\xf0\x9f\x98")
    assert machine.call(function, 1) == 0
    assert machine.call(function, 2) == 0
    assert machine.call(function, 0) == 0
    assert machine.lines == ["held", "\ufffd"]
    assert machine.stderr == "\ufffd"


def test_datasync_sends_the_line_and_keeps_an_unfinished_character(machine: Machine) -> None:
    machine.write(1, b"held\xe2\x82")
    assert machine.call("fd_datasync", 1) == 0
    machine.write(1, b"\xac\n")
    assert machine.lines == ["held", "€"]


def test_exit_carries_its_status_after_the_output(machine: Machine) -> None:
    machine.write(1, b"last words")
    machine.write(2, b"\xe2")
    with pytest.raises(ExitedError) as ended:
        machine.call("proc_exit", 259)
    assert ended.value.status == 259
    assert machine.told == [("log", "last words"), ("stderr", "\ufffd")]


def test_a_negative_exit_status_is_kept(machine: Machine) -> None:
    with pytest.raises(ExitedError) as ended:
        machine.call("proc_exit", 0xFFFF_FFFF)
    assert ended.value.status == -1


def test_a_mebibyte_of_other_scripts_through_a_kibibyte_buffer_arrives_exactly(machine: Machine) -> None:
    text = "".join(f"{index} é→漢字😀 ligne\n" for index in range(40_000))
    data = text.encode()[: 1 << 20]
    text = data.decode(errors="ignore")
    data = text.encode()
    machine.poke(DATA, data)
    split = 0
    for start in range(0, len(data), 1024):
        piece = data[start : start + 1024]
        split += start > 0 and 0x80 <= piece[0] < 0xC0
        machine.poke(SCRATCH, struct.pack("<II", DATA + start, len(piece)))
        assert machine.call("fd_write", 1, SCRATCH, 1, SCRATCH + 0x8000) == 0
    machine.call("fd_sync", 1)
    assert split > 100, "the test must split characters"
    assert "\n".join(machine.lines) == text.removesuffix("\n")


def test_one_line_of_a_mebibyte_is_one_log(machine: Machine) -> None:
    text = "漢é" * ((1 << 20) // 5)
    data = text.encode()
    machine.poke(DATA, data)
    for start in range(0, len(data), 65_537):
        machine.poke(SCRATCH, struct.pack("<II", DATA + start, len(data[start : start + 65_537])))
        assert machine.call("fd_write", 1, SCRATCH, 1, SCRATCH + 0x8000) == 0
    machine.call("fd_sync", 1)
    assert machine.lines == [text]


def pieces_of(data: bytes, choose: random.Random) -> Iterator[bytes]:
    while data:
        count = choose.randint(1, 7)
        yield data[:count]
        data = data[count:]


@pytest.mark.parametrize("descriptor", [1, 2])
@pytest.mark.parametrize("seed", range(4))
def test_random_bytes_arrive_as_python_replaces_them(machine: Machine, descriptor: int, seed: int) -> None:
    choose = random.Random(seed)
    # Bytes that leads, continuations and their limits are made of, so that nearly well-formed sequences are common.
    alphabet = bytes([0x0A, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF])
    alphabet += bytes([0xE0, 0xE1, 0xED, 0xEF, 0xF0, 0xF1, 0xF4, 0xF5, 0xFF])
    data = bytes(choose.choice(alphabet) for _ in range(1500)) + choose.randbytes(500)
    for piece in pieces_of(data, choose):
        assert machine.write(descriptor, piece) == 0
    machine.call("fd_sync", descriptor)
    expected = data.decode("utf-8", "replace")
    if descriptor == 1:
        assert "\n".join(machine.lines) == expected.removesuffix("\n")
    else:
        assert machine.stderr == expected


def test_every_pair_of_bytes_arrives_as_python_replaces_it(machine: Machine) -> None:
    data = b"".join(bytes([first, second, 0x20]) for first in range(128, 256) for second in range(256) if second != 10)
    for start in range(0, len(data), 0x6000):
        machine.write(1, data[start : start + 0x6000])
    machine.call("fd_sync", 1)
    assert machine.lines == [data.decode("utf-8", "replace")]


def test_text_arrives_where_memory_is_denied(engine: wasmtime.Engine, probe: component.Component) -> None:
    machine = Machine(engine, probe, max_bytes=256 << 16)
    machine.write(1, b"half ")
    machine.write(1, "li\u00e9 \U0001f600\n".encode())
    machine.write(2, "err \u20ac\xff".encode("latin-1", "xmlcharrefreplace") + b"\xff!")
    assert "".join(machine.lines) == "half li\u00e9 \U0001f600"
    assert machine.stderr.endswith("\ufffd\ufffd!")
    assert machine.call("pages") == 256


def test_a_guest_that_grows_its_memory_keeps_the_line(machine: Machine) -> None:
    machine.write(1, b"x" * 60_000)
    machine.call("grow", 1)
    for _ in range(5):
        machine.write(1, "é".encode() * 30_000)
    machine.call("fd_sync", 1)
    assert machine.lines == ["x" * 60_000 + "é" * 150_000]


def test_ascii_lines_take_no_memory(machine: Machine) -> None:
    machine.write(1, b"a line\n" * 1000)
    machine.write(2, b"a text")
    assert machine.call("pages") == 256


@pytest.mark.parametrize("descriptor", [0, 3, 0xFFFF_FFFF])
def test_other_descriptors_are_not_open_for_writing(machine: Machine, descriptor: int) -> None:
    assert machine.write(descriptor, b"x") == 8
    assert machine.told == []


def test_standard_input_is_at_its_end(machine: Machine) -> None:
    machine.poke(SCRATCH, struct.pack("<II", DATA, 16) + b"\xff" * 8)
    assert machine.call("fd_read", 0, SCRATCH, 1, SCRATCH + 8) == 0
    assert machine.peek(SCRATCH + 8, 4) == bytes(4)
    assert machine.call("fd_read", 1, SCRATCH, 1, SCRATCH + 8) == 8
    assert machine.call("fd_read", 4, SCRATCH, 1, SCRATCH + 8) == 8


def test_the_streams_are_terminals_to_a_c_library(machine: Machine) -> None:
    for descriptor in range(3):
        assert machine.call("fd_fdstat_get", descriptor, SCRATCH) == 0
        kind, flags, rights, inherited = struct.unpack("<BxH4xQQ", machine.peek(SCRATCH, 24))
        assert (kind, flags, inherited) == (2, 0, 0)
        assert rights & (1 << 2 | 1 << 5) == 0, "seek or tell makes a C library hold output back"
        assert rights & (1 << 6), "writing"
        assert machine.call("fd_filestat_get", descriptor, SCRATCH) == 0
        assert machine.peek(SCRATCH, 64) == bytes(16) + b"\x02" + bytes(7) + b"\x01" + bytes(39)
    assert machine.call("fd_fdstat_get", 3, SCRATCH) == 8
    assert machine.call("fd_filestat_get", 3, SCRATCH) == 8


def test_there_are_no_arguments_and_no_environment(machine: Machine) -> None:
    for name in ("args", "environ"):
        machine.poke(SCRATCH, b"\xff" * 16)
        assert machine.call(f"{name}_sizes_get", SCRATCH, SCRATCH + 8) == 0
        assert machine.peek(SCRATCH, 4) + machine.peek(SCRATCH + 8, 4) == bytes(8)
        assert machine.call(f"{name}_get", SCRATCH, SCRATCH + 8) == 0


ERRNO = {
    8: ["fd_prestat_get", "fd_prestat_dir_name"],
    44: [name for name in preview1.SIGNATURES if name.startswith("path_")],
    58: [name for name in preview1.SIGNATURES if name.startswith("sock_")] + ["proc_raise"],
    0: ["sched_yield", "fd_fdstat_set_flags"],
    70: ["fd_seek", "fd_tell", "fd_pread", "fd_pwrite", "fd_advise", "fd_allocate"],
    54: ["fd_readdir"],
    28: ["fd_filestat_set_size"],
}


@pytest.mark.parametrize(("name", "errno"), [(name, errno) for errno, names in ERRNO.items() for name in names])
def test_the_rest_answers_an_error_number(machine: Machine, name: str, errno: int) -> None:
    arguments = [1] * len(preview1.SIGNATURES[name])
    assert machine.call(name, *arguments) == errno
    if name.startswith("fd_"):
        assert machine.call(name, *[9] * len(arguments)) == 8
    assert machine.told == []


def now(machine: Machine, clock: int) -> int:
    assert machine.call("clock_time_get", clock, 0, SCRATCH) == 0
    return int.from_bytes(machine.peek(SCRATCH, 8), "little")


def test_the_clocks_are_the_run_s_own(machine: Machine) -> None:
    machine.clock = 5_000
    assert [now(machine, clock) for clock in range(4)] == [5_000, 5_000, 0, 0]
    machine.clock = 7_500
    assert [now(machine, clock) for clock in range(4)] == [7_500, 7_500, 2_500, 2_500]
    assert machine.call("clock_time_get", 4, 0, SCRATCH) == 28
    assert machine.call("clock_res_get", 1, SCRATCH) == 0
    assert int.from_bytes(machine.peek(SCRATCH, 8), "little") == 1
    assert machine.call("clock_res_get", 4, SCRATCH) == 28


def on_clock(userdata: int, nanoseconds: int, absolute: bool = False, clock: int = 1) -> bytes:
    return struct.pack("<QB7xI4xQQH6x", userdata, 0, clock, nanoseconds, 0, absolute)


def on_descriptor(userdata: int, descriptor: int, writing: bool) -> bytes:
    return struct.pack("<QB7xI28x", userdata, 2 if writing else 1, descriptor)


def poll(machine: Machine, *subscriptions: bytes) -> list[tuple[int, int, int, int, int]]:
    """(userdata, errno, type, bytes, flags) of each event."""
    machine.poke(DATA, b"".join(subscriptions))
    machine.poke(DATA + 0x1000, b"\xff" * 32 * len(subscriptions))
    assert machine.call("poll_oneoff", DATA, DATA + 0x1000, len(subscriptions), SCRATCH) == 0
    count = int.from_bytes(machine.peek(SCRATCH, 4), "little")
    return [struct.unpack("<QHB5xQH6x", machine.peek(DATA + 0x1000 + 32 * index, 32)) for index in range(count)]


def test_sleep_returns_at_once_and_advances_the_clock(machine: Machine) -> None:
    before = now(machine, 0)
    processor = now(machine, 2)
    assert poll(machine, on_clock(7, 3_600_000_000_000)) == [(7, 0, 0, 0, 0)]
    assert now(machine, 0) - before == 3_600_000_000_000
    assert now(machine, 1) - before == 3_600_000_000_000
    assert now(machine, 2) == processor


def test_sleep_until_a_time(machine: Machine) -> None:
    start = now(machine, 1)
    assert poll(machine, on_clock(1, start + 500, absolute=True)) == [(1, 0, 0, 0, 0)]
    assert now(machine, 1) == start + 500
    assert poll(machine, on_clock(1, start, absolute=True)) == [(1, 0, 0, 0, 0)]
    assert now(machine, 1) == start + 500, "a time that is past does not turn the clock back"


def test_sleep_without_end_does_not_wrap_the_clock(machine: Machine) -> None:
    assert poll(machine, on_clock(1, 2**64 - 1)) == [(1, 0, 0, 0, 0)]
    assert now(machine, 0) == 2**63 - 1
    poll(machine, on_clock(1, 10))
    assert now(machine, 0) == 2**63 - 1


def test_the_shortest_of_several_waits_is_the_one_that_ends(machine: Machine) -> None:
    before = now(machine, 0)
    assert poll(machine, on_clock(1, 900), on_clock(2, 400), on_clock(3, 400)) == [(2, 0, 0, 0, 0), (3, 0, 0, 0, 0)]
    assert now(machine, 0) - before == 400


def test_descriptors_are_ready_and_the_clock_stands(machine: Machine) -> None:
    before = now(machine, 0)
    events = poll(
        machine,
        on_clock(1, 900),
        on_descriptor(2, 0, writing=False),
        on_descriptor(3, 1, writing=True),
        on_descriptor(4, 9, writing=True),
        on_descriptor(5, 1, writing=False),
    )
    assert events == [(2, 0, 1, 0, 1), (3, 0, 2, 65536, 0), (4, 8, 2, 0, 0), (5, 8, 1, 0, 0)]
    assert now(machine, 0) == before


def test_a_wrong_subscription_is_told(machine: Machine) -> None:
    assert machine.call("poll_oneoff", DATA, DATA, 0, SCRATCH) == 28
    assert poll(machine, on_clock(1, 5, clock=9)) == [(1, 28, 0, 0, 0)]
    machine.poke(DATA, struct.pack("<QB39x", 1, 3))
    assert machine.call("poll_oneoff", DATA, DATA + 0x1000, 1, SCRATCH) == 28


def test_random_bytes_are_the_run_s_own(machine: Machine) -> None:
    machine.random = iter([0x0807060504030201, 0x0000_0000_0000_0A09])
    machine.poke(DATA, b"\xff" * 16)
    assert machine.call("random_get", DATA, 11) == 0
    assert machine.peek(DATA, 16) == bytes([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0]) + b"\xff" * 5


def test_unused_functions_and_imports_are_dropped(engine: wasmtime.Engine, adapter: Path, tmp_path: Path) -> None:
    wat = f"""(module (import "{preview1.MODULE}" "random_get" (func $random (param i32 i32) (result i32)))
      (memory (export "memory") 1)
      (func (export "run") (result i32) (drop (call $random (i32.const 0) (i32.const 4))) (i32.load (i32.const 0))))"""
    made = join(tmp_path, adapter, wat, "package probe:probe; world w { export run: func() -> u32; }", "w")
    described = subprocess.run([WASM_TOOLS, "print"], input=made, capture_output=True, check=True).stdout.decode()
    assert '"random"' in described
    assert "clock-now" not in described
    assert "fd_write" not in described


def test_a_package_without_feedback_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(KitError, match="no WIT package"):
        preview1.build_adapter(WASM_TOOLS, tmp_path, tmp_path / "out.wasm")
    (tmp_path / "a.wit").write_text("package a:b;\ninterface other {}\n", encoding="utf-8")
    with pytest.raises(KitError, match="feedback"):
        preview1.build_adapter(WASM_TOOLS, tmp_path, tmp_path / "out.wasm")
    assert not (tmp_path / "out.wasm").exists()


def test_two_builds_are_the_same_bytes(adapter: Path, tmp_path: Path) -> None:
    again = preview1.build_adapter(WASM_TOOLS, source.wit(), tmp_path / "again.wasm")
    assert again.read_bytes() == adapter.read_bytes()
