"""``gg search``: search an arm's documentation, as a program does."""

from __future__ import annotations

import click

from gg_host.cli.choices import signatures_of
from gg_host.cli.show import show_json, show_text


@click.command()
@click.argument("query", nargs=-1, required=True)
@click.option("--arm", "arm_id", required=True, metavar="ARM", help="The language to search in; `gg arms` lists them.")
@click.option("--offset", type=click.IntRange(min=0), default=0, help="Entries to pass over.")
@click.option("--limit", type=click.IntRange(min=1), default=20, help="Most entries to show: 20, and never above 100.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(query: tuple[str, ...], arm_id: str, offset: int, limit: int, as_json: bool) -> None:
    """Find modules, functions and types by words; best first.

    Every operation is searched here; a program finds those that its grant permits.
    """
    from gg_host.catalogue import load_catalogue
    from gg_host.docs.documentation import load_documentation
    from gg_host.docs.library import Library, key_of, module_of, name_of
    from gg_host.docs.pages import search_result
    from gg_host.docs.search import KINDS, Question, page, search

    library = Library(load_documentation(signatures_of(arm_id)), frozenset(load_catalogue().operations))
    question = Question(" ".join(query))
    found = search(library, question)
    shown = page(found, offset, limit)
    if as_json:
        hits = [
            {
                "key": key_of(entry),
                "kind": KINDS[type(entry)],
                "module": module_of(entry),
                "name": name_of(entry),
                "summary": entry.brief,
            }
            for entry in shown
        ]
        show_json({"arm": arm_id, "total": len(found), "offset": offset, "hits": hits})
    else:
        show_text(search_result(question, shown, offset, len(found)))
