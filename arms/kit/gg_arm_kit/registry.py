"""Finds the arms: those installed, by entry point, and those of which only a folder is there yet."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import EntryPoint, entry_points

from gg_arm_kit import source
from gg_arm_kit.errors import KitError
from gg_arm_kit.facts import ArmFacts, read_facts
from gg_arm_kit.seam import Arm

GROUP = "gg.arms"


class State(StrEnum):
    """Whether an arm can be used."""

    AVAILABLE = "available"
    NOT_BUILT = "not-built"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class ArmStatus:
    """One arm as tables show it; ``reason`` says why it is not available."""

    id: str
    title: str
    order: int
    state: State
    reason: str = ""


def available() -> dict[str, Arm]:
    """Every installed arm by id, in the order tables list them.

    Raises:
        KitError: an entry point cannot be loaded or gives no arm of its name; the message names it.
    """
    arms = [load_entry(entry) for entry in entry_points(group=GROUP)]
    return {arm.facts.id: arm for arm in sorted(arms, key=lambda arm: arm.facts.order)}


def find(arm_id: str) -> Arm:
    """The installed arm of that id.

    Raises:
        KitError: there is none, or it cannot be loaded; the message names those that are known.
    """
    for entry in entry_points(group=GROUP, name=arm_id):
        return load_entry(entry)
    if arm_id in _in_repository():
        raise KitError(f"arm {arm_id!r} is not built yet: its folder holds no package", _known())
    raise KitError(f"there is no arm {arm_id!r}", _known())


def statuses() -> list[ArmStatus]:
    """Every arm that is installed or has a folder, in the order tables list them; a broken one does not hide others."""
    found: dict[str, ArmStatus] = {}
    for arm_id, facts in _in_repository().items():
        if isinstance(facts, KitError):
            found[arm_id] = ArmStatus(arm_id, arm_id, 99, State.BROKEN, facts.message)
        else:
            reason = "its folder holds no installed package"
            found[arm_id] = ArmStatus(arm_id, facts.title, facts.order, State.NOT_BUILT, reason)
    for entry in entry_points(group=GROUP):
        try:
            facts = load_entry(entry).facts
        except KitError as error:
            known = found.get(entry.name)
            title, order = (known.title, known.order) if known else (entry.name, 99)
            found[entry.name] = ArmStatus(entry.name, title, order, State.BROKEN, error.message)
        else:
            found[entry.name] = ArmStatus(facts.id, facts.title, facts.order, State.AVAILABLE)
    return sorted(found.values(), key=lambda status: (status.order, status.id))


def load_entry(entry: EntryPoint) -> Arm:
    """Load one entry point.

    Raises:
        KitError: it cannot be imported, or what it names is no arm of its id.
    """
    named = f"arm {entry.name!r} (entry point {entry.value!r})"
    try:
        arm = entry.load()
    except KitError as error:
        raise KitError(f"{named} cannot be loaded: {error.message}", error.hint) from error
    except Exception as error:  # a package of somebody else can fail in any way
        what = f"{type(error).__name__}: {error}"
        raise KitError(f"{named} cannot be loaded: {what}", "Install its package again.") from error
    facts = getattr(arm, "facts", None)
    if not isinstance(facts, ArmFacts) or not callable(getattr(arm, "build", None)):
        raise KitError(f"{named} is no arm: it must have facts, build and prepare")
    if facts.id != entry.name:
        raise KitError(f"{named} calls itself {facts.id!r}")
    loaded: Arm = arm
    return loaded


def _in_repository() -> dict[str, ArmFacts | KitError]:
    """Facts of every arm that has a folder; none where the packages were installed without the repository."""
    try:
        ids = source.arm_ids()
    except KitError:
        return {}
    facts: dict[str, ArmFacts | KitError] = {}
    for arm_id in ids:
        try:
            facts[arm_id] = read_facts(source.arm(arm_id) / "arm.toml")
        except KitError as error:
            facts[arm_id] = error
    return facts


def _known() -> str:
    ids = ", ".join(f"{status.id} ({status.state})" for status in statuses())
    return f"Known arms: {ids or 'none'}."
