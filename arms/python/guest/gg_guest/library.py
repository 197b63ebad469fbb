"""Imports every module that programs may import: after the snapshot there is no folder to import from."""

import importlib
import os
import pathlib
import sys
import tomllib

LEFT_OUT = "left_out.toml"
PACKAGES = ("yaml", "tomli_w")
"""What programs may import beside the standard library; other modules of theirs are imported by themselves."""


def load() -> None:
    """Import them all, in alphabetical order.

    Raises:
        ImportError: one that is not listed as left out cannot be imported.
    """
    left_out = _left_out()
    standard = pathlib.Path(pathlib.__file__).parents[1]  # `os` is frozen and names a folder that is not there
    for name in sorted({*_modules(standard, ""), *sys.builtin_module_names, *PACKAGES}):
        if not _covered(name, left_out):
            importlib.import_module(name)


def _left_out() -> frozenset[str]:
    listed = tomllib.loads(pathlib.Path(__file__).with_name(LEFT_OUT).read_text(encoding="utf-8"))
    return frozenset(name for group in listed.values() for name in group)


def _covered(name: str, left_out: frozenset[str]) -> bool:
    parts = name.split(".")
    return any(".".join(parts[: count + 1]) in left_out for count in range(len(parts)))


def _modules(folder: pathlib.Path, prefix: str) -> list[str]:
    """The names of all modules below a folder of them; what runs a package as a command is none."""
    names: list[str] = []
    for path in sorted(folder / name for name in os.listdir(folder)):
        if path.suffix == ".py" and path.stem not in ("__init__", "__main__"):
            names.append(prefix + path.stem)
        elif (path / "__init__.py").is_file():
            names += [prefix + path.name, *_modules(path, f"{prefix}{path.name}.")]
    return names
