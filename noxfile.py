"""The project's commands. `./nox -l` lists them; `./nox -s NAME -- ARGUMENTS` runs one.

Every session runs in the one locked environment that `./nox` makes, so none makes an environment of its own.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import nox

nox.needs_version = ">=2026"
nox.options.default_venv_backend = "none"
nox.options.error_on_missing_interpreters = False
nox.options.sessions = ["table"]

PYTHON = sys.executable
# Hashes of every file of a release, and no address: where packages come from is the machine's own configuration.
PIP_COMPILE = (
    "--quiet",
    "--generate-hashes",
    "--allow-unsafe",
    "--strip-extras",
    "--no-header",
    "--no-annotate",
    "--no-emit-index-url",
    "--no-emit-find-links",
    "--no-emit-trusted-host",
)


def module(session: nox.Session, name: str, *arguments: str) -> None:
    """Run one of the project's own commands; its exit code is the session's."""
    session.run(PYTHON, "-m", name, *arguments, external=True)


@nox.session
def generate(session: nox.Session) -> None:
    """Write every SDK and documentation catalogue from wit/ and the arms' spelling [-- --check]."""
    module(session, "gg_codegen", "generate", *session.posargs)


@nox.session
def build(session: nox.Session) -> None:
    """Build the arms that are in the repository, or those named [-- ARM...]."""
    module(session, "gg_arm_kit.build_command", *session.posargs)


@nox.session
def table(session: nox.Session) -> None:
    """Build the arms, drive every failure cell and print the table [-- ARM... --shape a..e --json FILE --html FILE]."""
    module(session, "gg_conformance", *session.posargs)


@nox.session
def gg(session: nox.Session) -> None:
    """The gg command: run a program, list arms and operations, read and search the documentation [-- ARGUMENTS]."""
    module(session, "gg_host", *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """Format, lint and type checks; WIT and TOML checks."""
    module(session, "gg_conformance.lint", *session.posargs)


@nox.session
def tests(session: nox.Session) -> None:
    """What CI runs: stale generated files, lint, every unit test, conformance [-- pytest arguments]."""
    if not session.posargs:
        module(session, "gg_codegen", "generate", "--check")
        module(session, "gg_conformance.lint")
        module(session, "gg_arm_kit.build_command")
    session.run(PYTHON, "-m", "pytest", "-n", os.environ.get("GG_TEST_WORKERS", "2"), *session.posargs, external=True)


@nox.session
def bench(session: nox.Session) -> None:
    """Measure against the goals, beside peers [-- --json FILE]."""
    module(session, "gg_benchmarks", *session.posargs)


@nox.session
def browser(session: nox.Session) -> None:
    """Check table.html in an installed Chromium."""
    module(session, "gg_conformance.browser", *session.posargs)


@nox.session
def lock(session: nox.Session) -> None:
    """Check every pin against its origin, or move one [-- check [TOOL...] | move TOOL VERSION | python]."""
    if session.posargs == ["python"]:
        for requirements in sorted(Path("requirements").glob("*.in")):
            module(
                session,
                "piptools",
                "compile",
                *PIP_COMPILE,
                "--output-file",
                f"{requirements.with_suffix('.txt')}",
                f"{requirements}",
            )
    else:
        module(session, "gg_arm_kit.pin", *(session.posargs or ["check"]))


@nox.session
def reproduce(session: nox.Session) -> None:
    """Build twice in different folders, homes, time zones, locales and umasks; compare every byte [-- ARM...]."""
    module(session, "gg_conformance.reproduce", *session.posargs)
