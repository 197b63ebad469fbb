"""Programs and host calls: what a turn costs beside the program's own work."""

from __future__ import annotations

import contextlib
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any
from unittest import mock

from gg_arm_kit import registry
from gg_arm_kit.artifacts import load
from gg_arm_kit.limits import Completed
from gg_arm_kit.seam import Prepared
from gg_arm_kit.workspace import Workspace
from gg_host import Call, Grant, Host, Limits, full_grant
from gg_host import linker as linking

from gg_benchmarks.model import least_us_each, median_wall_ms

LIMITS = Limits(timeout_secs=60, max_memory_bytes=256 * 1024 * 1024)
GRANT = Grant(full_grant().capabilities, {"files.read_text_file"})
CALLS = 10_000
RUNS = 200
IDLE_SECS = 0.01
"""A turn never follows another at once, a model has to write it: the host has this long to make an instance ahead."""

ONE_CALL = {
    "javascript": 'import { files } from "gg";\nfiles.readTextFile("x");\n',
    "python": 'import gg\ngg.files.read_text_file("x")\n',
}
MANY_CALLS: dict[str, Callable[[int], str]] = {
    "javascript": lambda n: f'import {{ files }} from "gg";\nfor (let i = 0; i < {n}; i++) files.readTextFile("x");\n',
    "python": lambda n: f'import gg\nfor i in range({n}):\n    gg.files.read_text_file("x")\n',
}


class Files:
    """Answers at once, so that what is measured is the crossing."""

    def read_text_file(self, call: Call, path: str, offset: int | None, limit: int | None) -> str:
        """A short text."""
        return "hello " + path


class Views:
    """The two always-bound operations of the namespace."""

    def open_text(self, call: Call, label: str, body: str) -> None:
        """Nothing."""

    def open_docs_view(self, call: Call, name: str) -> None:
        """Nothing."""


class Docs:
    """The always-bound operation of the namespace; never called here."""

    def search(self, call: Call, *arguments: Any) -> Any:
        """Nothing."""
        raise NotImplementedError


PROVIDERS: dict[str, object] = {"files": Files(), "views": Views(), "docs": Docs()}


def _run(host: Host, arm: str, program: str, on_event: Callable[[Any], None] | None = None) -> None:
    report = host.run(arm, program, grant=GRANT, limits=LIMITS, providers=PROVIDERS, on_event=on_event)
    if report.error_type is not None or report.outcome == "fatal":
        raise RuntimeError(f"{arm}: {report.outcome} {report.text} {report.fault}")


def program_ms(arm: str) -> float:
    """Median wall time of a program with one host call on fresh state, from source to report, in milliseconds."""
    with Host() as host:
        return median_wall_ms(lambda: _run(host, arm, ONE_CALL[arm]), RUNS, IDLE_SECS)


def call_us(arm: str) -> float:
    """One host call through the whole bracket with events delivered, in microseconds."""
    events = [0]

    def on_event(_: Any) -> None:
        events[0] += 1

    with Host() as host:
        return least_us_each(lambda count: _run(host, arm, MANY_CALLS[arm](count), on_event), CALLS)


@contextlib.contextmanager
def _no_bracket() -> Iterator[None]:
    """Operations that are converted and answered, and neither recorded nor gated: the floor the bracket stands on."""

    def bare(_operation: Any, _names: Any, lift: Any, lower_ok: Any, _lower_err: Any) -> Any:
        def call(_d: int, _c: int, _t: int, arguments: int, _n: int, results: int, _r: int) -> int:
            path, _offset, _limit = lift(arguments)
            lower_ok(results, "hello " + path)
            return 0

        return call

    with mock.patch.object(linking, "operation_function", bare):
        yield


def converters_us(arm: str) -> float:
    """One host call with nothing but lifting and lowering, in microseconds."""
    with _no_bracket(), Host() as host:
        return least_us_each(lambda count: _run(host, arm, MANY_CALLS[arm](count)), CALLS)


TYPESCRIPT = """import { files } from "gg";

interface Entry {
  name: string;
  lines: number;
  words: Map<string, number>;
}

function count(text: string): Map<string, number> {
  const words = new Map<string, number>();
  for (const word of text.split(/\\s+/)) {
    words.set(word, (words.get(word) ?? 0) + 1);
  }
  return words;
}

const entries: Entry[] = [];
for (const entry of files.listDir()) {
  if (entry.kind === "file") {
    const text = files.readTextFile(entry.name);
    entries.push({ name: entry.name, lines: text.split("\\n").length, words: count(text) });
  }
}
entries.sort((a, b) => b.lines - a.lines);
for (const { name, lines, words } of entries) {
  const top = [...words].sort((a, b) => b[1] - a[1]).slice(0, 3);
  console.log(name, lines, top.map(([word, times]) => `${word}: ${times}`).join(", "));
}
"""


class MeteredWorkspace(Workspace):
    """A workspace that adds up the processor time of what runs in it."""

    cpu_secs = 0.0

    def run(self, *arguments: Any, **options: Any) -> Completed:
        """See ``Workspace``."""
        completed = super().run(*arguments, **options)
        self.cpu_secs += completed.cpu_secs
        return completed


def prepare_cpu_ms(arm: str = "typescript", runs: int = 31) -> float:
    """Median processor time of preparing a program of 30 lines, in milliseconds: this process and the compiler's."""
    loaded = registry.find(arm)
    artifact = load(arm)
    taken: list[float] = []
    for number in range(runs):
        program = f"// {number}\n{TYPESCRIPT}".encode()
        folder = MeteredWorkspace()
        with folder:
            start = time.process_time()
            outcome = loaded.prepare(program, (), artifact, folder)
            taken.append((time.process_time() - start + folder.cpu_secs) * 1e3)
        if not isinstance(outcome, Prepared):
            raise RuntimeError(f"{arm}: the program was refused: {outcome.diagnostics}")
    return statistics.median(taken[1:])
