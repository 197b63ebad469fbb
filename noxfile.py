"""The project's commands. `./nox -l` lists them; `./nox -s NAME -- ARGUMENTS` runs one.

Every session runs in the one locked environment that `./nox` makes, so none makes an environment of its own.
"""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path

import nox
from gg_arm_kit.following import QUIET_START, follow

nox.needs_version = ">=2026"
nox.options.default_venv_backend = "none"
nox.options.error_on_missing_interpreters = False
nox.options.sessions = ["table"]
# It looks for uv, which nothing here uses; that it is not there reads like an error.
logging.getLogger("nox").addFilter(lambda record: "uv binary" not in record.getMessage())

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


def run(session: nox.Session, *arguments: str, root: bool = False) -> None:
    """Run Python where nox was called from, or in the repository; when it fails, its exit code is nox's.

    Not ``session.run``, which joins the two outputs, turns every failure into 1 and kills after Ctrl-C what is still
    putting things away.
    """
    cwd = Path.cwd() if root else Path(session.invoked_from)
    code = follow([PYTHON, *arguments], cwd)
    if code != 0:
        sys.exit(code)


def command(session: nox.Session, name: str, work: str, *arguments: str) -> None:
    """Run one of the project's own commands: ``work`` is its package, module and function."""
    run(session, "-P", "-c", QUIET_START, "gg_arm_kit.command", name, work, *arguments)


@nox.session
def generate(session: nox.Session) -> None:
    """Write every SDK and documentation catalogue from wit/ and the arms' spelling [-- --check]."""
    run(session, "-P", "-c", QUIET_START, "gg_codegen", "generate", *session.posargs)


@nox.session
def build(session: nox.Session) -> None:
    """Build the arms that are in the repository, or those named [-- ARM...]."""
    command(session, "build", "gg_arm_kit.build_command:main", *session.posargs)


@nox.session
def table(session: nox.Session) -> None:
    """Build the arms, drive every failure cell and print the table [-- ARM... --shape a..e --json FILE --html FILE]."""
    run(session, "-P", "-c", QUIET_START, "gg_conformance", *session.posargs)


@nox.session
def gg(session: nox.Session) -> None:
    """The gg command: run a program, list arms and operations, read and search the documentation [-- ARGUMENTS]."""
    run(session, "-P", "-c", QUIET_START, "gg_host.cli", *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """Format, lint and type checks; WIT and TOML checks."""
    command(session, "lint", "gg_conformance.lint:main", *session.posargs)


@nox.session
def tests(session: nox.Session) -> None:
    """What CI runs: stale generated files, lint, every unit test, conformance [-- pytest arguments]."""
    if not session.posargs:
        run(session, "-P", "-c", QUIET_START, "gg_codegen", "generate", "--check")
        command(session, "lint", "gg_conformance.lint:main")
        command(session, "build", "gg_arm_kit.build_command:main")
    run(session, "-m", "pytest", "-n", os.environ.get("GG_TEST_WORKERS", "2"), *session.posargs, root=True)
    logging.getLogger("nox").setLevel(logging.WARNING)  # so that the last line is pytest's own summary


@nox.session
def bench(session: nox.Session) -> None:
    """Measure against the goals, beside peers [-- --json FILE]."""
    command(session, "bench", "gg_benchmarks.__main__:main", *session.posargs)


@nox.session
def browser(session: nox.Session) -> None:
    """Check table.html in an installed Chromium."""
    command(session, "browser", "gg_conformance.browser:main", *session.posargs)


@nox.session
def lock(session: nox.Session) -> None:
    """Check every pin against its origin, or move one [-- check [TOOL...] | move TOOL VERSION | python]."""
    if session.posargs == ["python"]:
        for requirements in sorted(Path("requirements").glob("*.in")):
            locked = requirements.with_suffix(".txt")
            run(
                session,
                "-m",
                "piptools",
                "compile",
                *PIP_COMPILE,
                f"--output-file={locked}",
                f"{requirements}",
                root=True,
            )
    else:
        command(session, "lock", "gg_arm_kit.pin:main", *(session.posargs or ["check"]))


@nox.session
def reproduce(session: nox.Session) -> None:
    """Build twice in different folders, homes, time zones, locales and umasks; compare every byte [-- ARM...]."""
    command(session, "reproduce", "gg_conformance.reproduce:main", *session.posargs)
