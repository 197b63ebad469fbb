"""What griffe, the language's documentation tool, reads off the generated SDK, held against ``signatures.json``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import griffe

PACKAGE = "gg"


def differences(generated: Path) -> list[str]:
    """Every place where the SDK's own source and its documentation catalogue disagree; empty when there is none.

    Parameters:
        generated: the arm's generated folder, with ``gg/`` and ``signatures.json``.
    """
    package = griffe.load(PACKAGE, search_paths=[generated], allow_inspection=False, resolve_aliases=False)
    catalogue = json.loads((generated / "signatures.json").read_text(encoding="utf-8"))
    found = {**dict(_functions(package)), **dict(_types(package))}
    promised = {entry["fqn"]: _promised(entry) for entry in (*catalogue["functions"], *catalogue["types"])}
    complaints = [
        f"{name}: the SDK has it and signatures.json has not" for name in sorted(found.keys() - promised.keys())
    ]
    for name, text in promised.items():
        if name not in found:
            complaints.append(f"{name}: signatures.json has it and the SDK has not")
        elif found[name] != text:
            complaints.append(f"{name}: signatures.json says\n{text}\nand griffe reads\n{found[name]}")
    return complaints + _undocumented(package, catalogue)


def _promised(entry: dict[str, Any]) -> str:
    if "signatures" in entry:
        return "\n".join(one["signature"] for one in entry["signatures"])
    return str(entry["declaration"])


def _public(package: Any) -> Iterator[tuple[str, Any]]:
    """Everything the modules export by name, but the failure and what belongs to it."""
    for module in package.modules.values():
        for name in module.exports or ():
            member = module.members[str(name)]
            if not member.is_alias:
                yield member.path, member


def _functions(package: Any) -> Iterator[tuple[str, str]]:
    yield from ((path, _signature(member)) for path, member in _public(package) if member.is_function)


def _signature(function: Any) -> str:
    texts, marked = [], False
    for parameter in function.parameters:
        if parameter.kind is griffe.ParameterKind.keyword_only and not marked:
            texts.append("*")
            marked = True
        default = "" if parameter.default is None else f" = {parameter.default}"
        texts.append(f"{parameter.name}: {parameter.annotation}{default}")
    return f"{function.name}({', '.join(texts)}) -> {function.returns}"


FAILURE = ("ApiError", "ApiErrorCode", "Unchanged", "UNCHANGED")
"""What ``core`` has besides types of the catalogue; signatures name the failure in ``throws``."""


def _types(package: Any) -> Iterator[tuple[str, str]]:
    """Every type's declaration. A variant brings the classes of its cases, unless they are records themselves."""
    public = {path: member for path, member in _public(package) if member.name not in FAILURE}
    unions = {path: str(member.value).split(" | ") for path, member in public.items() if member.is_attribute}
    folded: set[str] = set()
    for path, cases in unions.items():
        module = path.rpartition(".")[0]
        name = path.rpartition(".")[2]
        own = [case for case in cases if case.startswith(name) and f"{module}.{case}" in public]
        folded.update(f"{module}.{case}" for case in own if not _is_record(public[f"{module}.{case}"], name))
        declared = [_class(public[f"{module}.{case}"]) for case in own if f"{module}.{case}" in folded]
        yield path, "\n\n".join((*declared, f"{name} = {' | '.join(cases)}"))
    yield from ((path, _class(member)) for path, member in public.items() if member.is_class and path not in folded)


def _is_record(member: Any, union: str) -> bool:
    """Whether a case is a record with a name of its own: a class made for the case holds a ``value`` or nothing."""
    fields = list(_fields(member))
    return bool(fields) and fields[0].name != "value" and union != member.name


def _fields(member: Any) -> Iterator[Any]:
    yield from (field for field in member.members.values() if field.is_attribute)


def _class(member: Any) -> str:
    decorators = [f"@{decorator.value}" for decorator in member.decorators]
    bases = f"({', '.join(str(base) for base in member.bases)})" if member.bases else ""
    lines = [*decorators, f"class {member.name}{bases}:"]
    for field in _fields(member):
        annotation = "" if field.annotation is None else f": {field.annotation}"
        value = "" if field.value is None else f" = {field.value}"
        lines.append(f"    {field.name}{annotation}{value}".replace("'", '"'))
    return "\n".join(lines if len(lines) > len(decorators) + 1 else [*lines, "    pass"])


def _undocumented(package: Any, catalogue: dict[str, Any]) -> list[str]:
    """Functions whose docstring does not begin with the catalogue's brief or does not describe every argument."""
    complaints = []
    briefs = {entry["fqn"]: entry for entry in catalogue["functions"]}
    for path, member in _public(package):
        if not member.is_function or path not in briefs:
            continue
        text = member.docstring.value if member.docstring else ""
        if text.partition("\n")[0] != briefs[path]["brief"]:
            complaints.append(f"{path}: its docstring does not begin with the brief")
        sections = griffe.Docstring(text, parent=member).parse("google")
        described = {
            item.name
            for section in sections
            if section.kind is griffe.DocstringSectionKind.parameters
            for item in section.value
        }
        missing = {parameter.name for parameter in member.parameters} - described
        if missing:
            complaints.append(f"{path}: its docstring does not describe {', '.join(sorted(missing))}")
    return complaints
