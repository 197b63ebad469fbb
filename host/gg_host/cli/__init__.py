"""The ``gg`` command."""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command and end the process with its exit code.

    Parameters:
        arguments: what was typed after ``gg``; the process's own arguments when None.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C while modules are imported ends without a traceback
    from gg_arm_kit.command import run

    given = sys.argv[1:] if arguments is None else arguments
    sys.exit(run("gg", lambda: _work(given)))


def _work(arguments: Sequence[str]) -> int:
    from gg_host.cli.app import run_command

    return run_command(arguments)
