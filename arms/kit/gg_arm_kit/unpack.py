"""Archives into folders, safely: nothing outside, no devices, no surprises in size."""

from __future__ import annotations

import fnmatch
import re
import stat
import tarfile
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath

from gg_arm_kit.errors import KitError

CEILING_BYTES = 4 << 30
CEILING_FILES = 500_000
"""Far above any pinned package (the largest has 20,000 files in 0.4 GB): a runaway archive stops here."""
CHUNK = 1 << 20
TAR_ENDINGS = (".tar.gz", ".tgz", ".tar.xz", ".crate")
ZIP_ENDINGS = (".whl", ".zip", ".jar")


def unpack(archive: Path, folder: Path, drop: Sequence[str] = (), ceiling_bytes: int = CEILING_BYTES) -> None:
    """Unpack ``archive`` into the new folder ``folder``.

    Parameters:
        archive: a file whose ending tells its kind.
        folder: made by this call; must not be there.
        drop: patterns of files to leave out, over the whole name; ``*`` matches ``/`` too.
        ceiling_bytes: the most that the files may hold together.

    Raises:
        KitError: the archive is damaged, of no known kind, too large, or holds a name that leads out of the folder,
            a link that does, the same name twice, or something that is neither file, folder nor link.
    """
    folder.mkdir(mode=0o700)
    dropped = re.compile("|".join(fnmatch.translate(pattern) for pattern in drop) or r"(?!)")

    def wanted(name: str) -> bool:
        return dropped.match(name) is None

    try:
        if archive.name.endswith(ZIP_ENDINGS):
            _unpack_zip(archive, folder, _Room(archive, ceiling_bytes), wanted)
        elif archive.name.endswith(TAR_ENDINGS):
            _unpack_tar(archive, folder, _Room(archive, ceiling_bytes), wanted)
        else:
            raise KitError(f"{archive.name}: no archive of a known kind")
    except (zipfile.BadZipFile, tarfile.TarError, EOFError, UnicodeDecodeError) as error:
        raise KitError(
            f"{archive.name}: not a sound archive: {error}", "Pin another file, or another version."
        ) from error


class _Room:
    """Counts what was unpacked and refuses names that were seen or lead outside."""

    def __init__(self, archive: Path, ceiling_bytes: int) -> None:
        self.archive = archive
        self.left = ceiling_bytes
        self.ceiling = ceiling_bytes
        self.seen: set[PurePosixPath] = set()

    def name(self, name: str) -> PurePosixPath:
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or "\\" in name or "\0" in name or not path.parts:
            raise KitError(f"{self.archive.name}: holds the name {name!r}, which leads out of its folder")
        if path in self.seen:
            raise KitError(f"{self.archive.name}: holds the name {name!r} twice")
        self.seen.add(path)
        if len(self.seen) > CEILING_FILES:
            raise KitError(f"{self.archive.name}: holds more than {CEILING_FILES} files")
        return path

    def take(self, count: int) -> None:
        self.left -= count
        if self.left < 0:
            raise KitError(f"{self.archive.name}: holds more than {self.ceiling} bytes")


def _unpack_zip(archive: Path, folder: Path, room: _Room, wanted: Callable[[str], bool]) -> None:
    folders: set[Path] = set()
    with zipfile.ZipFile(archive) as file:
        for item in file.infolist():
            if item.is_dir():
                continue
            name = room.name(item.filename)
            if not wanted(item.filename):
                continue
            path = folder / name
            mode = item.external_attr >> 16
            if mode and stat.S_IFMT(mode) not in (0, stat.S_IFREG):
                raise KitError(f"{archive.name}: {item.filename} is neither a file nor a folder")
            if path.parent not in folders:  # asking the file system each time costs more than the writing
                path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                folders.add(path.parent)
            with file.open(item) as source, path.open("xb") as target:
                while chunk := source.read(CHUNK):  # counted as they come: a header can say anything
                    room.take(len(chunk))
                    target.write(chunk)
            if mode & stat.S_IXUSR:
                path.chmod(0o700)


def _unpack_tar(archive: Path, folder: Path, room: _Room, wanted: Callable[[str], bool]) -> None:
    if not hasattr(tarfile, "data_filter"):
        raise KitError("this Python unpacks tar archives without a safety filter", "Use Python 3.11.4 or newer.")
    with tarfile.open(archive) as file:
        for item in file:
            if item.isdir() and PurePosixPath(item.name) in (PurePosixPath(), *room.seen):
                continue
            room.name(item.name)
            if not wanted(item.name):
                continue
            room.take(item.size if item.isreg() else 0)
            file.extract(item, folder, filter="data")  # refuses devices and links that lead outside
