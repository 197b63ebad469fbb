"""The views a turn opened, as plain records in the order in which they will be shown."""

from __future__ import annotations

from dataclasses import dataclass

SEARCH_SELECTOR = "search results"


@dataclass(frozen=True, slots=True)
class TextView:
    """A text under a label."""

    label: str
    body: str

    @property
    def heading(self) -> str:
        """What stands above the text."""
        return self.label


@dataclass(frozen=True, slots=True)
class FileView:
    """Lines of a text file. ``first_line`` and ``last_line`` count from 1, and are 0 for an empty file.

    ``offset`` and ``limit`` are the region as the program asked for it: a second view of the same region
    replaces this one.
    """

    path: str
    offset: int | None
    limit: int | None
    first_line: int
    last_line: int
    total_lines: int
    body: str

    @property
    def heading(self) -> str:
        """What stands above the lines."""
        return f"File: {self.path}" + (f":{self.first_line}-{self.last_line}" if self.first_line else "")


@dataclass(frozen=True, slots=True)
class PictureView:
    """A picture; ``data`` is the file as it is."""

    path: str
    media_type: str
    data: bytes

    @property
    def heading(self) -> str:
        """What stands above the picture."""
        return f"File: {self.path}"


@dataclass(frozen=True, slots=True)
class DocsView:
    """A page of documentation, by its full name."""

    name: str
    body: str

    @property
    def heading(self) -> str:
        """What stands above the page."""
        return self.name


@dataclass(frozen=True, slots=True)
class SearchView:
    """The result of a documentation search; the next one replaces it."""

    body: str

    @property
    def heading(self) -> str:
        """What stands above the result."""
        return SEARCH_SELECTOR


View = TextView | FileView | PictureView | DocsView | SearchView


class TurnViews:
    """The views of one turn. Programs of the turn that follow each other share it."""

    def __init__(self) -> None:
        self._views: dict[tuple[object, ...], View] = {}
        self._text_bytes: dict[str, int] = {}

    @property
    def views(self) -> tuple[View, ...]:
        """Every view that stands, in the order in which each was first opened."""
        return tuple(self._views.values())

    def open(self, view: View) -> None:
        """Add a view, or put it in the place of the one it supersedes."""
        self._views[_identity(view)] = view

    def text_bytes_with(self, label: str, size: int) -> int:
        """Bytes of all text bodies of the turn if the one under ``label`` had ``size``."""
        return sum(self._text_bytes.values()) - self._text_bytes.get(label, 0) + size

    def open_text(self, label: str, body: str, size: int) -> None:
        """Add a text of ``size`` bytes, or put it in the place of the one with the same label."""
        self._text_bytes[label] = size
        self.open(TextView(label, body))


def _identity(view: View) -> tuple[object, ...]:
    match view:
        case TextView(label):
            return ("text", label)
        case FileView(path, offset, limit):
            return ("file", path, offset or 1, limit)
        case PictureView(path):
            return ("file", path, 1, None)
        case DocsView(name):
            return ("docs", name)
        case SearchView():
            return ("search",)
