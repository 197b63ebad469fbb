"""Folders with a hash, and the seal that makes checking one again cheap.

A sealed folder is an envelope: ``<envelope>/content`` holds the files, made read-only, and ``<envelope>/seal.json``
their tree hash and a fingerprint. The fingerprint is taken over every file's size, inode and times, the change time
among them, which no ordinary call can set back, and over the machine's boot; so as long as it agrees, no byte was
changed since the seal was made or last confirmed by a full hash. When it does not agree, the full hash decides.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from gg_arm_kit.cache import write_atomically
from gg_arm_kit.errors import KitError

CONTENT = "content"
SEAL = "seal.json"
FIXED_TIME = 315532800
"""Modification time of every sealed file: 1980-01-01, the earliest a zip archive can hold. Tools that copy a file's
time into their output then copy the same one everywhere."""


READ_ONLY_FOLDER = 0o555
CLOCK_TICK_SECS = 0.02
"""Longer than one tick of the coarse clock that kernels take a file's times from (10 ms at the slowest in use). A
fingerprint that is kept is taken that long after the last write, so a later write cannot have the same time."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A file or link of a tree: its name from the tree's top with ``/``, where it lies and its status."""

    name: str
    where: str
    status: os.stat_result

    @property
    def path(self) -> Path:
        """Where it lies; made when asked for, as most walks over 20,000 files never do."""
        return Path(self.where)


def entries(folder: Path) -> Iterator[Entry]:
    """Every file and link below ``folder``, ordered by name, folders left out.

    Raises:
        KitError: something is neither file, folder nor link.
    """
    found: list[Entry] = []
    waiting = [(str(folder), "")]
    while waiting:
        here, prefix = waiting.pop()
        with os.scandir(here) as listing:
            for item in listing:
                name = prefix + item.name
                status = item.stat(follow_symlinks=False)
                if stat.S_ISDIR(status.st_mode):
                    waiting.append((item.path, name + "/"))
                elif stat.S_ISREG(status.st_mode) or stat.S_ISLNK(status.st_mode):
                    found.append(Entry(name, item.path, status))
                else:
                    raise KitError(f"{item.path}: neither a file, a folder nor a link")
    yield from sorted(found, key=lambda entry: os.fsencode(entry.name))


def file_sha256(path: Path) -> str:
    """Hash of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def tree_sha256(folder: Path) -> str:
    """Hash over every file's name, whether it can be executed, and its bytes; links by where they lead.

    Raises:
        KitError: a link leads out of the folder, or something is neither file, folder nor link.
    """
    whole = hashlib.sha256()
    for entry in entries(folder):
        if stat.S_ISLNK(entry.status.st_mode):
            refuse_outside(folder, entry)
            kind, payload = b"l", os.fsencode(entry.path.readlink())
        else:
            kind = b"x" if entry.status.st_mode & stat.S_IXUSR else b"f"
            payload = file_sha256(entry.path).encode()
        whole.update(kind + os.fsencode(entry.name) + b"\0" + payload + b"\0")
    return whole.hexdigest()


def refuse_outside(folder: Path, entry: Entry) -> None:
    """Refuse a link that leads out of ``folder``.

    Raises:
        KitError: it does.
    """
    target = entry.path.readlink()
    if target.is_absolute() or not entry.path.resolve().is_relative_to(folder.resolve()):
        raise KitError(f"{entry.name}: a link that leads out of its folder, to {target}")


def fingerprint(folder: Path) -> str:
    """Hash of what the file system knows of each file without reading one; see this module's top."""
    whole = hashlib.sha256(boot().encode())
    for entry in entries(folder):
        s = entry.status
        facts = (s.st_mode, s.st_size, s.st_ino, s.st_mtime_ns, s.st_ctime_ns)
        whole.update(os.fsencode(entry.name) + b"\0" + repr(facts).encode())
    return whole.hexdigest()


@cache
def boot() -> str:
    """Names the machine's current boot. After another one, files may have been lost with the power: hash them again."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return f"process {os.getpid()}"  # a seal then holds for this process only


def seal(envelope: Path) -> str:
    """Make ``envelope/content`` read-only and seal it; returns its tree hash.

    Raises:
        KitError: as ``tree_sha256``.
    """
    content = envelope / CONTENT
    for entry in entries(content):
        path = entry.path
        if stat.S_ISREG(entry.status.st_mode):
            path.chmod(0o555 if entry.status.st_mode & stat.S_IXUSR else 0o444)
        os.utime(path, (FIXED_TIME, FIXED_TIME), follow_symlinks=False)
    for folder, _, _ in os.walk(content):
        Path(folder).chmod(READ_ONLY_FOLDER)
    tree, seen = confirmed(content)
    _write_seal(envelope, tree, seen)
    return tree


def confirmed(folder: Path) -> tuple[str, str]:
    """A folder's tree hash, and a fingerprint that vouches for it from now on.

    Raises:
        KitError: as ``tree_sha256``.
    """
    seen = settled_fingerprint(folder)  # before the hash: what changes in between shows the next time
    return tree_sha256(folder), seen


def settled_fingerprint(folder: Path) -> str:
    """A fingerprint that may be kept: any later write gives another."""
    time.sleep(CLOCK_TICK_SECS)
    return fingerprint(folder)


def check(envelope: Path) -> str | None:
    """The tree hash of a sealed folder that is whole; None when it is missing, damaged or has no readable seal.

    Cheap (one look at each file's status) unless something about the files changed since the last check.
    """
    try:
        record = json.loads((envelope / SEAL).read_bytes())
        tree, known = record["tree_sha256"], record["fingerprint"]
        if fingerprint(envelope / CONTENT) == known:
            return str(tree)
        found, seen = confirmed(envelope / CONTENT)
        if found != tree:
            return None
        _write_seal(envelope, tree, seen)
        return str(tree)
    except (OSError, ValueError, KeyError, TypeError, KitError):
        return None


def _write_seal(envelope: Path, tree: str, seen: str) -> None:
    record = {"tree_sha256": tree, "fingerprint": seen}
    write_atomically(envelope / SEAL, json.dumps(record).encode())
