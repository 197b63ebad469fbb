"""Searching a library: substring matches in six tiers, filters, pages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from gg_host.docs.documentation import Function, Module, Parameter, Type
from gg_host.docs.library import Entry, Library, key_of, module_of, name_of
from gg_host.docs.names import fold

DEFAULT_LIMIT = 20
MAX_LIMIT = 100
KINDS = {Module: "module", Function: "function", Type: "type"}


@dataclass(frozen=True, slots=True)
class Question:
    """What a search asks for; an entry must pass every filter that is given.

    Parameters:
        query: words, of which at least one must occur; no words when None or blank.
        modules: ids or paths; entries of any of them pass. No filter when empty.
        type: name of a type: that type and the functions that take or return it pass.
        kind: ``module``, ``function`` or ``type``.
    """

    query: str | None = None
    modules: tuple[str, ...] = ()
    type: str | None = None
    kind: str | None = None

    @property
    def terms(self) -> tuple[str, ...]:
        """The words of the query, in lower case, each once."""
        return tuple(dict.fromkeys((self.query or "").casefold().split()))

    @property
    def asks_nothing(self) -> bool:
        """Whether there is neither a word nor a filter."""
        return not (self.terms or self.modules or self.type or self.kind)


class _Tier(IntEnum):
    NAME_EQUAL = 0
    NAME_PREFIX = 1
    NAME_CONTAINS = 2
    SIGNATURE = 3
    BRIEF = 4
    DETAIL = 5


def search(library: Library, question: Question) -> list[Entry]:
    """Every permitted entry that ``question`` asks for, best first; in the order of the documentation without words."""
    passing = [entry for entry in library.entries if _passes(library, entry, question)]
    if not question.terms:
        return passing
    ranked = ((rank, entry) for entry in passing if (rank := _rank(library, entry, question.terms)) is not None)
    return [entry for _, entry in sorted(ranked, key=lambda pair: pair[0])]


def page(found: list[Entry], offset: int | None, limit: int | None) -> list[Entry]:
    """The entries of one page; more than 100 are answered with 100."""
    start = offset or 0
    return found[start : start + min(limit or DEFAULT_LIMIT, MAX_LIMIT)]


def _passes(library: Library, entry: Entry, question: Question) -> bool:
    if question.kind and KINDS[type(entry)] != question.kind.casefold():
        return False
    if question.modules:
        module = library.module(module_of(entry))
        if not {module.id.casefold(), module.path.casefold()} & {name.casefold() for name in question.modules}:
            return False
    return not question.type or _concerns(library, entry, question.type.casefold())


def _concerns(library: Library, entry: Entry, wanted: str) -> bool:
    match entry:
        case Module():
            return False
        case Type():
            return wanted in (entry.name.casefold(), entry.fqn.casefold())
        case Function():
            types = (library.type_named(name) for name in (*entry.returns, *entry.parameters))
            return any(type_ and wanted in (type_.name.casefold(), type_.fqn.casefold()) for type_ in types)


def _rank(library: Library, entry: Entry, terms: tuple[str, ...]) -> tuple[int, int, int, int, str] | None:
    """Sorts best first: tier of the best word, words that occur, how often, types first among names, full name."""
    texts = _texts(library, entry)
    folded = fold(name_of(entry))
    tiers = [tier for term in terms if (tier := _tier(term, folded, texts)) is not None]
    if not tiers:
        return None
    best = min(tiers)
    everything = "\n".join(texts.values())
    frequency = sum(everything.count(term) for term in terms)
    after_types = 0 if best <= _Tier.NAME_PREFIX and isinstance(entry, Type) else 1
    return best, -len(tiers), -frequency, after_types, key_of(entry)


def _tier(term: str, name: str, texts: dict[_Tier, str]) -> _Tier | None:
    if folded := fold(term):
        if folded == name:
            return _Tier.NAME_EQUAL
        if name.startswith(folded):
            return _Tier.NAME_PREFIX
        if folded in name:
            return _Tier.NAME_CONTAINS
    return next((tier for tier, text in texts.items() if term in text), None)


def _texts(library: Library, entry: Entry) -> dict[_Tier, str]:
    match entry:
        case Module():
            signature, described = [entry.path, entry.import_line], [entry.detail]
        case Function():
            signature, described = [entry.fqn], [entry.detail]
            for one in entry.signatures:
                signature.append(one.text)
                for parameter in _flat(one.parameters):
                    signature.append(parameter.name)
                    described.append(parameter.doc)
        case Type():
            signature = [entry.fqn, entry.declaration, *(member.name for member in entry.members)]
            described = [entry.detail, *(f"{member.brief}\n{member.detail}" for member in entry.members)]
    return {
        _Tier.SIGNATURE: "\n".join(signature).casefold(),
        _Tier.BRIEF: entry.brief.casefold(),
        _Tier.DETAIL: "\n".join(described).casefold(),
    }


def _flat(parameters: tuple[Parameter, ...]) -> Iterator[Parameter]:
    for parameter in parameters:
        yield parameter
        yield from _flat(parameter.fields)
