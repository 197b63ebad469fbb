"""Pictures, told by their first bytes."""

from __future__ import annotations

HEAD_BYTES = 12
"""How many bytes of a file ``media_type`` looks at; the longest mark is WebP's."""


def media_type(head: bytes) -> str | None:
    """The media type of a picture that starts with ``head``; None when it is not one of the four kinds models read."""
    if head.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if head.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if head.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "image/webp"
    return None
