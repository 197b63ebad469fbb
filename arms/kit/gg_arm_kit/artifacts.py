"""Artifacts: the folder an arm's build ends in, and what the host checks before it uses one.

    artifacts/<arm>/<key>/...    component.wasm, arm.toml, signatures.json, manifest.json and what the arm adds
    artifacts/<arm>/<key>.seen   its fingerprint (see trees.py) when its hashes were last taken
    artifacts/<arm>/current      a link to the newest

An artifact can be copied anywhere: all it needs lies in it.
"""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from gg_arm_kit import trees
from gg_arm_kit.cache import Cache, open_cache, write_atomically
from gg_arm_kit.errors import KitError
from gg_arm_kit.facts import ArmFacts, read_facts
from gg_arm_kit.manifest import MANIFEST, FileRecord, Manifest, ToolRecord, read_manifest
from gg_arm_kit.store import replace

COMPONENT = "component.wasm"
FACTS = "arm.toml"
SIGNATURES = "signatures.json"
NEEDED = (COMPONENT, FACTS, SIGNATURES)
CURRENT = "current"


@dataclass(frozen=True, slots=True)
class Artifact:
    """A checked artifact."""

    folder: Path
    manifest: Manifest
    facts: ArmFacts = field(repr=False)

    def path(self, name: str) -> Path:
        """Where the file ``name`` of the manifest, or a folder of such files, lies.

        Raises:
            KitError: the artifact has none of that name.
        """
        if name not in self.manifest.files and not any(file.startswith(f"{name}/") for file in self.manifest.files):
            raise KitError(f"the artifact of arm {self.manifest.arm!r} has no {name}", rebuild(self.manifest.arm))
        return self.folder / name

    @property
    def component(self) -> Path:
        """The arm's component."""
        return self.folder / COMPONENT

    @property
    def component_sha256(self) -> str:
        """Hash of the arm's component, as the manifest has it."""
        return self.manifest.files[COMPONENT].sha256

    @property
    def signatures(self) -> Path:
        """The arm's documentation catalogue."""
        return self.folder / SIGNATURES


def rebuild(arm_id: str) -> str:
    """The hint that tells how to make an arm's artifact."""
    return f"Build it: ./nox -s build -- {arm_id}"


def make_artifact(
    cache: Cache,
    arm_id: str,
    version: str,
    files: Mapping[str, Path | bytes],
    tools: Mapping[str, ToolRecord],
    wit_sha256: str,
) -> Artifact:
    """Make the artifact of an arm and point ``current`` at it; one that is there already is kept.

    Parameters:
        cache: where it will lie.
        arm_id: the arm.
        version: of this project.
        files: name in the artifact to file, folder or bytes. component.wasm, arm.toml and signatures.json are needed.
        tools: what it was made with.
        wit_sha256: of the WIT it was made for.

    Raises:
        KitError: a needed file is missing, a name leads outside, the disk is full.
    """
    missing = [name for name in NEEDED if name not in files]
    if missing:
        raise KitError(f"the build of arm {arm_id!r} gave no {', '.join(missing)}")
    home = cache.folder("artifacts", arm_id)
    with cache.lock(f"artifact-{arm_id}"), cache.scratch(f"the artifact of {arm_id}") as scratch:
        made = scratch / "made"
        made.mkdir()
        for name, content in files.items():
            _put(made, name, content)
        records = {
            entry.name: FileRecord(sha256=trees.file_sha256(entry.path), size=entry.status.st_size)
            for entry in trees.entries(made)
        }
        manifest = Manifest(arm=arm_id, version=version, wit_sha256=wit_sha256, files=records, tools=dict(tools))
        (made / MANIFEST).write_text(manifest.text(), encoding="utf-8")
        folder = home / manifest.key()
        if not _whole(folder, manifest):
            replace(made, folder, scratch)
        link = home / f"{CURRENT}.{secrets.token_hex(4)}"
        link.symlink_to(folder.name)
        link.replace(home / CURRENT)
    return Artifact(folder, manifest, read_facts(folder / FACTS))


def _put(made: Path, name: str, content: Path | bytes) -> None:
    target = made / name
    if not target.resolve().is_relative_to(made.resolve()) or name == MANIFEST:
        raise KitError(f"{name!r} is no name of a file in an artifact")
    target.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, bytes):
        target.write_bytes(content)
    elif content.is_dir():
        shutil.copytree(content, target, copy_function=_copy)
        for folder, _, _ in os.walk(target):
            Path(folder).chmod(0o700)
    else:
        _copy(content, target)


def _copy(content: str | Path, target: str | Path) -> None:
    shutil.copyfile(content, target)
    Path(target).chmod(0o755 if os.access(content, os.X_OK) else 0o644)


def load(where: Path | str, wit_sha256: str | None = None, cache: Cache | None = None) -> Artifact:
    """Check an artifact and give it.

    Every file's hash is taken (18 ms of CPU for 22 MB), save for an artifact in the cache of which nothing changed
    since they were last taken (0.5 ms).

    Parameters:
        where: the artifact's folder, or an arm's id for the newest one in the cache.
        wit_sha256: hash of the WIT the caller speaks; None when it does not matter.
        cache: where an arm's id is looked up; None for the default one.

    Raises:
        KitError: there is none, it was made for another WIT, or a file of it is damaged or missing, each by name.
    """
    if isinstance(where, str):
        folder = (cache or open_cache()).root / "artifacts" / where / CURRENT
        if not folder.is_dir():
            raise KitError(f"the artifact of arm {where!r} has not been built", rebuild(where))
        folder = folder.resolve()
    else:
        folder = where
    manifest = read_manifest(folder)
    if isinstance(where, str) and manifest.arm != where:
        raise KitError(f"{folder}: is an artifact of arm {manifest.arm!r}, not of {where!r}", rebuild(where))
    if wit_sha256 is not None and manifest.wit_sha256 != wit_sha256:
        raise KitError(
            f"the artifact of arm {manifest.arm!r} was made for WIT {manifest.wit_sha256[:16]}, and this host speaks"
            f" WIT {wit_sha256[:16]}",
            rebuild(manifest.arm),
        )
    if not isinstance(where, str) or not _seen(folder):
        settled = trees.settled_fingerprint(folder) if isinstance(where, str) else None
        complaint = damage(folder, manifest)
        if complaint is not None:
            raise KitError(f"the artifact of arm {manifest.arm!r} is damaged: {complaint}", rebuild(manifest.arm))
        if settled is not None:
            write_atomically(_seen_file(folder), settled.encode())
    return Artifact(folder, manifest, read_facts(folder / FACTS))


def _seen_file(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.seen")


def _seen(folder: Path) -> bool:
    try:
        return _seen_file(folder).read_text(encoding="ascii") == trees.fingerprint(folder)
    except (OSError, UnicodeDecodeError, KitError):
        return False


def damage(folder: Path, manifest: Manifest) -> str | None:
    """The first thing wrong with an artifact's files, naming the file; None when all are as the manifest has them."""
    for name in NEEDED:
        if name not in manifest.files:
            return f"{MANIFEST} names no {name}"
    for name, record in manifest.files.items():
        path = folder / name
        if path.is_symlink() or not path.is_file():
            return f"{name} is missing"
        size = path.stat().st_size
        if size != record.size:
            return f"{name} has {size} bytes, not {record.size}"
        found = trees.file_sha256(path)
        if found != record.sha256:
            return f"{name} has the sha256 {found}, not {record.sha256}"
    return None


def _whole(folder: Path, manifest: Manifest) -> bool:
    try:
        return read_manifest(folder) == manifest and damage(folder, manifest) is None
    except KitError:
        return False
