"""``docs.search`` and the pages behind ``views.open_docs_view``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gg_host.docs.documentation import Function
from gg_host.docs.library import Entry, Library, key_of, module_of, name_of
from gg_host.docs.names import did_you_mean, suggestions
from gg_host.docs.pages import page_of, search_result
from gg_host.docs.search import KINDS, Question, page, search
from gg_host.failures import ErrorCode, Failure
from gg_host.generated.types import DocHit, DocHits, DocKind
from gg_host.providers.call import Call
from gg_host.providers.records import DocsView, SearchView, TurnViews
from gg_host.providers.scope import RunScope


@dataclass(frozen=True, slots=True)
class DocViewTypes:
    """Which types open beside the page of a function that writes them.

    Parameters:
        returns: those of its result.
        parameters: those of its arguments.
        errors: those of its failures.
    """

    returns: bool = False
    parameters: bool = False
    errors: bool = False


class DocsProvider:
    """Searches the documentation of the arm that a run is in, narrowed to what the run may call.

    Parameters:
        views: where pages and results are shown.
        doc_view_types: which types open beside a function.
        library: the documentation; taken from the run that ``enter_run`` names when left out.
    """

    def __init__(
        self, views: TurnViews, doc_view_types: DocViewTypes | None = None, library: Library | None = None
    ) -> None:
        self._views = views
        self._types = doc_view_types or DocViewTypes()
        self._library = library
        self._scope: RunScope | None = None

    def enter_run(self, scope: RunScope) -> None:
        """Serve the run of ``scope`` from now on; nothing is read before the first call."""
        self._scope, self._library = scope, None

    def search(
        self,
        call: Call,
        query: str | None,
        modules: list[str],
        type: str | None,
        kind: DocKind | None,
        offset: int | None,
        limit: int | None,
    ) -> DocHits:
        """Find entries, best first, and show them in the search view.

        Raises:
            Failure: ``invalid-argument`` when neither a word nor a filter is given, or the limit is 0.
        """
        question = Question(query, tuple(modules), type, str(kind) if kind else None)
        if question.asks_nothing:
            raise Failure(ErrorCode.INVALID_ARGUMENT, "nothing is asked for: give a query, or a module, type or kind")
        if limit == 0:
            raise Failure(ErrorCode.INVALID_ARGUMENT, "the limit is 0; leave it out or ask for at least one entry")
        found = search(self._entries(), question)
        shown = page(found, offset, limit)
        self._views.open(SearchView(search_result(question, shown, offset or 0, len(found))))
        return DocHits(len(found), offset or 0, [_hit(entry) for entry in shown])

    def open_page(self, name: str) -> None:
        """Show the page of a function, a type or a module, and those of the types configured to open beside it.

        Raises:
            Failure: ``not-found`` when nothing of that name is permitted or several things share it, with names to use.
        """
        library = self._entries()
        found = library.find(name)
        if len(found) > 1:
            several = did_you_mean([key_of(entry) for entry in found])
            raise Failure(ErrorCode.NOT_FOUND, f"`{name}` is the name of {len(found)} entries{several}")
        if not found:
            near = suggestions(name, (key_of(entry) for entry in library.entries))
            raise Failure(ErrorCode.NOT_FOUND, f"there is no documentation of `{name}`{did_you_mean(near)}")
        for entry in (found[0], *self._beside(library, found[0])):
            self._views.open(DocsView(key_of(entry), page_of(library, entry)))

    def _beside(self, library: Library, entry: Entry) -> Iterator[Entry]:
        if isinstance(entry, Function):
            wanted = (
                (self._types.returns, entry.returns),
                (self._types.parameters, entry.parameters),
                (self._types.errors, entry.throws),
            )
            for name in dict.fromkeys(name for opens, names in wanted if opens for name in names):
                if type_ := library.type_named(name):
                    yield type_

    def _entries(self) -> Library:
        if self._library is None:
            if self._scope is None:
                raise RuntimeError("documentation was asked for outside a run")
            self._library = self._scope.library()
        return self._library


def _hit(entry: Entry) -> DocHit:
    kind = DocKind(KINDS[type(entry)])
    return DocHit(key_of(entry), kind, module_of(entry), name_of(entry), entry.brief)
