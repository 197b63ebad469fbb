"""The host: grants, the membrane, the sandbox, providers, documentation, messages and the ``gg`` command."""

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
