"""Content-keyed build steps: the same inputs, tools and version give the same folder, made once.

    steps/<name>-<key>/content/...    what the step wrote, sealed (see trees.py)

The key is a hash over the step's name and version, every input's content and every tool's unpacked content; no path
and no time is in it. A step works in a scratch folder that is renamed into place when it has succeeded, so one that
fails, is interrupted or killed leaves nothing.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from gg_arm_kit import trees
from gg_arm_kit.cache import Cache
from gg_arm_kit.errors import KitError
from gg_arm_kit.progress import Progress
from gg_arm_kit.store import replace

NAME = re.compile(r"[a-z0-9][a-z0-9.-]*")
Input = Path | bytes | str

_allowed_tools: ContextVar[frozenset[str] | None] = ContextVar("_allowed_tools", default=None)


class Steps:
    """Runs steps and keeps what they made.

    Parameters:
        cache: where that lies.
        progress: told of each step that runs.
    """

    def __init__(self, cache: Cache, progress: Progress) -> None:
        self.cache = cache
        self.progress = progress
        self._sound: dict[Path, str] = {}

    def step(
        self,
        name: str,
        version: str,
        inputs: Mapping[str, Input],
        tools: Mapping[str, str],
        make: Callable[[Path], object],
    ) -> Path:
        """The folder a step made, running it when it was not run with this content before.

        Parameters:
            name: letters, digits, dots and dashes; what it makes.
            version: changed by hand whenever ``make`` would write something else from the same inputs.
            inputs: label to file, folder, bytes or text; the label belongs to the key.
            tools: tool id to the hash of its unpacked tree; ``make`` may use no other.
            make: given an empty folder to write its results to. It is not told where that will lie.

        Raises:
            KitError: the step failed, the disk is full, an input is not there, or nothing was made.
        """
        if not NAME.fullmatch(name):
            raise KitError(f"{name!r} cannot be a step's name: only a-z, 0-9, dots and dashes can stand in it")
        key = self._key(name, version, inputs, tools)
        envelope = self.cache.folder("steps") / f"{name}-{key}"
        content = envelope / trees.CONTENT
        if content in self._sound:
            return content
        with self.cache.lock(f"step-{name}-{key[:32]}", self._waiting(name)):
            tree = trees.check(envelope)
            if tree is None:
                tree = self._run(name, envelope, tools, make)
        self._sound[content] = tree
        return content

    def _run(self, name: str, envelope: Path, tools: Mapping[str, str], make: Callable[[Path], object]) -> str:
        with self.cache.scratch(f"step {name}") as scratch, self.progress.step(name):
            made = scratch / "made"
            content = made / trees.CONTENT
            content.mkdir(parents=True)
            with only_tools(tools):
                make(content)
            if not any(content.iterdir()):
                raise KitError(f"step {name} ended well and wrote nothing")
            tree = trees.seal(made)
            replace(made, envelope, scratch)
            return tree

    def _key(self, name: str, version: str, inputs: Mapping[str, Input], tools: Mapping[str, str]) -> str:
        parts = {
            "name": name,
            "version": version,
            "inputs": {label: self._hash(name, label, value) for label, value in inputs.items()},
            "tools": dict(tools),
        }
        text = json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return hashlib.sha256(text.encode()).hexdigest()

    def _hash(self, step: str, label: str, value: Input) -> str:
        if isinstance(value, bytes):
            return hashlib.sha256(value).hexdigest()
        if isinstance(value, str):
            return hashlib.sha256(value.encode()).hexdigest()
        if value in self._sound:  # what an earlier step made: its hash is known
            return f"tree {self._sound[value]}"
        if value.is_dir():
            return f"tree {trees.tree_sha256(value)}"
        try:
            return trees.file_sha256(value)
        except OSError as error:
            raise KitError(f"step {step}: its input {label!r} cannot be read: {value}: {error.strerror}") from error

    def _waiting(self, name: str) -> Callable[[], None]:
        return lambda: self.progress.note(f"waiting for another process that runs step {name}")


@contextmanager
def only_tools(tools: Mapping[str, str] | Sequence[str]) -> Iterator[None]:
    """While the block runs, ``refuse_undeclared`` lets only these tools through."""
    token = _allowed_tools.set(frozenset(tools))
    try:
        yield
    finally:
        _allowed_tools.reset(token)


def refuse_undeclared(tool_id: str) -> None:
    """Refuse a tool that the running step did not declare: its key would not change when the tool does.

    Raises:
        KitError: a step is running and does not name ``tool_id`` among its tools.
    """
    allowed = _allowed_tools.get()
    if allowed is not None and tool_id not in allowed:
        raise KitError(
            f"the running step uses tool {tool_id!r} without naming it", f"Add {tool_id!r} to the step's tools."
        )
