"""``manifest.json``: what an artifact holds and what it was made from, down to every hash."""

from __future__ import annotations

import hashlib
from pathlib import Path, PurePosixPath
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from gg_arm_kit.errors import KitError
from gg_arm_kit.lock import Sha256

MANIFEST = "manifest.json"
BUILD_AGAIN = "Build the arm again: ./nox -s build."


def _inside(name: str) -> str:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or str(path) != name or name == MANIFEST or "\\" in name:
        raise ValueError(f"{name!r} is no name of a file in an artifact")
    return name


FileName = Annotated[str, AfterValidator(_inside)]


class FileRecord(BaseModel):
    """One file of an artifact."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    sha256: Sha256
    size: int = Field(ge=0, description="bytes")


class ToolRecord(BaseModel):
    """One tool an artifact was made with."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: str
    unpacked_sha256: tuple[Sha256, ...] = Field(description="of each of its packages, in the lock's order")


class Manifest(BaseModel):
    """The whole file. Nothing in it depends on where or when the artifact was made."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    schema_: Literal[1] = Field(default=1, alias="schema")
    arm: str = Field(pattern=r"^[a-z]+$")
    version: str = Field(description="of this project")
    wit_sha256: Sha256 = Field(description="of the WIT the component was made for, see wit_sha256()")
    files: dict[FileName, FileRecord]
    tools: dict[str, ToolRecord]

    def text(self) -> str:
        """The file's text; the same manifest always gives the same bytes."""
        ordered = self.model_copy(
            update={"files": dict(sorted(self.files.items())), "tools": dict(sorted(self.tools.items()))}
        )
        return ordered.model_dump_json(by_alias=True, indent=2) + "\n"

    def key(self) -> str:
        """Names the artifact by its content: hash of the text."""
        return hashlib.sha256(self.text().encode()).hexdigest()


def read_manifest(folder: Path) -> Manifest:
    """Read the manifest of the artifact in ``folder``.

    Raises:
        KitError: there is none, or it is damaged.
    """
    path = folder / MANIFEST
    try:
        return Manifest.model_validate_json(path.read_bytes())
    except OSError as error:
        raise KitError(f"{folder}: no artifact: {MANIFEST} cannot be read: {error.strerror}", BUILD_AGAIN) from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        raise KitError(f"{path}: damaged: {place}: {first['msg']}", BUILD_AGAIN) from error


def wit_sha256(folder: Path) -> str:
    """Hash over every ``.wit`` file of a WIT folder, by name and bytes. An artifact fits the WIT of one hash only.

    Raises:
        KitError: there is no such file.
    """
    whole = hashlib.sha256()
    files = sorted(folder.glob("*.wit"))
    if not files:
        raise KitError(f"{folder}: holds no WIT", "Take the files of wit/ back from version control.")
    for path in files:
        whole.update(path.name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()
