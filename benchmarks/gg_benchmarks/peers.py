"""The same work in peer sandboxes. Run by the benchmark in an environment of its own; prints one JSON object.

One program with one host call on fresh state (``*.program``, ms), and one host call in a long program (``*.call``, us).
"""

from __future__ import annotations

import json
import sys
from typing import Any

from gg_benchmarks.model import least_us_each, median_wall_ms

RUNS = 200
CALLS = 2_000
MONTY_CALLS = 900  # it refuses more than 1,000 host calls in one program


def greet(name: str) -> str:
    """The host call: a short string in and out."""
    return "hello " + name


def quickjs() -> dict[str, float]:
    """quickjs-rs, a QuickJS in native code."""
    import quickjs_rs  # type: ignore[import-not-found]

    def run(source: str) -> Any:
        with quickjs_rs.Runtime() as runtime, runtime.new_context(timeout=60) as context:
            context.register("greet", greet)
            return context.eval(source)

    if run("greet('x')") != "hello x":
        raise RuntimeError("quickjs-rs did not give the greeting")
    return {
        "program": median_wall_ms(lambda: run("greet('x')"), RUNS),
        "call": least_us_each(lambda count: run(f"for (let i = 0; i < {count}; i++) greet('x')"), CALLS),
    }


def monty() -> dict[str, float]:
    """pydantic-monty, an interpreter of a subset of Python."""
    import pydantic_monty  # type: ignore[import-not-found]

    with pydantic_monty.Monty() as pool:

        def run(source: str) -> Any:
            with pool.checkout() as session:
                return session.feed_run(source, external_lookup={"greet": greet})

        if run("greet('x')") != "hello x":
            raise RuntimeError("monty did not give the greeting")
        return {
            "program": median_wall_ms(lambda: run("greet('x')"), RUNS),
            "call": least_us_each(lambda count: run(f"for i in range({count}):\n    greet('x')"), MONTY_CALLS),
        }


def main() -> None:
    """Measure every peer; one that fails is left out and told on standard error."""
    found = {}
    for name, measure in (("quickjs-rs", quickjs), ("pydantic-monty", monty)):
        try:
            found[name] = measure()
        except Exception as error:
            sys.stderr.write(f"{name}: {type(error).__name__}: {error}\n")
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main()
