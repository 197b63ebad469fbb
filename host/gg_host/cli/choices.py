"""What commands share: finding arms, documentation and operations by name, with suggestions for a wrong one."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from gg_arm_kit import artifacts, registry, source
from gg_arm_kit.errors import KitError

from gg_host.catalogue import Catalogue, Operation
from gg_host.cli.app import near


def check_arm(arm_id: str) -> None:
    """Refuse an arm that is not known.

    Raises:
        KitError: there is no such arm; near ones are suggested.
    """
    known = [status.id for status in registry.statuses()]
    if arm_id not in known:
        hint = near(arm_id, known)
        raise KitError(
            f"there is no arm {arm_id!r}", f"{hint} `gg arms` lists all." if hint else "`gg arms` lists all."
        )


def signatures_of(arm_id: str) -> Path:
    """The documentation catalogue of an arm: its artifact's, or the repository's where it has not been built.

    Raises:
        KitError: there is no such arm, or it has neither.
    """
    check_arm(arm_id)
    try:
        registry.find(arm_id)  # building an arm that has no package yet is no next step
        return artifacts.load(arm_id).signatures
    except KitError as missing:
        try:
            path = source.generated(arm_id) / artifacts.SIGNATURES
        except KitError:
            raise missing from None
        if path.is_file():
            return path
        raise


def operations_named(catalogue: Catalogue, names: Iterable[str]) -> list[Operation]:
    """The operations of ``names``, each once.

    Raises:
        KitError: some are no operations; every one is named, with what is near.
    """
    wanted = list(dict.fromkeys(names))
    unknown = [name for name in wanted if name not in catalogue.operations]
    if unknown:
        hints = [_near_operation(name, catalogue) for name in unknown]
        listed = ", ".join(repr(name) for name in unknown)
        told = "there is no operation" if len(unknown) == 1 else "there are no operations"
        raise KitError(f"{told} {listed}", " ".join([*filter(None, hints), "`gg operations` lists all."]))
    return [catalogue.operations[name] for name in wanted]


def _near_operation(name: str, catalogue: Catalogue) -> str:
    """Suggestions of the same namespace, or of any where that has none: the key alone decides then."""
    namespace = name.partition(".")[0]
    same = [row.id for row in catalogue.operations.values() if row.namespace == namespace]
    return near(name, same) or near(name, catalogue.operations)
