"""An artifact as one archive to publish: the same bytes from the same artifact, wherever and whenever it is packed."""

from __future__ import annotations

import gzip
import io
import tarfile
from collections.abc import Sequence
from pathlib import Path

from gg_arm_kit.artifacts import Artifact
from gg_arm_kit.cache import write_atomically
from gg_arm_kit.errors import KitError
from gg_arm_kit.manifest import MANIFEST
from gg_arm_kit.trees import file_sha256

SUMS = "SHA256SUMS"


def archive(artifact: Artifact) -> bytes:
    """A gzipped tar of the artifact: names in order, no time, no owner."""
    buffer = io.BytesIO()
    with (
        gzip.GzipFile(fileobj=buffer, mode="wb", mtime=0, compresslevel=9, filename="") as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar,
    ):
        for name in sorted([MANIFEST, *artifact.manifest.files]):
            data = (artifact.folder / name).read_bytes()
            entry = tarfile.TarInfo(f"gg-arm-{artifact.manifest.arm}/{name}")
            entry.size = len(data)
            entry.mode = 0o755 if (artifact.folder / name).stat().st_mode & 0o100 else 0o644
            tar.addfile(entry, io.BytesIO(data))
    return buffer.getvalue()


def pack(artifacts: Sequence[Artifact], folder: Path) -> list[Path]:
    """Write one archive for each artifact, and ``SHA256SUMS`` over them, as ``sha256sum --check`` reads it.

    Returns:
        The files written, the sums last.

    Raises:
        KitError: the folder cannot be made or written to.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        written = []
        for artifact in artifacts:
            path = folder / f"gg-arm-{artifact.manifest.arm}-{artifact.manifest.version}.tar.gz"
            write_atomically(path, archive(artifact))
            written.append(path)
        sums = "".join(f"{file_sha256(path)}  {path.name}\n" for path in sorted(written))
        write_atomically(folder / SUMS, sums.encode())
    except OSError as error:
        raise KitError(f"{folder}: cannot be written: {error.strerror}", "Name another folder.") from error
    return [*written, folder / SUMS]
