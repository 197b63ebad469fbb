"""The lock file's model: what it accepts, and that each fault is named."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from gg_arm_kit import source
from gg_arm_kit.errors import KitError
from gg_arm_kit.lock import Ecosystem, parse_lock, read_lock

HASH = "0123456789abcdef" * 4
GOOD = f"""
schema = 1
[tool.sample]
version = "1.0"
licence = "MIT"
ecosystem = "wheel"
purpose = "a sample"
entry = "sample/tool"
bump = "look at its changes"
[[tool.sample.package]]
name = "sample"
version = "1.0.0"
file = "sample-1.0.0-py3-none-any.whl"
sha256 = "{HASH}"
size = 10
unpacked_sha256 = "{HASH}"
"""


def test_a_sound_lock_is_read() -> None:
    lock = parse_lock(GOOD, "lock")
    tool = lock.find("sample")
    assert tool.ecosystem is Ecosystem.WHEEL
    assert tool.package[0].sha256 == HASH


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('licence = "MIT"\n', "", "tool.sample.licence"),
        ('licence = "MIT"', 'licence = "MIT"\nlicense = "MIT"', "tool.sample.license"),
        (f'\nsha256 = "{HASH}"', '\nsha256 = "abc"', "tool.sample.package.0.sha256"),
        ("size = 10", "size = 0", "tool.sample.package.0.size"),
        ('ecosystem = "wheel"', 'ecosystem = "gem"', "tool.sample.ecosystem"),
        ('ecosystem = "wheel"', 'ecosystem = "sdist"', "ends in .tar.gz"),
        ('ecosystem = "wheel"', 'ecosystem = "npm"', "ends in .tgz"),
        ('file = "sample', 'file = "../sample', "tool.sample.package.0.file"),
        ('entry = "sample/tool"', 'entry = "../tool"', "leads out"),
        ("schema = 1", "schema = 2", "schema"),
        ("[tool.sample]", "[tool.Sample]", "tool.Sample"),
        ("size = 10", f'size = 10\nintegrity = "sha512-{"A" * 86}=="', "integrity"),
        ("schema = 1", "schema = = 1", "not TOML"),
    ],
)
def test_each_fault_is_named(old: str, new: str, says: str) -> None:
    assert old in GOOD
    with pytest.raises(KitError, match=re.escape(says)):
        parse_lock(GOOD.replace(old, new, 1), "lock")


def test_an_unknown_tool_is_named_with_those_there_are() -> None:
    with pytest.raises(KitError) as caught:
        parse_lock(GOOD, "lock").find("other")
    assert "'other'" in caught.value.message
    assert "sample" in caught.value.hint


def test_a_file_that_is_not_there_or_not_utf8_is_an_error_of_its_name(tmp_path: Path) -> None:
    with pytest.raises(KitError, match="absent"):
        read_lock(tmp_path / "absent")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    with pytest.raises(KitError, match="not UTF-8"):
        read_lock(tmp_path / "bytes")


def test_the_repository_s_lock_is_sound_and_names_no_registry() -> None:
    path = source.root() / "toolchains.lock"
    lock = read_lock(path)
    text = path.read_text(encoding="utf-8")
    assert "://" not in text
    assert not re.search(r"\b[a-z0-9-]+\.(org|com|io|net|dev)\b", text)
    assert {"ziglang", "wasm-tools", "wasmtime", "node", "componentize-py"} <= set(lock.tool)
    unpacked = [package.unpacked_sha256 for tool in lock.tool.values() for package in tool.package]
    assert len(unpacked) == len(set(unpacked))


@pytest.mark.parametrize("tool_id", ["wasmtime", "wasm-tools", "componentize-py", "ripgrep"])
def test_what_is_also_installed_is_pinned_to_the_same_version(tool_id: str) -> None:
    package = read_lock(source.root() / "toolchains.lock").find(tool_id).package[0]
    required = (source.root() / "requirements" / "project.in").read_text(encoding="utf-8")
    found = re.search(rf"(?m)^{re.escape(package.name)}==(\S+)", required)
    assert found is None or found[1] == package.version
    assert found or tool_id != "wasmtime", "an artifact is bound to the engine that is installed"
