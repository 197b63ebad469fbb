"""The content-addressed store: pinned files and their unpacked trees, each checked before anything uses it.

downloads/<sha256>/<file>        the file as fetched
trees/<tree hash>/content/...    what it unpacks to, sealed (see trees.py)
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path

from gg_arm_kit import trees
from gg_arm_kit.cache import Cache
from gg_arm_kit.errors import KitError
from gg_arm_kit.fetch.base import Fetcher
from gg_arm_kit.lock import Ecosystem, Package
from gg_arm_kit.progress import Progress
from gg_arm_kit.unpack import unpack


class Store:
    """Gives the unpacked tree of a pinned package, fetching and unpacking it when it is not there or not whole.

    Parameters:
        cache: where it all lies.
        fetchers: one for each ecosystem that can be fetched.
        progress: told of what is fetched and unpacked.
    """

    def __init__(self, cache: Cache, fetchers: Mapping[Ecosystem, Fetcher], progress: Progress) -> None:
        self.cache = cache
        self.fetchers = fetchers
        self.progress = progress
        self._sound: dict[str, Path] = {}

    def tree(self, ecosystem: Ecosystem, package: Package) -> Path:
        """The folder ``package`` unpacks to; read-only.

        Checked on its first use in this process; a damaged one is made again.

        Raises:
            KitError: the file cannot be fetched, or it or its tree has another hash or size than pinned.
        """
        wanted = package.unpacked_sha256
        if wanted in self._sound:
            return self._sound[wanted]
        envelope = self.cache.folder("trees") / wanted
        content = envelope / trees.CONTENT
        with self.cache.lock(f"tree-{wanted[:32]}", self._waiting(package)):
            if trees.check(envelope) != wanted:
                self._make_tree(ecosystem, package, envelope)
        self._sound[wanted] = content
        return content

    def download(self, ecosystem: Ecosystem, package: Package) -> Path:
        """The file of ``package``, its hash checked just now; fetched when it is not there or damaged.

        Raises:
            KitError: as ``tree``.
        """
        folder = self.cache.folder("downloads") / package.sha256
        path = folder / package.file
        with self.cache.lock(f"download-{package.sha256[:32]}", self._waiting(package)):
            if path.is_file() and not path.is_symlink() and fault(path, package) is None:
                return path
            with (
                self.cache.scratch(f"fetching {package.file}") as scratch,
                self.progress.step(f"fetch {package.file}", total=package.size) as line,
            ):
                if ecosystem not in self.fetchers:
                    raise KitError(f"{package.file}: files of ecosystem {ecosystem} cannot be fetched yet")
                work, made = scratch / "work", scratch / "made"
                work.mkdir()
                made.mkdir()
                fetched = self.fetchers[ecosystem].fetch(package, work, line.reached)
                if not fetched.is_file():
                    raise KitError(f"{package.file}: the client ended well but wrote no such file")
                refuse(fault(fetched, package))
                fetched.rename(made / package.file)
                replace(made, folder, scratch)
        return path

    def _make_tree(self, ecosystem: Ecosystem, package: Package, envelope: Path) -> None:
        archive = self.download(ecosystem, package)
        doing = f"unpacking {package.file}"
        with self.cache.scratch(doing) as scratch, self.progress.step(f"unpack {package.file}"):
            made = scratch / "made"
            made.mkdir()
            unpack(archive, made / trees.CONTENT, package.drop)
            found = trees.seal(made)
            if found != package.unpacked_sha256:
                raise KitError(
                    f"{package.file}: its unpacked tree has the hash {found}, and the lock says"
                    f" {package.unpacked_sha256}",
                    "The file itself is the pinned one: correct unpacked_sha256 in toolchains.lock.",
                )
            replace(made, envelope, scratch)

    def _waiting(self, package: Package) -> Callable[[], None]:
        return lambda: self.progress.note(f"waiting for another process that is fetching {package.file}")


def replace(made: Path, final: Path, scratch: Path) -> None:
    """Put the folder ``made`` in the place of ``final``; what was there goes to ``scratch``, which is removed."""
    if final.exists() or final.is_symlink():
        final.rename(scratch / "old")
    made.rename(final)


def fault(path: Path, package: Package) -> str | None:
    """What is wrong with a fetched file, naming it and both sizes or both hashes; None when it is the pinned one."""
    size = path.stat().st_size
    if size != package.size:
        return f"{package.file}: has {size} bytes or more, and the lock says {package.size}"
    found = trees.file_sha256(path)
    if found != package.sha256:
        return f"{package.file}: has the sha256 {found}, and the lock says {package.sha256}"
    if package.integrity is not None:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha512").digest()
        integrity = f"sha512-{base64.b64encode(digest).decode()}"
        if integrity != package.integrity:
            return f"{package.file}: has the integrity {integrity}, and the lock says {package.integrity}"
    return None


def refuse(what: str | None) -> None:
    """Raise ``what`` when there is something.

    Raises:
        KitError: there is.
    """
    if what is not None:
        raise KitError(
            what, "Nothing of it was kept. Either its origin changed, which it should not, or the pin is wrong."
        )
