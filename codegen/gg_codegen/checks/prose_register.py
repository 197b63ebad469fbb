"""Documentation keeps to the register: short, neutral, well formed, nothing said twice."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from gg_codegen.checks.complaint import Complaint
from gg_codegen.checks.documented import Doc, documented
from gg_codegen.prose import CODE_SPAN
from gg_codegen.spelling import ArmSpelling
from gg_codegen.wit_model import Catalogue

CHECK = "register"
BRIEF_CHARACTERS = 120
DETAIL_CHARACTERS = 2_000

_ADDRESS = re.compile(r"\b(you|your|yours)\b", re.IGNORECASE)
_OPENING = re.compile(r"^(and|but|also|then|so|because)\b", re.IGNORECASE)
_SHOUTED = re.compile(r"\b[A-Z]{2,}(?:[^A-Za-z0-9`]+[A-Z]{2,}){2,}\b")
_FENCE = re.compile(r"^ *```", re.MULTILINE)
_FENCED = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)
_BRACKETS = {")": "(", "]": "[", "}": "{"}


def check(catalogue: Catalogue, arms: Sequence[ArmSpelling]) -> Iterator[Complaint]:
    """Complain of every documentation comment that breaks a rule of the register."""
    del arms
    for doc in documented(catalogue):
        for fault, mend in (*_brief_faults(doc), *_detail_faults(doc)):
            yield Complaint(CHECK, doc.row, fault, f"{mend} in its `///` comment")


def _brief_faults(doc: Doc) -> Iterator[tuple[str, str]]:
    part = "argument's text" if doc.argument else "brief"
    if not doc.brief.strip():
        yield f"has no {part}", "say in one line what it is"
        return
    if "\n" in doc.brief:
        yield f"the {part} has several lines", "keep one line and put the rest below an empty one"
    if len(doc.brief) > BRIEF_CHARACTERS and not doc.argument:
        yield f"the {part} has {len(doc.brief)} characters", f"keep it to {BRIEF_CHARACTERS} and put the rest below"
    if "```" in doc.brief:
        yield f"the {part} holds a fence", "move the example below"
    if match := _OPENING.match(doc.brief):
        yield f"the {part} starts with `{match[0]}`", "start with what it does"
    yield from _prose_faults(doc.brief, part)


def _detail_faults(doc: Doc) -> Iterator[tuple[str, str]]:
    if not doc.detail:
        return
    if len(doc.detail) > DETAIL_CHARACTERS:
        yield f"the detail has {len(doc.detail)} characters", f"keep it to {DETAIL_CHARACTERS}"
    fences = len(_FENCE.findall(doc.detail))
    if fences % 2:
        yield "the detail has a fence that is not closed", "close it"
    elif fences > 2:
        yield f"the detail has {fences // 2} fenced examples", "keep one"
    if doc.brief and doc.brief.rstrip(".") in doc.detail:
        yield "the detail repeats the brief", "leave the repetition out"
    yield from _prose_faults(_FENCED.sub("", doc.detail), "detail")


def _prose_faults(text: str, part: str) -> Iterator[tuple[str, str]]:
    if any(paragraph.count("`") % 2 for paragraph in text.split("\n\n")):
        yield f"the {part} has a code span that is not closed", "close it with a backquote"
    for span in CODE_SPAN.finditer(text):
        if not _balanced(span[1]):
            yield f"the {part} has a code span with a bracket that is not closed, `{span[1]}`", "close the bracket"
    plain = CODE_SPAN.sub("", text)
    if match := _ADDRESS.search(plain):
        yield f"the {part} addresses the reader with `{match[0]}`", "say it of the call or of the program"
    if match := _SHOUTED.search(plain):
        yield f"the {part} shouts `{match[0]}`", "write it in lower case"


def _balanced(span: str) -> bool:
    opened: list[str] = []
    for character in span:
        if character in _BRACKETS.values():
            opened.append(character)
        elif character in _BRACKETS and (not opened or opened.pop() != _BRACKETS[character]):
            return False
    return not opened
