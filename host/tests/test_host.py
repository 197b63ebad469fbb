"""A host runs programs of an arm and reports what they did."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from gg_arm_kit.artifacts import make_artifact
from gg_arm_kit.cache import open_cache
from gg_arm_kit.errors import KitError
from gg_host import Grant, Host, Limits, Outcome, ProgramReport, SourceModule, full_grant
from gg_host.generated import WIT_SHA256

LIMITS = Limits(timeout_secs=20, max_memory_bytes=64 << 20)
ECHO = "(call $feedback.log (local.get $program) (local.get $program_size))"
SPIN = "(loop $for_ever (br $for_ever))"


@pytest.fixture
def echo(build_guest: Any, make_arm: Any, host: Host) -> Any:
    arm, artifact = make_arm(build_guest(ECHO))
    host.add(arm, artifact)
    return arm


def run(host: Host, program: bytes | str, providers: dict[str, object], **options: Any) -> ProgramReport:
    return host.run("text", program, grant=Grant(), limits=LIMITS, providers=providers, **options)


@pytest.mark.parametrize("program", ["", "text", "é😀\0\r\n", "x" * (1 << 20)])
def test_the_program_arrives_as_it_was_sent(host: Host, echo: Any, always: Any, program: str) -> None:
    shown = program if len(program) < 2048 else None
    for sent in (program, program.encode()):
        report = run(host, sent, always)
        assert report.outcome is Outcome.PROGRESSED
        assert (report.error_type, report.band, report.text, report.location) == (None, None, "", None)
        if shown is not None:
            assert report.logs == (shown,)


def test_a_report_can_be_written_as_json(build_guest: Any, make_arm: Any, host: Host, always: Any) -> None:
    host.add(*make_arm(build_guest(f"{ECHO} (unreachable)")))
    report = run(host, "line", always)
    told = json.loads(json.dumps(report.to_json()))
    assert told["outcome"] == "error"
    assert told["error_type"] == "sandbox_trap"
    assert told["logs"] == ["line"]
    assert told["times"]["guest_cpu"] > 0
    assert told["times"]["instantiate"] > 0
    assert set(told) >= {"seed", "clock_start_ns", "peak_memory_bytes", "stderr", "refusals", "calls", "views"}


def test_a_report_is_frozen(host: Host, echo: Any, always: Any) -> None:
    report = run(host, "", always)
    with pytest.raises(AttributeError):
        report.text = "other"  # type: ignore[misc]


def test_a_program_its_language_refuses_never_runs(host: Host, echo: Any, always: Any) -> None:
    report = run(host, "refuse me", always)
    assert (report.outcome, report.error_type, report.band) == (Outcome.ERROR, "transpile_compile", "Compiler error")
    assert report.text == "Compiler error\n----\nprogram.txt:1:1: error: refused\n"
    assert report.location == "program.txt:1:1"
    assert (report.logs, report.times.run) == ((), 0)


def test_a_program_is_prepared_once(host: Host, echo: Any, always: Any) -> None:
    first = run(host, "once", always)
    again = run(host, b"once", always)
    assert echo.prepared == 1
    assert (first.times.prepare > 0, again.times.prepare) == (True, 0)
    run(host, "twice", always)
    assert echo.prepared == 2
    for _ in range(2):  # a refusal is not kept: its diagnostics may be the machine's
        assert run(host, "refuse", always).error_type == "transpile_compile"
    assert echo.prepared == 4


def test_views_and_module_lists_of_the_report(build_guest: Any, make_arm: Any, host: Host, always: Any) -> None:
    body = """(call $views.open-text (i32.const 100) (i32.const 5) (local.get $program) (local.get $program_size)
        (i32.const 200))
      (call $feedback.stderr (i32.const 100) (i32.const 5))
      (call $feedback.report-deferred (i32.const 100) (i32.const 5))
      (call $feedback.report-module-error (i32.const 100) (i32.const 5) (i32.const 100) (i32.const 2))
      (call $feedback.note-return)"""
    host.add(*make_arm(build_guest(body, {100: "label"})))
    report = run(host, "body", always)
    assert report.views == (("label", "body"),)
    assert (report.stderr, report.deferred) == ("label", ("label",))
    assert [(error.name, error.message) for error in report.module_errors] == [("label", "la")]


def test_the_guest_is_told_what_is_granted(build_guest: Any, make_arm: Any, host: Host, always: Any) -> None:
    body = """(local.set $n (local.get $operations_size))
      (loop $more
        (call $feedback.log (i32.load (local.get $operations)) (i32.load offset=4 (local.get $operations)))
        (local.set $operations (i32.add (local.get $operations) (i32.const 8)))
        (br_if $more (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))"""
    host.add(*make_arm(build_guest(body)))
    for _ in range(2):
        assert run(host, "", always).logs == ("docs.search", "views.open_text", "views.open_docs_view")


@pytest.mark.parametrize(
    ("program", "options", "words"),
    [
        ("lone \ud800", {}, "is not text"),
        ("x", {"modules": [SourceModule("m", "s")]}, "code modules cannot be run yet"),
    ],
)
def test_what_cannot_be_run_is_refused_with_a_reason(
    host: Host, echo: Any, always: Any, program: str, options: dict[str, Any], words: str
) -> None:
    with pytest.raises(KitError, match=words):
        run(host, program, always, **options)


def test_unknown_arms_and_missing_providers_are_named(host: Host, echo: Any, always: Any) -> None:
    with pytest.raises(KitError, match="no arm 'klingon'"):
        host.run("klingon", "", grant=Grant(), limits=LIMITS, providers=always)
    with pytest.raises(KitError, match=r"no provider serves docs\.search, views\.open_text, views\.open_docs_view"):
        run(host, "", {})


def test_a_prepare_that_fails_is_raised_to_the_caller(host: Host, echo: Any, always: Any) -> None:
    with pytest.raises(UnicodeDecodeError):
        run(host, b"\xff", always)
    assert run(host, "next", always).logs == ("next",)


def test_an_artifact_of_another_arm_is_refused(build_guest: Any, make_arm: Any, host: Host) -> None:
    component = build_guest(ECHO)
    arm, _ = make_arm(component, arm_id="one")
    _, artifact = make_arm(component, arm_id="two")
    with pytest.raises(KitError, match="of arm 'two' was given for arm 'one'"):
        host.add(arm, artifact)


def test_an_artifact_of_another_wit_is_refused_by_name(
    build_guest: Any, make_arm: Any, host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arm, good = make_arm(build_guest(ECHO), arm_id="spoken")
    files = {name: good.path(name) for name in good.manifest.files}
    monkeypatch.setenv("GG_CACHE", str(tmp_path / "cache"))
    cache = open_cache()
    assert good.manifest.wit_sha256 == WIT_SHA256
    make_artifact(cache, "spoken", "0", files, {}, "0" * 64)
    with pytest.raises(KitError, match=f"was made for WIT {'0' * 16}, and this host speaks WIT {WIT_SHA256[:16]}"):
        host.arm(arm)
    make_artifact(cache, "spoken", "0", files, {}, WIT_SHA256)
    assert host.arm(arm).artifact.manifest.wit_sha256 == WIT_SHA256


def test_a_component_that_imports_anything_else_is_refused(
    make_arm: Any, host: Host, always: Any, tmp_path: Path, wasm_tools: Any
) -> None:
    wit = """package other:place; interface clock { now: func() -> u64; }
      world w { import clock; export run: func(); }"""
    (tmp_path / "w.wit").write_text(wit, encoding="utf-8")
    wasm_tools("component", "embed", "--dummy", tmp_path / "w.wit", "--world", "w", "-o", tmp_path / "core.wasm")
    wasm_tools("component", "new", tmp_path / "core.wasm", "-o", tmp_path / "component.wasm")
    host.add(*make_arm(tmp_path / "component.wasm"))
    with pytest.raises(KitError, match="does not fit this host: it imports other:place/clock"):
        run(host, "", always)


def test_an_awaited_run(host: Host, echo: Any, always: Any) -> None:
    async def both() -> list[ProgramReport]:
        options: Any = {"grant": Grant(), "limits": LIMITS, "providers": always}
        return await asyncio.gather(*(host.run_async("text", f"p{n}", **options) for n in range(8)))

    assert [report.logs for report in asyncio.run(both())] == [(f"p{n}",) for n in range(8)]


def test_cancelling_the_task_cancels_the_run(build_guest: Any, make_arm: Any, host: Host, always: Any) -> None:
    host.add(*make_arm(build_guest(SPIN)))
    run = host.start("text", "", grant=Grant(), limits=Limits(60, 64 << 20), providers=always)

    async def give_up() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(run.wait(), 0.2)

    asyncio.run(give_up())
    assert run.result(10).outcome is Outcome.CANCELLED


def test_a_run_can_be_waited_for_in_parts(build_guest: Any, make_arm: Any, host: Host, always: Any) -> None:
    host.add(*make_arm(build_guest(SPIN)))
    run = host.start("text", "", grant=Grant(), limits=Limits(60, 64 << 20), providers=always)
    with pytest.raises(TimeoutError):
        run.result(0.05)
    assert not run.done
    run.cancel()
    assert run.result(10) is run.result()


def test_an_interrupt_from_the_keyboard_cancels_the_run(
    build_guest: Any, make_arm: Any, host: Host, always: Any
) -> None:
    host.add(*make_arm(build_guest(SPIN)))
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        host.run("text", "", grant=Grant(), limits=Limits(60, 64 << 20), providers=always)
    timer.join()
    assert time.monotonic() - began < 10
    host.close()
    assert not host._running


def test_a_closed_host_runs_nothing(build_guest: Any, make_arm: Any, always: Any) -> None:
    with Host() as host:
        host.add(*make_arm(build_guest(ECHO)))
    with pytest.raises(KitError, match="the host is closed"):
        run(host, "", always)


def test_a_full_grant_holds_everything_but_an_ending() -> None:
    grant = full_grant()
    assert "files.read_file" in grant.operations
    assert grant.ending.value == "none"


def test_the_package_can_be_imported_alone() -> None:
    """A first import in either order must not run into a circle."""
    for module in ("gg_host", "gg_host.providers", "gg_host.providers.call", "gg_host.failures", "gg_host.convert"):
        subprocess.run([sys.executable, "-c", f"import {module}"], check=True, timeout=60)


def test_a_process_that_forgets_to_close_its_host_ends_well(build_guest: Any, make_arm: Any) -> None:
    """A guest still runs when the interpreter goes."""
    _, artifact = make_arm(build_guest(SPIN))
    script = f"""
import pathlib, time
from gg_arm_kit import artifacts
from gg_arm_kit.seam import Prepared, TextForm
from gg_host import Grant, Host, Limits

class Arm:
    artifact = artifacts.load(pathlib.Path({str(artifact.folder)!r}))
    facts = artifact.facts
    def prepare(self, program, modules, artifact, workspace):
        return Prepared(TextForm(program.decode()))

class Always:
    def search(self, *_): ...
    def open_text(self, *_): ...
    def open_docs_view(self, *_): ...

host = Host()
host.add(Arm(), Arm.artifact)
providers = dict(docs=Always(), views=Always())
host.start("text", "", grant=Grant(), limits=Limits(60, 1 << 20), providers=providers)
time.sleep(0.3)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
