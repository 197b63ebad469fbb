"""The text of a program whose bytes an arm takes as they are."""

from __future__ import annotations

from collections.abc import Sequence

from gg_arm_kit.errors import KitError
from gg_arm_kit.facts import ArmFacts
from gg_arm_kit.seam import SourceModule


def program_text(program: bytes, modules: Sequence[SourceModule], facts: ArmFacts) -> str:
    """The program as text.

    Parameters:
        program: the bytes that were sent.
        modules: code modules, of which there must be none yet.
        facts: of the arm, for the messages.

    Raises:
        KitError: code modules were given, or the bytes are not UTF-8.
    """
    if modules:
        raise KitError(f"code modules cannot be prepared for {facts.title} yet", "Call with no modules.")
    try:
        return program.decode("utf-8")
    except UnicodeDecodeError as error:
        raise KitError(
            f"{facts.program_file}: not UTF-8: byte {error.start} is 0x{program[error.start]:02x}",
            "A program is text; send it in UTF-8.",
        ) from error
