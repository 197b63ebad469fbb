"""Facts of an arm, read from the ``[arm]`` table of its ``arm.toml``."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gg_arm_kit.errors import KitError

UNREADABLE = "Make it readable, or take the file back from version control."


class ArmFacts(BaseModel):
    """What the host and the tools must know of one language; frozen."""

    model_config = ConfigDict(frozen=True, extra="forbid", alias_generator=lambda name: name.replace("_", "-"))

    id: str = Field(pattern=r"^[a-z]+$")
    title: str
    order: int = Field(ge=1, description="place in tables, as the seed's failure table lists the arms")
    program_file: str = Field(description="the model's own file, as its messages name it")
    form: Literal["text", "core-module", "component"]
    reports_uncaught: bool = Field(description="whether the guest sees an uncaught throw and reports it")
    memory_floor_bytes: int = Field(default=0, ge=0, description="smallest memory limit a program can run in; measured")
    extends: str | None = Field(default=None, description="the arm whose spelling and component this one builds on")


def read_facts(path: Path) -> ArmFacts:
    """Read the ``[arm]`` table of ``path``.

    Raises:
        KitError: the file cannot be read, is not TOML, or a fact is missing or wrong; every fault is named.
    """
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        return ArmFacts.model_validate(table.get("arm", {}))
    except OSError as error:
        raise KitError(f"{path}: cannot be read: {error.strerror}", UNREADABLE) from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise KitError(f"{path}: not TOML: {error}", "Mend the file at that place.") from error
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
        raise KitError(f"{path}: [arm] is wrong: {faults}", "Mend these keys of its [arm] table.") from error
