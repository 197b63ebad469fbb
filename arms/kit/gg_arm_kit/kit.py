"""The kit an arm's build is handed: pinned tools, content-keyed steps, child processes and the artifact at the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version as package_version
from pathlib import Path

from gg_arm_kit import confine, source
from gg_arm_kit.artifacts import Artifact, make_artifact
from gg_arm_kit.cache import Cache, open_cache
from gg_arm_kit.errors import KitError
from gg_arm_kit.fetch.base import Fetcher
from gg_arm_kit.fetch.npm import NpmFetcher
from gg_arm_kit.fetch.pip_index import PipFetcher
from gg_arm_kit.limits import Completed, Limits
from gg_arm_kit.lock import Ecosystem, ToolLock, read_lock
from gg_arm_kit.manifest import ToolRecord, wit_sha256
from gg_arm_kit.progress import Progress, choose
from gg_arm_kit.steps import Input, Steps, refuse_undeclared
from gg_arm_kit.store import Store

NPM_CLIENT = "node"
NPM_SCRIPT = "lib/node_modules/npm/bin/npm-cli.js"

BUILD_ENVIRONMENT = {
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "SOURCE_DATE_EPOCH": "315532800",
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
}
"""What a build's child processes see of the environment, so that no machine's own shows in an output. There is no PATH:
a tool that looks for another program there would find a different one on each machine."""
TOLD_BYTES = 4000
"""How much of a failed command's last words an error shows."""


BUILD_LIMITS = Limits(cpu_secs=1800, memory_bytes=8 << 30, wall_secs=3600)
"""Several times what the largest build step takes here; a build that needs more is stuck."""


class Kit:
    """See this module's top.

    Parameters:
        lock: the pins; None for the repository's ``toolchains.lock``.
        cache: None for the default cache folder.
        progress: where steps are shown; None for what fits standard error.

    Raises:
        KitError: the lock or the cache folder cannot be used.
    """

    def __init__(
        self, *, lock: ToolLock | None = None, cache: Cache | None = None, progress: Progress | None = None
    ) -> None:
        self.lock = lock or read_lock(source.root() / "toolchains.lock")
        self.cache = cache or open_cache()
        self.progress = progress or choose()
        fetchers: dict[Ecosystem, Fetcher] = {
            Ecosystem.WHEEL: PipFetcher("wheel"),
            Ecosystem.SDIST: PipFetcher("sdist"),
            Ecosystem.NPM: NpmFetcher(self._npm_client),
        }
        self.store = Store(self.cache, fetchers, self.progress)
        self.steps = Steps(self.cache, self.progress)

    def tool(self, tool_id: str) -> Path:
        """The tool's program, or its folder where the lock names no entry; fetched and checked when need be.

        Call it inside a step's ``make``, so that nothing is fetched or checked when nothing runs.

        Raises:
            KitError: no such tool, its file cannot be had, or the running step did not name it.
        """
        tool = self.lock.find(tool_id)
        path = self.tree(tool_id) / tool.entry
        if not path.exists():
            raise KitError(
                f"tool {tool_id}: its package holds no {tool.entry}", "Correct its entry in toolchains.lock."
            )
        return path

    def tree(self, tool_id: str, package: str | None = None) -> Path:
        """The unpacked folder of one of a tool's packages, read-only.

        Parameters:
            tool_id: the tool.
            package: the package's name; None for the first.

        Raises:
            KitError: as ``tool``.
        """
        refuse_undeclared(tool_id)
        tool = self.lock.find(tool_id)
        for candidate in tool.package:
            if package in (None, candidate.name):
                return self.store.tree(tool.ecosystem, candidate)
        raise KitError(f"tool {tool_id} has no package {package!r}")

    def step(
        self,
        name: str,
        version: str,
        inputs: Mapping[str, Input] | None = None,
        tools: Sequence[str] = (),
        make: Callable[[Path], object] | None = None,
    ) -> Path:
        """The folder a content-keyed step made; see ``steps.Steps.step``.

        Parameters:
            name: what it makes.
            version: changed by hand whenever ``make`` would write something else from the same inputs.
            inputs: label to file, folder, bytes or text.
            tools: ids of the tools ``make`` uses; it may use no other.
            make: writes its results into the empty folder it is given.

        Raises:
            KitError: as ``Steps.step``, or no such tool.
        """
        if make is None:
            raise KitError(f"step {name} has nothing to run")
        return self.steps.step(name, version, inputs or {}, {tool: self.tool_hash(tool) for tool in tools}, make)

    def run(
        self,
        argv: Sequence[str | Path],
        *,
        cwd: Path,
        env: Mapping[str, str] | None = None,
        readable: Sequence[Path] = (),
        writable: Sequence[Path] = (),
        stdin: bytes | None = None,
        limits: Limits = BUILD_LIMITS,
    ) -> Completed:
        """Run a tool to its end as a confined child process.

        Parameters:
            argv: the program by its whole path, and its arguments.
            cwd: the working folder; may be written to, and is its home and temporary folder.
            env: added to BUILD_ENVIRONMENT; nothing else of this process's environment is seen.
            readable: folders and files it may read besides the system's libraries and the store.
            writable: folders it may write to besides ``cwd``.
            stdin: its input; none when not given.
            limits: what it may use.

        Raises:
            KitError: it ended with another status than 0 or at a limit; the message ends with its last words.
        """
        whole = {**BUILD_ENVIRONMENT, "HOME": str(cwd), "TMPDIR": str(cwd), **(env or {})}
        store = [self.cache.folder("trees"), self.cache.folder("steps")]
        done = confine.run(
            argv,
            cwd=cwd,
            env=whole,
            limits=limits,
            readable=[*store, *readable],
            writable=[cwd, *writable],
            stdin=stdin,
        )
        if not done.ok:
            words = (done.stderr or done.stdout)[-TOLD_BYTES:].decode("utf-8", "replace").strip()
            raise KitError(f"{Path(argv[0]).name} {done.ending}" + (f":\n{words}" if words else ""))
        return done

    def tool_hash(self, tool_id: str) -> str:
        """Names a tool by the content of all its packages' trees.

        Raises:
            KitError: no such tool.
        """
        return " ".join(package.unpacked_sha256 for package in self.lock.find(tool_id).package)

    @property
    def wit_sha256(self) -> str:
        """Hash of the repository's WIT."""
        return wit_sha256(source.wit())

    def artifact(self, arm_id: str, files: Mapping[str, Path | bytes], tools: Sequence[str] = ()) -> Artifact:
        """The end of an arm's build: put the files together, with a manifest; see ``artifacts.make_artifact``.

        Parameters:
            arm_id: the arm.
            files: name in the artifact to file, folder or bytes; component.wasm, arm.toml and signatures.json among
                them.
            tools: ids of the tools it was made with.

        Raises:
            KitError: as ``make_artifact``, or no such tool.
        """
        records = {}
        for tool_id in tools:
            tool = self.lock.find(tool_id)
            hashes = tuple(package.unpacked_sha256 for package in tool.package)
            records[tool_id] = ToolRecord(version=tool.version, unpacked_sha256=hashes)
        version = package_version("gg-arm-kit")
        return make_artifact(self.cache, arm_id, version, files, records, self.wit_sha256)

    def _npm_client(self) -> tuple[Path, Path]:
        tool = self.lock.find(NPM_CLIENT)
        tree = self.store.tree(tool.ecosystem, tool.package[0])
        node = tree / tool.entry
        return node, node.parent.parent / NPM_SCRIPT
