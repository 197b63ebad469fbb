"""Checks and moves the pins of ``toolchains.lock``.

    python -m gg_arm_kit.pin check [TOOL ...]
    python -m gg_arm_kit.pin move TOOL VERSION [--package NAME] [--file FILE] [--tool-version VERSION]
    python -m gg_arm_kit.pin measure ECOSYSTEM NAME VERSION [--file FILE]

``check`` fetches every file anew, whatever the cache holds, and compares. ``move`` fetches another version, measures
it and rewrites that package's entry in place; the text around it stays. ``measure`` prints an entry for a new tool.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path

from gg_arm_kit import command, progress, source, trees
from gg_arm_kit.cache import Cache, open_cache, write_atomically
from gg_arm_kit.errors import KitError
from gg_arm_kit.fetch.pip_index import list_files
from gg_arm_kit.kit import Kit
from gg_arm_kit.lock import FILE_ENDINGS, Ecosystem, Package, parse_lock, read_lock
from gg_arm_kit.unpack import CEILING_BYTES, unpack

UNKNOWN = "0" * 64


def measure(kit: Kit, ecosystem: Ecosystem, name: str, version: str, file: str, drop: tuple[str, ...] = ()) -> Package:
    """Fetch one file anew and describe it as a pin.

    Parameters:
        kit: its cache's disk is used, and its fetchers; the cache's own entries are neither read nor written.
        ecosystem: whose client fetches it.
        name: the package.
        version: its version.
        file: its exact file name.
        drop: what of it is left packed.

    Raises:
        KitError: it cannot be fetched or unpacked.
    """
    with kit.cache.scratch() as scratch, kit.progress.step(f"fetch {file}") as line:
        work, made = scratch / "work", scratch / "made"
        work.mkdir()
        made.mkdir()
        asked = Package(
            name=name,
            version=version,
            file=file,
            sha256=UNKNOWN,
            size=CEILING_BYTES,
            drop=drop,
            unpacked_sha256=UNKNOWN,
        )
        if ecosystem not in kit.store.fetchers:
            raise KitError(f"{file}: files of ecosystem {ecosystem} cannot be fetched yet")
        path = kit.store.fetchers[ecosystem].fetch(asked, work, line.reached)
        data = path.read_bytes()
        unpack(path, made / trees.CONTENT, drop)
        integrity = f"sha512-{base64.b64encode(hashlib.sha512(data).digest()).decode()}"
        return asked.model_copy(
            update={
                "sha256": hashlib.sha256(data).hexdigest(),
                "integrity": integrity if ecosystem is Ecosystem.NPM else None,
                "size": len(data),
                "unpacked_sha256": trees.seal(made),
            }
        )


def check(kit: Kit, tool_ids: list[str]) -> list[str]:
    """Fetch every package of the tools anew and say what differs from the lock; empty when nothing does."""
    complaints = []
    for tool_id in tool_ids or sorted(kit.lock.tool):
        tool = kit.lock.find(tool_id)
        for package in tool.package:
            found = measure(kit, tool.ecosystem, package.name, package.version, package.file, package.drop)
            complaints += [
                f"{tool_id}: {package.file}: {key} is {getattr(found, key)}, and the lock says {getattr(package, key)}"
                for key in ("size", "sha256", "integrity", "unpacked_sha256")
                if getattr(found, key) != getattr(package, key)
            ]
    return complaints


def file_name(cache: Cache, ecosystem: Ecosystem, name: str, version: str) -> str:
    """The file of ``name`` at ``version`` that fits this machine.

    Raises:
        KitError: there is none, or more than one; the message names them, and one can be given by ``--file``.
    """
    if ecosystem is Ecosystem.NPM:
        return f"{name.removeprefix('@').replace('/', '-')}-{version}.tgz"
    with cache.scratch() as scratch:
        offered = list_files(ecosystem.value, name, scratch)
    fitting = [file for file, of in offered.items() if of == version and file.endswith(FILE_ENDINGS[ecosystem])]
    if len(fitting) != 1:
        versions = ", ".join(sorted(set(offered.values()))) or "none"
        raise KitError(
            f"{name} {version}: {len(fitting)} files fit this machine: {', '.join(fitting) or 'none'}",
            f"Choose one with --file. Versions with a {ecosystem} for this machine: {versions}.",
        )
    return fitting[0]


def rewrite(text: str, tool_id: str, package: Package, tool: Mapping[str, str]) -> str:
    """The lock file's text with one package's entry, and the tool's own keys in ``tool``, replaced.

    Raises:
        KitError: the entry does not stand in the text as this tool writes it.
    """
    blocks = re.split(r"(?m)^(?=\[)", text)
    values = {key: value for key, value in package.model_dump(exclude={"drop"}).items() if value is not None}
    done = 0
    for index, block in enumerate(blocks):
        if block.startswith(f"[tool.{tool_id}]"):
            blocks[index] = _set(block, tool)
            done += 1
        elif block.startswith(f"[[tool.{tool_id}.package]]") and f'\nname = "{package.name}"\n' in block:
            blocks[index] = _set(block, values)
            done += 1
    if done != 2:
        raise KitError(f"toolchains.lock has no entry of package {package.name} in tool {tool_id}")
    return "".join(blocks)


def _set(block: str, values: Mapping[str, str | int]) -> str:
    for key, value in values.items():
        text = str(value) if isinstance(value, int) else f'"{value}"'
        block, count = re.subn(rf"(?m)^{key} = .*$", lambda _, k=key, t=text: f"{k} = {t}", block, count=1)  # type: ignore[misc]
        if count != 1:
            raise KitError(f"toolchains.lock: no line '{key} = ...' below {block.splitlines()[0]}")
    return block


def move(kit: Kit, path: Path, tool_id: str, version: str, name: str, file: str, tool_version: str) -> Package:
    """Pin another version of one package of a tool and rewrite the lock at ``path``; returns the new pin.

    Raises:
        KitError: it cannot be fetched, or the lock does not hold the entry.
    """
    tool = kit.lock.find(tool_id)
    name = name or tool.package[0].name
    old = next((package for package in tool.package if package.name == name), None)
    if old is None:
        raise KitError(f"tool {tool_id} has no package {name!r}")
    package = measure(
        kit, tool.ecosystem, name, version, file or file_name(kit.cache, tool.ecosystem, name, version), old.drop
    )
    keys = {"version": tool_version or version}
    if old.version in tool.entry:  # archives often hold one folder that is named by their version
        keys["entry"] = tool.entry.replace(old.version, version)
    text = rewrite(path.read_text(encoding="utf-8"), tool_id, package, keys)
    parse_lock(text, str(path))
    write_atomically(path, text.encode())
    return package


def entry(package: Package) -> str:
    """A package's lines for the lock file."""
    values = package.model_dump(exclude={"drop"}, exclude_none=True)
    return "".join(f"{key} = {json.dumps(value)}\n" for key, value in values.items())


def _arguments(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="pin", description="Check, move or measure pins of toolchains.lock.")
    actions = parser.add_subparsers(dest="action", required=True)
    checking = actions.add_parser("check", help="fetch every pinned file anew and compare")
    checking.add_argument("tool", nargs="*")
    moving = actions.add_parser("move", help="pin another version of a tool")
    moving.add_argument("tool")
    moving.add_argument("version", help="version of the package")
    moving.add_argument("--package", default="", help="which of the tool's packages (the first)")
    moving.add_argument("--file", default="", help="exact file name (the one that fits this machine)")
    moving.add_argument("--tool-version", default="", help="the tool's own version where the package's differs")
    measuring = actions.add_parser("measure", help="print the entry of a package that is not pinned yet")
    measuring.add_argument("ecosystem", choices=[each.value for each in Ecosystem])
    measuring.add_argument("name")
    measuring.add_argument("version")
    measuring.add_argument("--file", default="", help="exact file name (the one that fits this machine)")
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> int:
    """The command; see the top of this module.

    Returns:
        0; 1 when ``check`` found a difference.

    Raises:
        KitError: a tool is not known, a file cannot be fetched, the lock cannot be read or written.
    """
    given = _arguments(arguments)
    shown = progress.choose()
    path = source.root() / "toolchains.lock"
    kit = Kit(lock=read_lock(path), cache=open_cache(), progress=shown)
    if given.action == "check":
        complaints = check(kit, given.tool)
        for line in complaints or ["every pin agrees with its origin"]:
            shown.note(line)
        return 1 if complaints else 0
    if given.action == "measure":
        ecosystem = Ecosystem(given.ecosystem)
        file = given.file or file_name(kit.cache, ecosystem, given.name, given.version)
        sys.stdout.write(entry(measure(kit, ecosystem, given.name, given.version, file)))
        return 0
    package = move(kit, path, given.tool, given.version, given.package, given.file, given.tool_version)
    shown.note(f"{given.tool}: {package.file}, sha256 {package.sha256}, {package.size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(command.run("lock", main))
