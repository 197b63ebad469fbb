"""Shared fixtures: an empty cache, and packages made on the spot and fetched from a folder instead of a network."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import gg_arm_kit
import pytest
from gg_arm_kit import trees
from gg_arm_kit.cache import Cache, open_cache
from gg_arm_kit.lock import Package
from gg_arm_kit.unpack import unpack


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    """A cache folder of its own."""
    return open_cache(tmp_path / "cache")


class FolderFetcher:
    """A fetcher that finds its files in a folder, and counts what it was asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.fetched: list[str] = []

    def fetch(self, package: Package, folder: Path, arrived: Callable[[int], None]) -> Path:
        self.fetched.append(package.file)
        path = folder / package.file
        shutil.copyfile(self.folder / package.file, path)
        arrived(path.stat().st_size)
        return path


class Origin:
    """A folder of wheels made on the spot, and the pins that fit them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self.fetcher = FolderFetcher(folder)

    def wheel(self, name: str = "sample", files: dict[str, bytes] | None = None, version: str = "1.0") -> Package:
        """A wheel with an executable ``sample/tool`` and a file, and its pin."""
        path = self.folder / f"{name}-{version}-py3-none-any.whl"
        with zipfile.ZipFile(path, "w") as archive:
            tool = zipfile.ZipInfo(f"{name}/tool")
            tool.external_attr = 0o100755 << 16
            archive.writestr(tool, b"#!/bin/sh\necho tool\n")
            for file, data in (files or {f"{name}/data.txt": b"some data\n"}).items():
                archive.writestr(file, data)
            archive.writestr(
                f"{name}-{version}.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
            )
            archive.writestr(f"{name}-{version}.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        return self.pin(name, path, version)

    def pin(self, name: str, path: Path, version: str = "1.0") -> Package:
        """The pin of an archive that lies in the folder."""
        envelope = Path(tempfile.mkdtemp(dir=self.folder))
        unpack(path, envelope / trees.CONTENT)
        data = path.read_bytes()
        return Package(
            name=name,
            version=version,
            file=path.name,
            sha256=hashlib.sha256(data).hexdigest(),
            size=len(data),
            unpacked_sha256=trees.seal(envelope),
        )


@pytest.fixture
def origin(tmp_path: Path) -> Origin:
    """Where packages come from in a test."""
    return Origin(tmp_path / "origin")


Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start() -> Start:
    """Starts a Python program, given as text with its arguments, that can import the kit."""

    def start_program(program: str, *arguments: object) -> subprocess.Popen[str]:
        kit_folder = str(Path(gg_arm_kit.__file__).parents[1])
        env = {**os.environ, "PYTHONPATH": os.pathsep.join([kit_folder, os.environ.get("PYTHONPATH", "")])}
        argv = [sys.executable, "-c", program, *map(str, arguments)]
        return subprocess.Popen(argv, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    return start_program
