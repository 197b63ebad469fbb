"""``gg docs``: a page of an arm's documentation, as a program's view would show it."""

from __future__ import annotations

import click

from gg_host.cli.choices import signatures_of
from gg_host.cli.show import show_json, show_text


@click.command()
@click.argument("name", metavar="ID")
@click.option(
    "--arm", "arm_id", required=True, metavar="ARM", help="The language to spell it in; `gg arms` lists them."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(name: str, arm_id: str, as_json: bool) -> None:
    """Show the page of ID: an operation such as files.read_file, or a name as the language spells it.

    Every operation is documented here; a program finds those that its grant permits.
    """
    from gg_arm_kit.errors import KitError

    from gg_host.catalogue import load_catalogue
    from gg_host.docs.documentation import load_documentation
    from gg_host.docs.library import Library, key_of
    from gg_host.docs.names import did_you_mean, suggestions
    from gg_host.docs.pages import page_of

    documentation = load_documentation(signatures_of(arm_id))
    library = Library(documentation, frozenset(load_catalogue().operations))
    found = [one for one in library.functions if one.operation == name] or library.find(name)
    if len(found) != 1:
        names = [key_of(entry) for entry in found or library.entries]
        hint = did_you_mean(names[:10] if found else suggestions(name, names)).strip()
        told = f"{name!r} is the name of {len(found)} entries" if found else f"there is no documentation of {name!r}"
        raise KitError(told, hint or f"Find names with: gg search WORDS --arm {arm_id}")
    page = page_of(library, found[0])
    if as_json:
        show_json({"arm": arm_id, "key": key_of(found[0]), "page": page})
    else:
        show_text(page)
