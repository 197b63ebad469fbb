"""Real guests for the host's tests: components written in WAT for the project's own WIT world, run by a text arm."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from gg_arm_kit import source
from gg_arm_kit.artifacts import Artifact, make_artifact
from gg_arm_kit.cache import open_cache
from gg_arm_kit.facts import ArmFacts
from gg_arm_kit.manifest import wit_sha256
from gg_arm_kit.seam import Location, LocationMap, Prepared, RefusalKind, Refused, TextForm, UnchangedLocations
from gg_host import Host

BIN = Path(sys.executable).parent

GuestBuilder = Callable[..., Path]


def wasm_tools(*arguments: str | Path) -> None:
    """Run wasm-tools; its words are the test's failure."""
    done = subprocess.run([BIN / "wasm-tools", *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="session", name="wasm_tools")
def wasm_tools_command() -> Callable[..., None]:
    """``wasm_tools(*arguments)`` runs wasm-tools."""
    return wasm_tools


@cache
def core_imports() -> Mapping[str, tuple[str, str]]:
    """``interface.function`` to the import's module name and its core signature, as the canonical ABI lowers it."""
    command = [BIN / "wasm-tools", "component", "embed", "--dummy", source.wit(), "--world", "guest", "-t"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = {}
    for line in text.splitlines():
        match = re.match(
            r'\s*\(import "cm32p2\|gg:sdk/([a-z]+)@0\.1" "([a-z-]+)" \(func \(;\d+;\) \(type \d+\)(.*)\)\)$', line
        )
        if match:
            found[f"{match[1]}.{match[2]}"] = (f"gg:sdk/{match[1]}@0.1.0", match[3].strip())
    return found


def module_text(body: str, data: Mapping[int, str | bytes], functions: str, pages: int, start: str) -> str:
    """A core module of the world ``guest`` whose ``run`` is ``body``."""
    used = sorted(set(re.findall(r"\$([a-z]+\.[a-z-]+)", body + functions + start)))
    imports = []
    for name in used:
        where, signature = core_imports()[name]
        imports.append(f'(import "{where}" "{name.partition(".")[2]}" (func ${name} {signature}))')
    segments = []
    for offset, content in data.items():
        raw = content.encode() if isinstance(content, str) else content
        escaped = "".join(f"\\{byte:02x}" for byte in raw)
        segments.append(f'(data (i32.const {offset}) "{escaped}")')
    return f"""(module
      {" ".join(imports)}
      (memory (export "memory") {pages})
      (global $next (mut i32) (i32.const 32768))
      (func (export "cabi_realloc")
        (param $old i32) (param $old_size i32) (param $align i32) (param $size i32) (result i32) (local $at i32)
        (local.set $at (i32.and (i32.add (global.get $next) (i32.const 15)) (i32.const -16)))
        (global.set $next (i32.add (local.get $at) (local.get $size)))
        (block $fits
          (br_if $fits (i32.le_u (global.get $next) (i32.mul (memory.size) (i32.const 65536))))
          (drop (memory.grow (i32.add (i32.div_u (local.get $size) (i32.const 65536)) (i32.const 1)))))
        (memory.copy (local.get $at) (local.get $old) (local.get $old_size))
        (local.get $at))
      {functions}
      (func (export "run") (param $program i32) (param $program_size i32) (param $modules i32) (param $modules_size i32)
        (param $operations i32) (param $operations_size i32) (param $ending i32) (param $library i32)
        (local $i i32) (local $n i32) (local $t i64) (local $u i64)
        {body})
      (func (export "bound-operations") (result i32) (i32.const 16))
      {start}
      {" ".join(segments)})"""


@pytest.fixture(scope="session")
def build_guest(tmp_path_factory: pytest.TempPathFactory) -> GuestBuilder:
    """Make a component from the body of its ``run``; functions are called as ``$files.read-file``."""
    made: dict[tuple[object, ...], Path] = {}

    def build(
        body: str,
        data: Mapping[int, str | bytes] | None = None,
        *,
        functions: str = "",
        pages: int = 1,
        start: str = "",
    ) -> Path:
        key = (body, tuple((data or {}).items()), functions, pages, start)
        if key in made:
            return made[key]
        folder = tmp_path_factory.mktemp("guest")
        (folder / "core.wat").write_text(module_text(body, data or {}, functions, pages, start), encoding="utf-8")
        wasm_tools(
            "component", "embed", source.wit(), "--world", "guest", folder / "core.wat", "-o", folder / "core.wasm"
        )
        wasm_tools("component", "new", folder / "core.wasm", "-o", folder / "component.wasm")
        made[key] = folder / "component.wasm"
        return made[key]

    return build


class TextArm:
    """An arm whose component reads the program as text; a program that starts with ``refuse`` does not compile."""

    def __init__(self, facts: ArmFacts, locations: LocationMap) -> None:
        self._facts = facts
        self._locations = locations
        self.prepared = 0

    @property
    def facts(self) -> ArmFacts:
        return self._facts

    def build(self, kit: Any) -> Artifact:
        raise NotImplementedError

    def prepare(self, program: bytes, modules: Any, artifact: Artifact, workspace: Any) -> Prepared | Refused:
        self.prepared += 1
        text = program.decode()
        if text.startswith("refuse"):
            return Refused(RefusalKind.COMPILE, "program.txt:1:1: error: refused", Location("program.txt", 1, 1))
        return Prepared(TextForm(text), self._locations)


@pytest.fixture(scope="session")
def make_arm() -> Callable[..., tuple[TextArm, Artifact]]:
    """Make an arm and its artifact around a component."""

    def make(
        component: Path,
        *,
        arm_id: str = "text",
        floor: int = 0,
        locations: LocationMap | None = None,
    ) -> tuple[TextArm, Artifact]:
        table = (
            f'[arm]\nid = "{arm_id}"\ntitle = "Text"\norder = 99\nprogram-file = "program.txt"\nform = "text"\n'
            f"reports-uncaught = true\nmemory-floor-bytes = {floor}\n"
        )
        files = {
            "component.wasm": component,
            "arm.toml": table.encode(),
            "signatures.json": source.generated("javascript") / "signatures.json",
        }
        artifact = make_artifact(open_cache(), arm_id, "0", files, {}, wit_sha256(source.wit()))
        return TextArm(artifact.facts, locations or UnchangedLocations()), artifact

    return make


@pytest.fixture
def host() -> Iterator[Host]:
    """A host that is closed again."""
    with Host() as made:
        yield made


class Always:
    """Serves the operations that every program has, and keeps what it is given."""

    def __init__(self) -> None:
        self.texts: list[tuple[str, str]] = []

    def search(self, call: Any, *arguments: Any) -> Any:
        raise NotImplementedError

    def open_text(self, call: Any, label: str, body: str) -> None:
        self.texts.append((label, body))

    def open_docs_view(self, call: Any, name: str) -> None:
        return None

    def opened(self) -> tuple[tuple[str, str], ...]:
        return tuple(self.texts)


@pytest.fixture
def always() -> dict[str, object]:
    """Providers of what every program has."""
    served = Always()
    return {"docs": served, "views": served}
