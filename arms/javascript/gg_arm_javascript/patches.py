"""Small edits of the engine's source. Each must fit exactly once, so a moved pin cannot drop one in silence.

The engine tells a call's place by the last token it parsed before the call: an argument, on another line where a call
is written over several. A model reads that place as the fault, so a call is told by its callee instead: the name after
the last dot, or the start of the expression. Its columns also count from 0 on the first line of a text, unlike on the
others.

A job for which there is no memory is dropped by the engine without a word, and a failure on its way along a chain of
promises with it: the guest is told, so that such a program never reads as one that went well.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from gg_arm_kit.errors import KitError


@dataclass(frozen=True, slots=True)
class Patch:
    """Text that stands once in a file, and what is put in its place."""

    file: str
    old: str
    new: str


_PLACE = "s->token.line_num, callee_col = s->token.col_num;"
_TOLD = "                emit_source_loc_at(s, callee_line, callee_col);\n"
_START = "    call_type = FUNC_CALL_NORMAL;\n    switch(s->token.val) {\n    case TOK_NUMBER:\n"
_NAME = "            if (s->token.val == TOK_PRIVATE_NAME) {\n                /* private class field */\n"
_CALL = "            emit_func_call:\n"
_APPLY = "                /* apply function call */\n"
_QUEUE = "int JS_EnqueueJob(JSContext *ctx, JSJobFunc *job_func,\n"
_JOB = "    e = js_malloc(ctx, sizeof(*e) + argc * sizeof(JSValue));\n    if (!e)\n"
_LOST = "    e = js_malloc(ctx, sizeof(*e) + argc * sizeof(JSValue));\n    if (!e) gg_lose_job();\n    if (!e)\n"
_FIRST_LINE = "    s->eol = s->buf_ptr;\n"

PATCHES = (
    Patch("quickjs.c", _START, f"    int callee_line = {_PLACE}\n{_START}"),
    Patch("quickjs.c", f"parse_property:\n{_NAME}", f"parse_property:\n            callee_line = {_PLACE}\n{_NAME}"),
    Patch("quickjs.c", _CALL, _CALL + _TOLD),
    Patch("quickjs.c", _APPLY, _APPLY + _TOLD),
    Patch("quickjs.c", _QUEUE, f"void gg_lose_job(void);\n\n{_QUEUE}"),
    Patch("quickjs.c", _JOB, _LOST),
    Patch("quickjs.c", _FIRST_LINE, "    s->eol = s->buf_ptr - 1; // columns count from 1 on the first line too\n"),
)


def apply(folder: Path, patches: tuple[Patch, ...] = PATCHES) -> None:
    """Edit the files of ``folder``.

    Raises:
        KitError: an edit's old text does not stand exactly once in its file; nothing of that file is changed.
    """
    for file in dict.fromkeys(patch.file for patch in patches):
        text = (folder / file).read_text(encoding="utf-8")
        for patch in (each for each in patches if each.file == file):
            count = text.count(patch.old)
            if count != 1:
                raise KitError(
                    f"{file}: the text a patch replaces stands {count} times, not once: {patch.old.strip()[:80]!r}",
                    "The engine's pin was moved: write the patch anew in gg_arm_javascript/patches.py.",
                )
            text = text.replace(patch.old, patch.new)
        (folder / file).write_text(text, encoding="utf-8")
