"""Programs of the suites: one folder for each program, one text in it for each arm.

``suites/arms.toml`` says what a suite must know of an arm besides: whose texts it shares, and which programs its
language has no words for.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import jinja2
from gg_arm_kit import source
from gg_arm_kit.errors import KitError
from gg_arm_kit.facts import read_facts
from pydantic import BaseModel, ConfigDict, Field, ValidationError


class ArmTexts(BaseModel):
    """What ``arms.toml`` says of one arm.

    uses: the arm whose texts are valid in this language too; a text of its own wins.
    header: a line put below the first one of a hostile text that is taken over from there.
    unknown_name: what a name that is not there is filed as: where a compiler reads the program it never runs.
    absent: program to the reason that the language cannot express it.
    absent_values: value of the values suite, as type and name, to the reason that the language cannot give it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", alias_generator=lambda name: name.replace("_", "-"))
    uses: str | None = None
    header: str | None = None
    unknown_name: str = "program_unknown_name"
    absent: dict[str, str] = Field(default_factory=dict)
    absent_values: dict[str, str] = Field(default_factory=dict)


class AbsentError(Exception):
    """The language has no words for that program; the message says why."""


@dataclass(frozen=True, slots=True)
class Hostile:
    """A hostile program and what becomes of it: the outcome, the error type, and a word the model reads or None."""

    name: str
    text: str
    outcome: str
    error_type: str | None
    says: str | None


def folder() -> Path:
    """The folder of the suites."""
    return source.root() / "conformance" / "suites"


def extension(arm: str) -> str:
    """File name extension of an arm's programs, with its dot."""
    return Path(read_facts(source.arm(arm) / "arm.toml").program_file).suffix


@cache
def _arm_texts() -> dict[str, ArmTexts]:
    path = folder() / "arms.toml"
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
        return {arm: ArmTexts.model_validate(table) for arm, table in document.items()}
    except (OSError, tomllib.TOMLDecodeError, ValidationError) as error:
        raise KitError(f"{path}: {error}") from error


def arm_texts(arm: str) -> ArmTexts:
    """What is known of an arm's texts; an arm that is not listed has every text of its own."""
    return _arm_texts().get(arm, ArmTexts())


def absent_values(arm: str) -> frozenset[str]:
    """Values of the values suite that the language cannot give, those of the arm it shares texts with included."""
    texts = arm_texts(arm)
    return frozenset(texts.absent_values) | (absent_values(texts.uses) if texts.uses is not None else frozenset())


def text(arm: str, program: str, /, **values: object) -> str:
    """The arm's text of a program.

    Parameters:
        arm: id of the arm.
        program: folder of the program below ``suites``.
        values: what a text that is a template is rendered with.

    Raises:
        AbsentError: the language has no words for it.
        KitError: nobody has written the text yet; the message says which file to write.
    """
    asked: str | None = arm
    while asked is not None:
        if program in arm_texts(asked).absent:
            raise AbsentError(arm_texts(asked).absent[program])
        plain = folder() / program / f"{asked}{extension(asked)}"
        if plain.is_file():
            return plain.read_text(encoding="utf-8")
        template = plain.with_suffix(".j2")
        if template.is_file():
            return _rendered(template, values)
        asked = arm_texts(asked).uses
    wanted = f"conformance/suites/{program}/{arm}"
    raise KitError(
        f"arm {arm!r} has no text of {program!r}",
        f"Write {wanted}{extension(arm)} (or {wanted}.j2), or list it in suites/arms.toml with the reason.",
    )


def _rendered(template: Path, values: dict[str, object]) -> str:
    environment = jinja2.Environment(
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701  programs, not pages
    )
    return environment.from_string(template.read_text(encoding="utf-8")).render(values)


def hostile(arm: str) -> list[Hostile]:
    """The hostile programs of an arm, those it shares included.

    Raises:
        KitError: a text does not say what is expected of it.
    """
    own = [_hostile(path, None) for path in sorted((folder() / "hostile" / arm).glob(f"*{extension(arm)}"))]
    shared = arm_texts(arm).uses
    if shared is None:
        return own
    names = {program.name for program in own}
    paths = sorted((folder() / "hostile" / shared).glob(f"*{extension(shared)}"))
    return own + [_hostile(path, arm_texts(arm).header) for path in paths if path.stem not in names]


def _hostile(path: Path, header: str | None) -> Hostile:
    program = path.read_bytes().decode("utf-8", errors="surrogateescape")
    first, _, rest = program.partition("\n")
    _, found, expected = first.partition("expect: ")
    words = expected.split(maxsplit=2)
    if not found or len(words) < 2:
        raise KitError(
            f"hostile/{path.parent.name}/{path.name}: its first line does not say what is expected of it",
            "Begin with a comment `expect: OUTCOME ERROR_TYPE|none [WORDS]`.",
        )
    given = f"{first}\n{header}\n{rest}" if header is not None else program
    says = words[2] if len(words) == 3 else None
    return Hostile(path.stem, given, words[0], None if words[1] == "none" else words[1], says)
