"""Runs programs inside a grown tree: jobs as JSON on standard input, reports as JSON on standard output."""

from __future__ import annotations

import importlib.util
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from gg_host import Host, Limits, full_grant
from gg_host.providers import workspace_providers

from gg_conformance import suites

LIMITS = Limits(timeout_secs=60.0, max_memory_bytes=1 << 30)


def _values() -> Any:
    """The provider's module, which only fits a tree that has the interface."""
    path = suites.folder() / "values" / "provider.py"
    spec = importlib.util.spec_from_file_location("gg_values_provider", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main() -> None:
    """The command."""
    jobs = json.load(sys.stdin)
    module = _values()
    found = []
    with Host() as host, tempfile.TemporaryDirectory(prefix="gg-grown-") as folder:
        (Path(folder) / "three.txt").write_text("one\ntwo\nthree", encoding="utf-8")
        for job in jobs:
            values = module.Values()
            served = {**workspace_providers(folder), "values": values}
            report = host.run(job["arm"], job["program"], grant=full_grant(), limits=LIMITS, providers=served)
            found.append({"report": report.to_json(), "arrived": values.arrived, "names": module.names()})
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main()
