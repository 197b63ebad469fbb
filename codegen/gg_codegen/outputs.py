"""Everything ``generate`` writes, by path in the repository; made in memory, so that bad input writes nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from gg_arm_kit.errors import KitError

from gg_codegen import bindings, host_outputs
from gg_codegen.catalogue import load_catalogue
from gg_codegen.checks import run as run_checks
from gg_codegen.formatting import format_python
from gg_codegen.render import Renderer
from gg_codegen.signatures import documentation, schema_text
from gg_codegen.spelling import ArmSpelling, load_arms

if TYPE_CHECKING:
    from gg_codegen.arm_file import Output
    from gg_codegen.wit_model import Catalogue, Module

Content = TypeVar("Content", str, bytes)

SIGNATURES = "signatures.json"
SCHEMA = "codegen/signatures.schema.json"


@dataclass(frozen=True, slots=True)
class Outputs:
    """Content by path, the folders that hold nothing else, and layers that could not be made anew, with the reason."""

    files: dict[str, bytes]
    folders: tuple[str, ...]
    unchecked: tuple[str, ...]


def make_outputs(root: Path, tell: Callable[[str], None]) -> Outputs:
    """Make every output of the tree at ``root``.

    Parameters:
        root: the repository's folder.
        tell: called before something slow, with what it is.

    Raises:
        KitError: an input is wrong; the message names it and the mend.
    """
    catalogue = load_catalogue(root / "wit")
    arms = load_arms(root / "arms")
    _refuse_complaints(catalogue, arms)
    texts = host_outputs.host_outputs(catalogue, root)
    files: dict[str, bytes] = {}
    unchecked: list[str] = []
    for arm in arms:
        for path, text in _arm_texts(catalogue, arm).items():
            _add(texts, path, text)
        if arm.bindings is not None:
            folder = generated_folder(arm)
            layer = bindings.layer(root, arm.bindings, catalogue.world, root / folder, tell)
            for name, content in layer.files.items():
                _add(files, f"{folder}/{name}", content)
            if layer.unchecked:
                unchecked.append(f"{folder}/{{{','.join(layer.files)}}}: {layer.unchecked}")
    for path, text in format_python(texts).items():
        _add(files, path, text.encode())
    files[SCHEMA] = schema_text().encode()
    folders = (host_outputs.GENERATED, *(generated_folder(arm) for arm in arms))
    return Outputs(files, folders, tuple(unchecked))


def generated_folder(arm: ArmSpelling) -> str:
    """The folder of an arm's outputs, by its path in the repository."""
    return f"arms/{arm.id}/generated"


def _refuse_complaints(catalogue: Catalogue, arms: Sequence[ArmSpelling]) -> None:
    complaints = run_checks(catalogue, arms)
    if complaints:
        lines = "\n  ".join(str(complaint) for complaint in complaints)
        raise KitError(f"the catalogue or an arm's spelling is wrong:\n  {lines}", "Mend each line above.")


def _arm_texts(catalogue: Catalogue, arm: ArmSpelling) -> dict[str, str]:
    folder = generated_folder(arm)
    texts: dict[str, str] = {}
    renderer = Renderer(catalogue, arm.templates, f"arms/{arm.id}/templates")
    for output in arm.outputs:
        for path, module in _places(output, catalogue, arm):
            _add(texts, f"{folder}/{path}", renderer.render(output.template, path, {"arm": arm, "module": module}))
    if arm.signatures:
        _add(texts, f"{folder}/{SIGNATURES}", documentation(catalogue, arm).text())
    return texts


def _places(output: Output, catalogue: Catalogue, arm: ArmSpelling) -> list[tuple[str, Module | None]]:
    """Each path an output is written to, with its module; a path outside of ``generated`` is refused."""
    modules: Sequence[Module | None] = catalogue.modules if output.per == "module" else [None]
    places = []
    for module in modules:
        values = {} if module is None else {"module": arm.module(module), "id": module.id}
        path = output.path.safe_substitute(values)
        if "$" in path or Path(path).is_absolute() or ".." in Path(path).parts:
            raise KitError(
                f"arms/{arm.id}/arm.toml: output.path: {path!r} is no path in generated/",
                'Write a relative path; $module and $id are for per = "module".',
            )
        places.append((path, module))
    return places


def _add(files: dict[str, Content], path: str, content: Content) -> None:
    if path in files:
        raise KitError(f"{path}: two outputs would be written here", "Mend the path of one [[output]].")
    files[path] = content
