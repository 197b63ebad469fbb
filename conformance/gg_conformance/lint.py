"""``./nox -s lint``: format, lint and types of every package, and the files that are data."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

from gg_arm_kit import command, source
from gg_arm_kit.errors import KitError

REGISTRY_MARKS = (
    "registry." + "npmjs",
    "files.python" + "hosted",
    "pypi." + "org",
    "crates" + ".io-index",
    "repo1." + "maven",
    "deb." + "debian.org",
)


def _tracked(root: Path) -> list[Path]:
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    if shutil.which("git") is not None:
        listing = subprocess.run(command, cwd=root, capture_output=True, check=False)
        if listing.returncode == 0:
            return [root / name for name in listing.stdout.decode().split("\0") if name and (root / name).is_file()]
    return [path for path in root.rglob("*") if path.is_file() and ".git" not in path.parts]


def _run(root: Path, *command: str) -> list[str]:
    done = subprocess.run([sys.executable, "-m", *command], cwd=root, capture_output=True, text=True, check=False)
    return [] if done.returncode == 0 else [done.stdout.strip() + done.stderr.strip()]


def packages(root: Path) -> list[Path]:
    """Every Python package folder of the project, without what is generated for guests."""
    return [
        path.parent / f"{_module(path)}"
        for path in sorted(root.glob("*/pyproject.toml")) + sorted(root.glob("arms/*/pyproject.toml"))
    ]


def _module(pyproject: Path) -> str:
    name = tomllib.loads(pyproject.read_text(encoding="utf-8"))["tool"]["flit"]["module"]["name"]
    return str(name)


def check_toml(root: Path) -> list[str]:
    """Every TOML file parses."""
    faults = []
    for path in _tracked(root):
        if path.suffix in (".toml", ".lock") and path.name != "Cargo.lock":
            try:
                tomllib.loads(path.read_text(encoding="utf-8"))
            except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
                faults.append(f"{path.relative_to(root)}: not TOML: {error}")
    return faults


def check_wit(root: Path) -> list[str]:
    """The WIT package resolves, by wasm-tools itself."""
    done = subprocess.run(
        ["wasm-tools", "component", "wit", "wit"], cwd=root, capture_output=True, text=True, check=False
    )
    return [] if done.returncode == 0 else [f"wit/: {done.stderr.strip()}"]


def check_hosts(root: Path) -> list[str]:
    """No file names a package registry's host: packages are named by ecosystem, name and version."""
    faults = []
    for path in _tracked(root):
        text = path.read_bytes()
        faults += [
            f"{path.relative_to(root)}: names the registry host {mark!r}"
            for mark in REGISTRY_MARKS
            if mark.encode() in text
        ]
    return faults


def checks(root: Path) -> list[tuple[str, Callable[[], list[str]]]]:
    """Every check by the name it is shown under, in the order it runs."""
    sources = [str(path) for path in packages(root)]
    return [
        ("ruff format", lambda: _run(root, "ruff", "format", "--check", "--quiet", ".")),
        ("ruff check", lambda: _run(root, "ruff", "check", "--quiet", ".")),
        ("TOML", lambda: check_toml(root)),
        ("WIT", lambda: check_wit(root)),
        ("registry hosts", lambda: check_hosts(root)),
        ("mypy --strict", lambda: _run(root, "mypy", "--no-error-summary", "noxfile.py", *sources)),
    ]


def main() -> int:
    """Run every check, print what each found; 0 when all are clean, 1 otherwise.

    Raises:
        KitError: an argument was given.
    """
    if sys.argv[1:]:
        raise KitError(f"lint takes no arguments, and got {' '.join(sys.argv[1:])}", "It always checks everything.")
    failed = 0
    for name, check in checks(source.root()):
        faults = [fault for fault in check() if fault]
        failed += bool(faults)
        sys.stdout.write(f"{'ok' if not faults else 'FAILED':<7}{name}\n")
        for fault in faults:
            sys.stdout.write(fault + "\n")
        sys.stdout.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(command.run("lint", main))
