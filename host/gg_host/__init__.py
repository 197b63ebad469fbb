"""The host: grants, the membrane, the sandbox, providers, documentation, messages and the ``gg`` command."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gg_arm_kit.seam import SourceModule

    from gg_host.catalogue import Catalogue, Operation, load_catalogue
    from gg_host.classify import ErrorType, Outcome
    from gg_host.events import ApiCall, ApiResult, Event, LogLine
    from gg_host.failures import ErrorCode, Failure
    from gg_host.generated.types import EndingRole
    from gg_host.grant import Grant, permits
    from gg_host.host import Host, full_grant
    from gg_host.limits import Limits
    from gg_host.machine import Machine
    from gg_host.providers.call import Call
    from gg_host.report import ProgramReport, Times
    from gg_host.run import Run

__all__ = [
    "ApiCall",
    "ApiResult",
    "Call",
    "Catalogue",
    "EndingRole",
    "ErrorCode",
    "ErrorType",
    "Event",
    "Failure",
    "Grant",
    "Host",
    "Limits",
    "LogLine",
    "Machine",
    "Operation",
    "Outcome",
    "ProgramReport",
    "Run",
    "SourceModule",
    "Times",
    "full_grant",
    "load_catalogue",
    "permits",
]

_HOMES = {
    "ApiCall": "gg_host.events",
    "ApiResult": "gg_host.events",
    "Call": "gg_host.providers.call",
    "Catalogue": "gg_host.catalogue",
    "EndingRole": "gg_host.generated.types",
    "ErrorCode": "gg_host.failures",
    "ErrorType": "gg_host.classify",
    "Event": "gg_host.events",
    "Failure": "gg_host.failures",
    "Grant": "gg_host.grant",
    "Host": "gg_host.host",
    "Limits": "gg_host.limits",
    "LogLine": "gg_host.events",
    "Machine": "gg_host.machine",
    "Operation": "gg_host.catalogue",
    "Outcome": "gg_host.classify",
    "ProgramReport": "gg_host.report",
    "Run": "gg_host.run",
    "SourceModule": "gg_arm_kit.seam",
    "Times": "gg_host.report",
    "full_grant": "gg_host.host",
    "load_catalogue": "gg_host.catalogue",
    "permits": "gg_host.grant",
}


def __getattr__(name: str) -> object:
    """Import what is asked for, and no more: the ``gg`` command must answer before wasmtime is loaded."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value
