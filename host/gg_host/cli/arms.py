"""``gg arms``: the languages, and what this machine cannot confine."""

from __future__ import annotations

from dataclasses import dataclass, field

import click

from gg_host.cli.show import show_json, show_table, show_text


@dataclass(frozen=True, slots=True)
class _Row:
    id: str
    title: str
    state: str
    reason: str = ""
    version: str = ""
    tools: dict[str, str] = field(default_factory=dict)


def _rows() -> list[_Row]:
    from gg_arm_kit import artifacts, registry
    from gg_arm_kit.errors import KitError

    rows = []
    for status in registry.statuses():
        if status.state is not registry.State.AVAILABLE:
            rows.append(_Row(status.id, status.title, status.state.value, status.reason))
            continue
        try:
            manifest = artifacts.load(status.id).manifest
        except KitError as error:
            rows.append(_Row(status.id, status.title, registry.State.NOT_BUILT.value, f"{error.message}. {error.hint}"))
        else:
            tools = {name: tool.version for name, tool in manifest.tools.items()}
            rows.append(_Row(status.id, status.title, "built", "", manifest.version, tools))
    return rows


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(as_json: bool) -> None:
    """List the languages: which are built, from which tools, and what is not confined on this machine."""
    from gg_arm_kit import confine
    from gg_arm_kit.cache import open_cache

    open_cache()  # one that cannot be used is no fault of any arm
    rows = _rows()
    confinements = confine.capabilities()
    if as_json:
        arms = [{name: getattr(row, name) for name in _Row.__slots__} for row in rows]
        confined = [{"name": one.name, "active": one.active, "reason": one.reason} for one in confinements]
        show_json({"arms": arms, "confinement": confined})
        return
    cells = []
    for row in rows:
        tools = ", ".join(f"{name} {version}" for name, version in row.tools.items())
        cells.append((row.id, row.title, row.state, row.version, tools or row.reason))
    show_table("", ("arm", "language", "state", "version", "tools, or why not"), cells)
    missing = [one for one in confinements if not one.active]
    if not missing:
        show_text("Compilers are confined: " + "; ".join(one.name for one in confinements) + ".")
    for one in missing:
        show_text(f"Not confined here: {one.name} ({one.reason})")
