"""Cutting text: at a number of bytes without splitting a character, at a number of characters with a note."""

from __future__ import annotations


def decode(data: bytes) -> str:
    """Text of a file: UTF-8, with U+FFFD in place of bytes that are not."""
    return data.decode("utf-8", "replace")


def byte_length(text: str) -> int:
    """Length of ``text`` in UTF-8, bytes."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def head(text: str, size: int) -> str:
    """The longest beginning of ``text`` that takes at most ``size`` bytes of UTF-8."""
    if byte_length(text) <= size:
        return text
    return text.encode("utf-8")[:size].decode("utf-8", "ignore")


def tail(text: str, size: int) -> str:
    """The longest end of ``text`` that takes at most ``size`` bytes of UTF-8."""
    if byte_length(text) <= size:
        return text
    return text.encode("utf-8")[-size:].decode("utf-8", "ignore")


def cut_line(line: str, size: int) -> str:
    """A line of at most ``size`` characters, followed by how many more there were."""
    missing = len(line) - size
    return line if missing <= 0 else f"{line[:size]} ({missing} more chars...)"


def cut_lines(text: str, size: int) -> str:
    """Every line of ``text`` cut by ``cut_line``; line endings stay."""
    pieces = []
    for line in text.split("\n"):
        body = line.removesuffix("\r")
        pieces.append(cut_line(body, size) + line[len(body) :])
    return "\n".join(pieces)
