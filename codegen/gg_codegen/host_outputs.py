"""What is generated for the host: its values and the operations' signatures, from ``host/templates``."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gg_arm_kit.manifest import wit_sha256

from gg_codegen import text
from gg_codegen.host_names import host_definitions, python_case_class, python_class, python_hint, python_name
from gg_codegen.render import Renderer
from gg_codegen.wit_model import Catalogue, Function

TEMPLATES = "host/templates"
GENERATED = "host/gg_host/generated"
_ENDING = ".j2"


def host_outputs(catalogue: Catalogue, root: Path) -> dict[str, str]:
    """The text of each file by its path in the repository; none where the tree has no host.

    Raises:
        KitError: a template is wrong, or two definitions would be one class.
    """
    folder = root / TEMPLATES
    filters: dict[str, Callable[..., Any]] = {
        "python_name": python_name,
        "python_class": python_class,
        "python_hint": python_hint,
        "python_docs": _docs,
        "function_id": _function_id,
    }
    renderer = Renderer(catalogue, folder, TEMPLATES, filters, {"mentioning": _mentions})
    extra = {
        "host_definitions": host_definitions,
        "python_case_class": python_case_class,
        "wit_sha256": wit_sha256(root / "wit"),
    }
    outputs = {}
    for template in sorted(folder.glob(f"*{_ENDING}")):
        path = f"{GENERATED}/{template.name.removesuffix(_ENDING)}"
        outputs[path] = renderer.render(template.name, path, extra)
    return outputs


def _docs(documented: Any) -> str:
    """The docstring of anything that has a brief and a detail."""
    parts = [documented.brief, documented.detail and text.wrap(documented.detail, 110)]
    return text.docstring("\n\n".join(part for part in parts if part))


def _function_id(function: Function) -> str:
    if function.operation is not None:
        return function.operation.id
    return f"{function.interface}.{function.name.replace('-', '_')}"


def _mentions(body: str, name: str) -> bool:
    return re.search(rf"\b{re.escape(name)}\b", body) is not None
