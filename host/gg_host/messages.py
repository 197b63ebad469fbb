"""What the model reads of a failed program: a band, a rule, the language's own words. Errors carry no advice."""

from __future__ import annotations

import re
from enum import StrEnum

from gg_arm_kit.seam import LocationMap, Refused

RULE = "----"


class Band(StrEnum):
    """Heading of a message; there are no others."""

    COMPILER_ERROR = "Compiler error"
    RUNTIME_ERROR = "Runtime error"
    NOTICE = "Notice"


def message(band: Band, body: str) -> str:
    """One message: heading, rule, body."""
    return f"{band}\n{RULE}\n{body.strip(chr(10))}\n"


def in_order(notices: list[str], error: str | None) -> list[str]:
    """Messages of a turn: notices first, the error last."""
    return [message(Band.NOTICE, notice) for notice in notices] + ([error] if error is not None else [])


def compiler_error(refused: Refused) -> str:
    """The compiler's diagnostics, verbatim."""
    return message(Band.COMPILER_ERROR, refused.diagnostics)


def runtime_error(
    words: str, location: str | None, stderr: str, locations: LocationMap, ceiling: str | None = None
) -> str:
    """The runtime's words, where it happened and the program's standard error, all in places of the model's own file.

    Parameters:
        words: what the language's runtime or the host says.
        location: as the runtime told it; left out when the words hold it already.
        stderr: of the program; left out when empty, or when the words hold it already.
        locations: of the prepared program.
        ceiling: the sentence on the limit that ended the program, after the runtime's own words.
    """
    parts = [locations.rewrite(words).strip("\n")]
    if location:
        place = locations.rewrite(location).strip("\n")
        if place not in parts[0]:
            parts.append(place if place.lstrip().startswith("at ") else f"at {place}")
    if ceiling:
        parts.append(ceiling)
    text = "\n".join(part for part in parts if part)
    shown = locations.rewrite(stderr).strip("\n")
    if shown and shown not in text:
        text += f"\n\nstderr:\n{shown}"
    return message(Band.RUNTIME_ERROR, text)


def place_of(location: str | None, program_file: str, locations: LocationMap) -> str | None:
    """The first place in the model's own file, as ``file:line:column`` or in the runtime's own words of one line."""
    if not location:
        return None
    text = locations.rewrite(location)
    found = re.search(rf"(?<![\w./-]){re.escape(program_file)}:\d+(?::\d+)?", text)
    if found:
        return found[0]
    text = text.strip()
    return text if text and "\n" not in text else None


def timeout_words(limit_secs: float) -> str:
    """The sentence for a program that used up its time."""
    return f"the program used up its {limit_secs:g} seconds of run time (timeoutSecs)"


def out_of_memory_words(limit_bytes: int) -> str:
    """The sentence for a program that used up its memory."""
    return f"the program used up its {limit_bytes} bytes of memory (maxMemoryBytes)"


def exit_words(status: int) -> str:
    """The sentence for an explicit exit."""
    return f"the program exited with status {status}"
