"""How prose and comments are laid out in generated text."""

from __future__ import annotations

import re
import textwrap

_LIST_ITEM = re.compile(r"^(\s*)([*-]|\d+\.)\s+")


def wrap(text: str, width: int = 100) -> str:
    """Lay each paragraph and list item out to ``width`` columns; indented and fenced code stays as it is."""
    laid_out: list[str] = []
    paragraph: list[str] = []
    fenced = False

    def flush() -> None:
        if paragraph:
            match = _LIST_ITEM.match(paragraph[0])
            hanging = " " * match.end() if match else ""
            joined = " ".join(line.strip() for line in paragraph)
            lead = match[1] if match else ""
            laid_out.extend(
                textwrap.wrap(
                    joined,
                    width,
                    initial_indent=lead,
                    subsequent_indent=hanging,
                    break_long_words=False,
                    break_on_hyphens=False,
                )
            )
            paragraph.clear()

    for line in text.split("\n"):
        fence = line.lstrip().startswith("```")
        if fenced or fence or not line.strip():
            flush()
            laid_out.append(line.rstrip())
            fenced ^= fence
        elif not paragraph and line.startswith("    "):
            laid_out.append(line.rstrip())
        else:
            if _LIST_ITEM.match(line):
                flush()
            paragraph.append(line)
    flush()
    return "\n".join(laid_out)


def comment(text: str, marker: str = "// ") -> str:
    """Put ``marker`` before each line; an empty line gets it without trailing blanks."""
    return "\n".join(f"{marker}{line}".rstrip() for line in text.split("\n"))


def block_comment(text: str) -> str:
    """A ``/** … */`` comment: on one line where the text is one line. The text cannot end the comment."""
    safe = text.replace("*/", "*\\/")
    if "\n" not in safe:
        return f"/** {safe} */"
    return "\n".join(["/**", *(f" * {line}".rstrip() for line in safe.split("\n")), " */"])


def docstring(text: str) -> str:
    """A Python docstring: on one line where the text is one line. Lines after the first are not indented."""
    safe = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    if safe.endswith('"'):
        safe = safe[:-1] + '\\"'
    return f'"""{safe}\n"""' if "\n" in safe else f'"""{safe}"""'


def string_literal(text: str) -> str:
    """A double-quoted literal that JavaScript, C and Python read alike, in ASCII.

    Raises:
        ValueError: the text has a character that the three do not escape alike.
    """
    if not all(" " <= character <= "~" or character in "\n\t" for character in text):
        raise ValueError(f"{text!r} cannot be written as a literal of plain ASCII")
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{escaped}"'
