"""Providers serve whole namespaces: an operation that was added is missed by name."""

from __future__ import annotations

from gg_host.providers import workspace_providers
from gg_host.providers.completeness import UNSERVED, missing_methods


def test_every_served_namespace_is_served_whole() -> None:
    assert missing_methods() == []


def test_a_missing_method_is_named() -> None:
    class Files:
        def read_file(self) -> None: ...

    faults = missing_methods({"files": Files()}, {})
    assert "files.read_file" not in "".join(faults)
    wanted = "files.write_file: `Files` has no method `write_file`; write it in"
    assert any(fault.startswith(wanted) for fault in faults)
    assert all("files." in fault for fault in faults)


def test_an_entry_that_is_out_of_date_is_named() -> None:
    providers = workspace_providers(".")
    unserved = {**UNSERVED, "files.read_file": "no reason", "files.nothing": "no reason"}
    assert missing_methods(providers, unserved) == [
        "files.read_file: `FilesProvider` serves it, so its entry in UNSERVED is out of date; delete it",
        "files.nothing: UNSERVED lists it and it is no operation",
    ]
