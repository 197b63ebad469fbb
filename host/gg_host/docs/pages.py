"""What a model reads: the page of a function, a type or a module, and the result of a search."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gg_host.docs.documentation import Function, Module, Parameter, Type
from gg_host.docs.library import Entry, Library, key_of
from gg_host.docs.search import Question


def page_of(library: Library, entry: Entry) -> str:
    """The whole page of an entry; it ends without a line break."""
    match entry:
        case Function():
            lines = _function(library, entry)
        case Type():
            lines = _type(library, entry)
        case Module():
            lines = _module(library, entry)
    return "\n".join(lines)


def _function(library: Library, function: Function) -> Iterator[str]:
    for one in function.signatures:
        yield one.text
        yield from _parameters(one.parameters, "  ")
    yield ""
    module = library.module(function.module)
    yield f"Module {module.path}: {module.import_line}"
    yield from _prose(function.brief, function.detail)


def _parameters(parameters: Sequence[Parameter], indent: str) -> Iterator[str]:
    for parameter in parameters:
        default = "" if parameter.default is None else f" = {parameter.default}"
        passed = " (passed by name)" if parameter.by_name else ""
        mark = "?" if parameter.optional else ""
        yield f"{indent}{parameter.name}{mark}: {parameter.type}{default}{passed}: {parameter.doc}"
        yield from _parameters(parameter.fields, indent + "  ")


def _type(library: Library, type_: Type) -> Iterator[str]:
    yield type_.declaration
    yield ""
    module = library.module(type_.module)
    yield f"Module {module.path}: {module.import_line}"
    yield from _prose(type_.brief, type_.detail)
    if type_.members:
        yield ""
    for member in type_.members:
        kind = f": {member.type}" if member.type else ""
        yield f"  {member.name}{kind}: {member.brief}"
        for line in member.detail.splitlines():
            yield f"    {line}".rstrip()
    yield from _list(
        "Functions", [f"{one.fqn}: {one.brief}" for one in type_.functions if one.operation in library.permitted]
    )


def _module(library: Library, module: Module) -> Iterator[str]:
    yield f"Module {module.path}"
    yield from _prose(module.brief, module.detail)
    yield ""
    yield f"Reach it with: {module.import_line}"
    yield from _list("Functions", [f"{one.fqn}: {one.brief}" for one in library.functions if one.module == module.id])
    yield from _list("Types", [f"{one.fqn}: {one.brief}" for one in library.types if one.module == module.id])


def _prose(brief: str, detail: str) -> Iterator[str]:
    yield ""
    yield brief
    if detail:
        yield ""
        yield detail


def _list(heading: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield ""
        yield heading
        for line in lines:
            yield f"  {line}"


def search_result(question: Question, shown: Sequence[Entry], offset: int, total: int) -> str:
    """The view of one page of a search: what was asked, how much is shown, then the entries under their kinds."""
    lines = [f"Search: {_asked(question)}", _extent(offset, len(shown), total)]
    for heading, kind in (("Modules", Module), ("Functions", Function), ("Types", Type)):
        lines += _list(heading, [f"{key_of(one)}: {one.brief}" for one in shown if isinstance(one, kind)])
    return "\n".join(lines)


def _asked(question: Question) -> str:
    parts = [f"`{question.query}`"] if question.terms else []
    if question.modules:
        parts.append("in " + ", ".join(f"`{module}`" for module in question.modules))
    if question.type:
        parts.append(f"of type `{question.type}`")
    if question.kind:
        parts.append(f"of kind {question.kind}")
    return " ".join(parts)


def _extent(offset: int, shown: int, total: int) -> str:
    if not total:
        return "Nothing found."
    if not shown:
        return f"Offset {offset} is past the last of {total}."
    rest = total - offset - shown
    more = f" {rest} more with offset {offset + shown}." if rest else ""
    return f"{offset + 1} to {offset + shown} of {total}.{more}"
