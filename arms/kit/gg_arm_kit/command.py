"""How every command of the project ends: one message for what a person can mend, and the exit code that goes with it.

A command names its work as text, ``package.module:function``, so that Ctrl-C while its modules are still being imported
is told like any other.
"""

from __future__ import annotations

import contextlib
import errno
import importlib
import os
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TextIO

from gg_arm_kit.errors import KitError

BAD_INPUT = 2
DEFECT = 3
INTERRUPTED = 130
TERMINATED = 128 + signal.SIGTERM

_SHOW_CURSOR = "\x1b[?25h"


class TerminatedError(BaseException):
    """The process was asked to end. No ``Exception``, so that nothing on the way takes it for a failure."""


def run(name: str, work: str | Callable[[], object]) -> int:
    """Do a command's work; to be called once, by the process's own main module.

    Parameters:
        name: the command, which its messages begin with.
        work: what to call, as ``package.module:function`` or itself. Its result, if an int, is the exit code.

    Returns:
        The exit code: the work's own, ``KitError.exit_code``, 2 where a file cannot be used, 3 for a defect of the
        project, 130 after Ctrl-C, 143 after SIGTERM. A second Ctrl-C ends the process at once.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:  # as QUIET_START left it
        signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, _terminate)
    _open_closed_streams()
    try:
        try:
            code = _done(work)
            sys.stdout.flush()
        finally:
            _end_at_once_on_the_next_signal()
    except BaseException as error:
        return told(name, error)
    return code


def clicked(command: Any, name: str, arguments: Sequence[str] | None = None) -> int:
    """Run a ``click`` command, and let errors come to ``told`` as they are.

    Click's own ``main`` ends the process with 1 when nobody reads the output any more, which here means a failure.

    Parameters:
        command: the click command.
        name: what its help calls it.
        arguments: what was typed; the process's own when None.

    Returns:
        The exit code the command asked for: the int it returned, or 0.
    """
    given = sys.argv[1:] if arguments is None else arguments
    leave: Any = importlib.import_module("click").exceptions.Exit
    try:
        with command.make_context(name, list(given)) as context:
            done = command.invoke(context)
    except leave as asked:
        done = asked.exit_code
    sys.stdout.flush()
    return done if isinstance(done, int) else 0


def told(name: str, error: BaseException) -> int:
    """Tell a person of an error that ended a command, on standard error, and give the exit code for it."""
    if (usage := _wrong_usage(name, error)) is not None:
        return usage
    match error:
        case SystemExit():
            return _code_of(error)
        case KitError():
            return tell(name, error.message, error.hint, error.exit_code)
        case KeyboardInterrupt():
            return _stopped(name, "interrupted", INTERRUPTED)
        case TerminatedError():
            return _stopped(name, "terminated", TERMINATED)
        case BrokenPipeError():
            # Whoever read the output has left, as ``head`` does; Python would complain once more at its exit.
            silence_output()
            return 0
        case OSError():
            silence_output()  # it may be the output itself that cannot be written
            where = error.filename or "a file, or what the output goes to"
            full = error.errno in (errno.ENOSPC, errno.EDQUOT)
            hint = "Free some space" if full else "Mend that"
            reason = (error.strerror or str(error)).lower()
            return tell(name, f"{where}: {reason}", f"{hint} and run the same command again.", BAD_INPUT)
        case _:
            what = f"{type(error).__name__}: {error}"
            return tell(name, what, "This is a defect of the project; please report it.", DEFECT)


def tell(name: str, message: str, hint: str, code: int) -> int:
    """Write one message and its next step to standard error, and give ``code``."""
    text = printable(f"{name}: {message}\n" + "".join(f"  {line}\n" for line in hint.splitlines()), sys.stderr)
    with contextlib.suppress(OSError, ValueError):  # nobody may be reading it
        sys.stderr.write(text)
        sys.stderr.flush()
    return code


def printable(text: str, stream: TextIO) -> str:
    """``text`` with what a terminal would obey written out; unchanged where ``stream`` is no terminal.

    What a program or its compiler says is a model's own text, and messages quote it.
    """
    if not stream.isatty():
        return text
    return "".join(
        letter if letter in "\n\t" or letter.isprintable() else letter.encode("unicode_escape").decode()
        for letter in text
    )


def silence_output() -> None:
    """Send what is still to be written to standard output nowhere."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _open_closed_streams() -> None:
    """Give a process that was started without an output one that leads nowhere."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 (kept to the end)


def _done(work: str | Callable[[], object]) -> int:
    if isinstance(work, str):
        module, _, function = work.partition(":")
        work = getattr(importlib.import_module(module), function)
        assert callable(work)
    code = work()
    return code if isinstance(code, int) else 0


def _wrong_usage(name: str, error: BaseException) -> int | None:
    """What ``click`` found wrong with the arguments; None for every other error, also where click is not in use."""
    click: Any = sys.modules.get("click")
    if click is None:
        return None
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        error.show()
        return BAD_INPUT
    if isinstance(error, click.UsageError):
        path = error.ctx.command_path if error.ctx else name
        return tell(name, error.format_message().removesuffix("."), f"See {path} --help.", BAD_INPUT)
    if isinstance(error, click.ClickException):
        return tell(name, error.format_message(), "", BAD_INPUT)
    return _stopped(name, "interrupted", INTERRUPTED) if isinstance(error, click.Abort) else None


def _code_of(error: SystemExit) -> int:
    if error.code is None or isinstance(error.code, int):
        return error.code or 0
    sys.stderr.write(f"{error.code}\n")
    return 1


def _stopped(name: str, how: str, code: int) -> int:
    if sys.stderr.isatty():  # a progress bar that was cut short may have hidden it
        sys.stderr.write(_SHOW_CURSOR)
    return tell(name, how, "Nothing was left half-made; run the same command again to go on.", code)


def _terminate(_signal: int, _frame: object) -> None:
    raise TerminatedError


def _end_at_once_on_the_next_signal() -> None:
    """From here on there is only a message to write and threads to wait for, and neither may end in a traceback."""
    with contextlib.suppress(ValueError):
        signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
        signal.signal(signal.SIGTERM, lambda *_: os._exit(TERMINATED))


def main() -> None:
    """``python -m gg_arm_kit.command NAME PACKAGE.MODULE:FUNCTION ARGUMENT...`` runs a command of the project."""
    name, work, *arguments = sys.argv[1:]
    sys.argv = [name, *arguments]
    sys.exit(run(name, work))


if __name__ == "__main__":
    main()
