"""Runs the pinned ripgrep as a child process and yields what it finds while it works."""

from __future__ import annotations

import contextlib
import functools
import importlib.metadata
import os
import selectors
import subprocess
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from gg_arm_kit.errors import KitError

from gg_host.failures import ErrorCode, Failure
from gg_host.providers.call import Call

_PREVIEW_BYTES = 4096
"""Ripgrep prints this much of a line, so that a file of one enormous line costs no memory here."""
_COMPARED_BYTES = 2048
_POLL_SECONDS = 0.05
_ERROR_BYTES = 8192
_WALK_OPTIONS = (
    "--no-config",
    "--color=never",
    "--no-messages",
    "--sort=path",
    "--null",
    "--hidden",
    "--glob=!.git",
    "--no-require-git",
    "--no-ignore-parent",
    "--no-ignore-global",
)
_SEARCH_OPTIONS = (
    "--line-number",
    "--no-heading",
    "--with-filename",
    "--crlf",
    f"--max-columns={_PREVIEW_BYTES}",
    "--max-columns-preview",
)


@dataclass(frozen=True, slots=True)
class Hit:
    """A line that ripgrep says matches: path from the root of the workspace, number, and at least its beginning."""

    path: bytes
    line: int
    text: bytes


@functools.cache
def program() -> Path:
    """The ``rg`` that the ``ripgrep`` package installed.

    Raises:
        KitError: the package is not installed.
    """
    try:
        distribution = importlib.metadata.distribution("ripgrep")
    except importlib.metadata.PackageNotFoundError as error:
        raise KitError("the package ripgrep is not installed", "Install it: pip install ripgrep") from error
    for file in distribution.files or ():
        if file.name in ("rg", "rg.exe"):
            return Path(str(distribution.locate_file(file))).resolve()
    raise KitError("the package ripgrep holds no rg", "Install it again: pip install --force-reinstall ripgrep")


def same_line(printed: bytes, line: bytes) -> bool:
    """Whether ``printed``, a line or the beginning of a long one, is ``line``."""
    if len(line) <= _COMPARED_BYTES:
        return printed.removesuffix(b"\r") == line
    return printed[:_COMPARED_BYTES] == line[:_COMPARED_BYTES]


def search(
    call: Call, root: Path, ignore_file: str | None, query: str, path: str, most: int
) -> Generator[Hit, None, None]:
    """Search below ``path`` (from ``root``, starting with ``.``) and yield the hits as they come, ``most`` of one file.

    Closing the iterator ends the process.

    Raises:
        Failure: ``invalid-argument`` when ripgrep refuses the expression; ``limit-exceeded`` when the call's time is
            over; ``io-error`` when ripgrep cannot run.
    """
    options = [*_SEARCH_OPTIONS, f"--max-count={most}", f"--regexp={query}"]
    with _running(call, root, ignore_file, options, path) as reader:
        yield from _hits(reader)
        if reader.exit_code() == 2 and (complaint := _complaint(reader.errors)):
            raise Failure(ErrorCode.INVALID_ARGUMENT, f"the query is not a valid expression: {complaint}")


def files(call: Call, root: Path, ignore_file: str | None, path: str) -> Generator[bytes, None, None]:
    """Walk below ``path`` (from ``root``, starting with ``.``) and yield each file's path from ``root``.

    Closing the iterator ends the process.

    Raises:
        Failure: ``limit-exceeded`` when the call's time is over; ``io-error`` when ripgrep cannot run.
    """
    with _running(call, root, ignore_file, ["--files"], path) as reader:
        for name in reader.names():
            yield name.removeprefix(b"./")


@contextlib.contextmanager
def _running(call: Call, root: Path, ignore_file: str | None, options: Sequence[str], path: str) -> Iterator[_Reader]:
    rules = [f"--ignore-file={ignore_file}"] if ignore_file else []
    command = [str(program()), *_WALK_OPTIONS, *rules, *options, "--", path]
    try:
        child = subprocess.Popen(
            command,
            cwd=root,
            env={"LANG": "C.UTF-8"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C at the terminal is for the host, which then ends this child
        )
    except OSError as error:
        raise Failure(ErrorCode.IO_ERROR, f"ripgrep could not start: {error.strerror}") from error
    with child:
        try:
            yield _Reader(call, child)
        finally:
            with contextlib.suppress(ProcessLookupError):
                child.kill()


def _hits(reader: _Reader) -> Iterator[Hit]:
    for record in reader.records():
        path, _, rest = record.partition(b"\0")
        number, _, text = rest.partition(b":")
        yield Hit(path.removeprefix(b"./"), int(number), text)


def _complaint(errors: bytes) -> str:
    text = errors.decode("utf-8", "replace").removeprefix("rg: ")
    return text.partition("\n\nConsider enabling")[0].strip()


class _Reader:
    """Splits the output of the child, records ``path NUL number:text`` or names, and watches the call's time."""

    def __init__(self, call: Call, child: subprocess.Popen[bytes]) -> None:
        assert child.stdout is not None
        assert child.stderr is not None
        self._call = call
        self._child = child
        self._output, self._error = child.stdout.fileno(), child.stderr.fileno()
        self.errors = b""

    def exit_code(self) -> int:
        """How the child ended, once its output is read."""
        return self._child.wait()

    def names(self) -> Iterator[bytes]:
        """The output of a walk: names that end in NUL."""
        rest = b""
        for block in self._blocks():
            *whole, rest = (rest + block).split(b"\0")
            yield from whole

    def records(self) -> Iterator[bytes]:
        """The output of a search."""
        rest = b""
        for block in self._blocks():
            rest += block
            start = 0
            while True:
                # A path may hold a line break, so the end of a record is looked for after its NUL.
                nul = rest.find(b"\0", start)
                end = rest.find(b"\n", nul) if nul >= 0 else -1
                if end < 0:
                    break
                yield rest[start:end]
                start = end + 1
            rest = rest[start:]

    def _blocks(self) -> Iterator[bytes]:
        with selectors.DefaultSelector() as selector:
            selector.register(self._output, selectors.EVENT_READ)
            selector.register(self._error, selectors.EVENT_READ)
            while selector.get_map():
                self._call.check()
                for key, _ in selector.select(min(_POLL_SECONDS, self._call.remaining())):
                    block = os.read(key.fd, 65536)
                    if not block:
                        selector.unregister(key.fd)
                    elif key.fd == self._output:
                        yield block
                    else:
                        self.errors = (self.errors + block)[:_ERROR_BYTES]
