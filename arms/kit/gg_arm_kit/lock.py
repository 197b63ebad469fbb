"""The model of ``toolchains.lock``: every tool and source the builds use, pinned by name, version, hash and size.

Origins are named by ecosystem, package and version only. Where a package comes from is the business of that
ecosystem's ordinary client and of the machine's own configuration of it.
"""

from __future__ import annotations

import tomllib
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from gg_arm_kit.errors import KitError

Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
ToolId = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$")]


class Ecosystem(StrEnum):
    """Whose client fetches a package."""

    WHEEL = "wheel"
    SDIST = "sdist"
    NPM = "npm"
    CRATE = "crate"
    JAR = "jar"
    DEB = "deb"
    DEB_SOURCE = "deb-source"
    ARCHIVE = "archive"


FILE_ENDINGS: dict[Ecosystem, tuple[str, ...]] = {
    Ecosystem.WHEEL: (".whl",),
    Ecosystem.SDIST: (".tar.gz", ".zip"),
    Ecosystem.NPM: (".tgz",),
    Ecosystem.CRATE: (".crate",),
    Ecosystem.JAR: (".jar",),
    Ecosystem.DEB: (".deb",),
    Ecosystem.DEB_SOURCE: (".tar.gz", ".tar.xz", ".dsc"),
    Ecosystem.ARCHIVE: (".tar.gz", ".tgz", ".tar.xz", ".zip"),
}


class Package(BaseModel):
    """One pinned file of an ecosystem."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(min_length=1, description="the package's name, as its own ecosystem spells it")
    version: str = Field(min_length=1)
    file: str = Field(pattern=r"^[A-Za-z0-9@][A-Za-z0-9@._+~-]*$", description="the exact file name, no folder")
    sha256: Sha256 = Field(description="of the file as it is downloaded")
    integrity: str | None = Field(
        default=None, pattern=r"^sha512-[A-Za-z0-9+/]{86}==$", description="npm's own pin of the same file"
    )
    size: int = Field(gt=0, description="bytes of the file")
    drop: tuple[str, ...] = Field(
        default=(), description="files left packed, as patterns over the whole name in which * matches / too"
    )
    unpacked_sha256: Sha256 = Field(description="hash of the unpacked tree, see gg_arm_kit.trees")


class Tool(BaseModel):
    """One tool or source: what it is, under which licence, its packages, and how its pin is moved."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: str = Field(min_length=1, description="the tool's own version, which a package's may differ from")
    licence: str = Field(min_length=1, description="SPDX expression of the tool itself")
    ecosystem: Ecosystem
    purpose: str = Field(min_length=1, description="what the builds use it for")
    entry: str = Field(default="", description="path inside the first package's tree; empty for the tree itself")
    bump: str = Field(min_length=1, description="what to look at and run when this pin is moved")
    package: tuple[Package, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _agree(self) -> Tool:
        endings = FILE_ENDINGS[self.ecosystem]
        for package in self.package:
            if not package.file.endswith(endings):
                raise ValueError(f"{package.file}: a file of ecosystem {self.ecosystem} ends in {' or '.join(endings)}")
            if (package.integrity is None) == (self.ecosystem is Ecosystem.NPM):
                raise ValueError(f"{package.file}: integrity is given for npm packages, and for no other")
        if len({package.name for package in self.package}) != len(self.package):
            raise ValueError("two packages have the same name")
        entry = PurePosixPath(self.entry)
        if entry.is_absolute() or ".." in entry.parts:
            raise ValueError(f"entry {self.entry!r} leads out of the unpacked tree")
        return self


class ToolLock(BaseModel):
    """The whole lock file."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    schema_: Literal[1] = Field(alias="schema")
    tool: dict[ToolId, Tool]

    def find(self, tool_id: str) -> Tool:
        """The tool of that id.

        Raises:
            KitError: there is none; the message names those there are.
        """
        if tool_id not in self.tool:
            known = ", ".join(sorted(self.tool))
            raise KitError(
                f"toolchains.lock has no tool {tool_id!r}", f"Add a [tool.{tool_id}] table; it has: {known}."
            )
        return self.tool[tool_id]


def read_lock(path: Path) -> ToolLock:
    """Read and check ``path``.

    Raises:
        KitError: it cannot be read, is not TOML, or an entry is wrong; every fault is named with its place.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise KitError(
            f"{path}: cannot be read: {error.strerror}", "Make it readable, or take it back from version control."
        ) from error
    except UnicodeDecodeError as error:
        raise KitError(f"{path}: not UTF-8: {error}", "Save it as UTF-8.") from error
    return parse_lock(text, str(path))


def parse_lock(text: str, where: str) -> ToolLock:
    """Check the text of a lock file; ``where`` names it in messages.

    Raises:
        KitError: as ``read_lock``.
    """
    try:
        return ToolLock.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise KitError(f"{where}: not TOML: {error}", "Mend the file at that place.") from error
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, e['loc'])) or 'file'}: {e['msg']}" for e in error.errors())
        raise KitError(f"{where}: {faults}", "Mend the entry; CONTRIBUTING tells how a pin is moved.") from error
