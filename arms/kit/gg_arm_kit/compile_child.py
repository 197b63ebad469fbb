"""The confined child that runs Cranelift: one request after another on stdin, each answered on stdout.

A request is ``u32 length, b"C" or b"M" (component or module), b"s" or b"n" (speed or none), wasm``; an answer is
``u32 length, b"+", compiled bytes`` or ``u32 length, b"-", wasmtime's words``. Integers are little-endian.
"""

from __future__ import annotations

import os
import struct
import sys
from typing import BinaryIO

import wasmtime
from wasmtime import component

from gg_arm_kit.engine import make_engine


def main() -> None:
    """Answer requests until stdin ends."""
    requests = sys.stdin.buffer
    # Answers keep a descriptor of their own: whatever a library prints goes to stderr.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    engines: dict[bytes, wasmtime.Engine] = {}
    while header := requests.read(4):
        request = _exactly(requests, struct.unpack("<I", header)[0])
        level = request[1:2]
        if level not in engines:
            engines[level] = make_engine(speed=level == b"s")
        try:
            compiler = component.Component if request[:1] == b"C" else wasmtime.Module
            answer = b"+" + bytes(compiler(engines[level], request[2:]).serialize())
        except wasmtime.WasmtimeError as error:
            answer = b"-" + str(error).encode()
        answers.write(struct.pack("<I", len(answer)) + answer)
        answers.flush()


def _exactly(stream: BinaryIO, count: int) -> bytes:
    data = stream.read(count)
    if len(data) != count:
        raise SystemExit("the request ended early")
    return data


if __name__ == "__main__":
    main()
