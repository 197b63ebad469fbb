"""A private folder for one piece of work, and confined programs that may write there and nowhere else."""

from __future__ import annotations

import os
import tempfile
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

from gg_arm_kit import confine
from gg_arm_kit.cache import remove_tree
from gg_arm_kit.limits import Completed, Limits

PATH = "/usr/bin:/bin"
"""Where programs are looked up: the system's own folders, never the caller's."""


class Workspace:
    """A folder of mode 0700 that is removed at the end, however that comes; used as a context manager.

    ``folder`` is what programs may write to, also as their home and for temporary files.
    """

    def __init__(self, parent: Path | None = None) -> None:
        """Make it below ``parent``; None for the system's folder of temporary files."""
        self._root = Path(tempfile.mkdtemp(prefix="gg-", dir=parent)).resolve()
        self.folder = self._root / "work"
        for name in ("work", "home", "temp"):
            (self._root / name).mkdir(mode=0o700)

    def __enter__(self) -> Workspace:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Remove the folder; a second call does nothing."""
        remove_tree(self._root)

    def environment(self, more: Mapping[str, str] | None = None) -> dict[str, str]:
        """The whole environment of a program here: nothing of the caller's, a fixed language and time zone."""
        home = self._root / "home"
        return {
            "PATH": PATH,
            "HOME": str(home),
            "TMPDIR": str(self._root / "temp"),
            "XDG_CACHE_HOME": str(home / ".cache"),
            "XDG_CONFIG_HOME": str(home / ".config"),
            "XDG_DATA_HOME": str(home / ".local"),
            "LANG": "C.UTF-8",
            "TZ": "UTC",
            **(more or {}),
        }

    def run(
        self,
        argv: Sequence[str | Path],
        limits: Limits,
        *,
        readable: Sequence[Path] = (),
        executable: bool = False,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        stdin: bytes | None = None,
        cancel: threading.Event | None = None,
    ) -> Completed:
        """Run a confined program in this workspace.

        Parameters:
            argv: the program and its arguments; ``env`` may give another ``PATH``.
            limits: what it may use.
            readable: what it may read and run besides the system and this workspace.
            executable: whether it may run programs that lie in this workspace.
            cwd: its working folder; None for ``folder``.
            env: variables besides those of ``environment``.
            stdin: what it reads; None for nothing.
            cancel: set from another thread, it ends the run.

        Raises:
            KitError: the program does not exist or could not be started.
        """
        return confine.run(
            [os.fspath(each) for each in argv],
            cwd=cwd or self.folder,
            env=self.environment(env),
            limits=limits,
            readable=[*readable, self._root] if executable else readable,
            writable=[self._root],
            stdin=stdin,
            cancel=cancel,
        )
