"""``sys.stdout`` and ``sys.stderr``: what is printed leaves as log lines, what goes to standard error as text."""

from gg_guest.own_builtins import NAMES as __builtins__

import io
import sys
from codecs import getincrementaldecoder

import wit_world.imports.feedback as feedback

from gg_guest.crossing import tell

_log, _stderr = tell(feedback.log), tell(feedback.stderr)
LINE_LIMIT = 1 << 20
"""Bytes of a line that are held back while its end has not come; a longer one leaves in pieces."""


class Log(io.RawIOBase):
    """Sends each whole line as it comes, without its ending, and the last one when it is told to finish."""

    def __init__(self) -> None:
        self._decoder = getincrementaldecoder("utf-8")("replace")
        self._held = ""

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return 1

    def write(self, data: bytes, /) -> int:  # type: ignore[override]
        text = self._held + self._decoder.decode(data)
        *lines, self._held = text.split("\n")
        for line in lines:
            _log(line)
        if len(self._held) > LINE_LIMIT:
            self.finish()
        return len(data)

    def finish(self) -> None:
        """Send what is held back, as a line of its own."""
        held, self._held = self._held + self._decoder.decode(b"", True), ""
        if held:
            _log(held)


class Errors(io.RawIOBase):
    """Sends text as it comes; a character split over two writes is joined."""

    def __init__(self) -> None:
        self._decoder = getincrementaldecoder("utf-8")("replace")

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return 2

    def write(self, data: bytes, /) -> int:  # type: ignore[override]
        if text := self._decoder.decode(data):
            _stderr(text)
        return len(data)

    def finish(self) -> None:
        """Send what is left of a character that was never finished."""
        if text := self._decoder.decode(b"", True):
            _stderr(text)


_raw_log, _raw_errors = Log(), Errors()


def _stream(raw: io.RawIOBase) -> io.TextIOWrapper:
    buffered = io.BufferedWriter(raw)
    return io.TextIOWrapper(buffered, "utf-8", "backslashreplace", newline="\n", line_buffering=True)


_output, _error_output = _stream(_raw_log), _stream(_raw_errors)
_flush_output, _flush_errors = _output.flush, _error_output.flush


def install() -> None:
    """Put both streams in the interpreter's place for them."""
    sys.stdout = sys.__stdout__ = _output
    sys.stderr = sys.__stderr__ = _error_output


def finish() -> None:
    """Send all that is held back, also after a program closed or replaced the streams."""
    for flush, raw in ((_flush_output, _raw_log), (_flush_errors, _raw_errors)):
        try:
            flush()
        except ValueError:  # the program closed it, which flushed it
            pass
        raw.finish()
