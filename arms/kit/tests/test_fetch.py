"""The fetchers, through the real clients: pip over a folder of files, small pinned packages over the network."""

from __future__ import annotations

import io
import os
import sys
import tarfile
import time
from pathlib import Path
from typing import Any

import pytest
from gg_arm_kit import pin, source
from gg_arm_kit.cache import Cache, open_cache
from gg_arm_kit.errors import KitError
from gg_arm_kit.fetch import npm
from gg_arm_kit.fetch.child import run_client
from gg_arm_kit.fetch.pip_index import PipFetcher, list_files
from gg_arm_kit.kit import Kit
from gg_arm_kit.lock import Ecosystem, Package, Tool, ToolLock, parse_lock, read_lock
from gg_arm_kit.progress import QuietProgress
from gg_arm_kit.store import Store

LOCK = read_lock(source.root() / "toolchains.lock")
NPM_TOOL = next(name for name, tool in LOCK.tool.items() if tool.ecosystem is Ecosystem.NPM)
PIPS = ["23.2.1", "26.3"]
"""The oldest and the newest that pip_child was tried with."""


@pytest.fixture
def only_folder(origin: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Pip looks into the folder of made packages and nowhere else."""
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(origin.folder))
    return origin


def sdist(folder: Path) -> Path:
    """A source package whose setup code leaves a trace when it is run."""
    path = folder / "traced-1.0.tar.gz"
    trace = folder / "was-run"
    setup = f"open({str(trace)!r}, 'w').close()\nfrom setuptools import setup\nsetup(name='traced', version='1.0')\n"
    with tarfile.open(path, "w:gz") as archive:
        for name, text in (("setup.py", setup), ("PKG-INFO", "Metadata-Version: 2.1\nName: traced\nVersion: 1.0\n")):
            info = tarfile.TarInfo(f"traced-1.0/{name}")
            info.size = len(text)
            archive.addfile(info, io.BytesIO(text.encode()))
    return path


def test_pip_s_own_finder_fetches_a_wheel(cache: Cache, only_folder: Any) -> None:
    package = only_folder.wheel()
    arrived: list[int] = []
    with cache.scratch() as scratch:
        path = PipFetcher("wheel").fetch(package, scratch, arrived.append)
        assert path.read_bytes() == (only_folder.folder / package.file).read_bytes()
    store = Store(cache, {Ecosystem.WHEEL: PipFetcher("wheel")}, QuietProgress())
    assert (store.tree(Ecosystem.WHEEL, package) / "sample" / "data.txt").is_file()


def test_a_source_package_is_fetched_and_nothing_of_it_run(cache: Cache, only_folder: Any) -> None:
    package = only_folder.pin("traced", sdist(only_folder.folder))
    store = Store(cache, {Ecosystem.SDIST: PipFetcher("sdist")}, QuietProgress())
    assert (store.tree(Ecosystem.SDIST, package) / "traced-1.0" / "setup.py").is_file()
    assert not (only_folder.folder / "was-run").exists()


def test_a_file_the_index_does_not_have_is_named(cache: Cache, only_folder: Any) -> None:
    package = only_folder.wheel().model_copy(update={"file": "sample-2.0-py3-none-any.whl"})
    with cache.scratch() as scratch, pytest.raises(KitError, match=r"has no sample-2\.0-py3-none-any\.whl") as caught:
        PipFetcher("wheel").fetch(package, scratch, lambda count: None)
    assert "configuration" in caught.value.hint


def test_more_bytes_than_pinned_are_not_loaded(cache: Cache, only_folder: Any) -> None:
    package = only_folder.wheel(files={"big": os.urandom(3_000_000)}).model_copy(update={"size": 100})
    with cache.scratch() as scratch:
        path = PipFetcher("wheel").fetch(package, scratch, lambda count: None)
        assert 100 < path.stat().st_size < 1_000_000
    with pytest.raises(KitError, match="the lock says 100"):
        Store(cache, {Ecosystem.WHEEL: PipFetcher("wheel")}, QuietProgress()).tree(Ecosystem.WHEEL, package)


def test_the_files_of_a_package_are_listed(cache: Cache, only_folder: Any) -> None:
    package = only_folder.wheel()
    with cache.scratch() as scratch:
        assert list_files("wheel", "sample", scratch) == {package.file: "1.0"}


@pytest.mark.parametrize(
    ("pip", "says"),
    [
        ("", "has no usable pip"),
        ("def create_command(name): raise AttributeError('moved away')", "pip 99.1 (a release this was never tried"),
    ],
)
def test_a_pip_that_does_not_fit_is_one_clear_error(
    cache: Cache, only_folder: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pip: str, says: str
) -> None:
    folder = tmp_path / "other" / "pip"
    (folder / "_internal").mkdir(parents=True)
    (folder / "__init__.py").write_text("__version__ = '99.1'\n")
    (folder / "_internal" / "__init__.py").write_text("")
    if pip:
        (folder / "_internal" / "commands.py").write_text(pip)
    monkeypatch.setenv("PYTHONPATH", str(folder.parent))
    with cache.scratch() as scratch, pytest.raises(KitError) as caught:
        PipFetcher("wheel").fetch(only_folder.wheel(), scratch, lambda count: None)
    assert says in caught.value.message
    assert "Traceback" not in str(caught.value)


def from_network(action: Any) -> Any:
    """What ``action`` gives; without a network the test is skipped, but never where CI runs."""
    try:
        return action()
    except KitError as error:
        if "CI" in os.environ or "could not be fetched" not in error.message:
            raise
        pytest.skip(f"needs a network: {error.message}")


@pytest.mark.parametrize("version", PIPS)
def test_old_and_new_pips_fit(
    cache: Cache, origin: Any, monkeypatch: pytest.MonkeyPatch, version: str, tmp_path: Path
) -> None:
    if version.startswith("23") and sys.version_info >= (3, 13):
        pytest.skip("this pip is older than this Python")
    file = f"pip-{version}-py3-none-any.whl"
    pip = Package(name="pip", version=version, file=file, sha256="0" * 64, size=4_000_000, unpacked_sha256="0" * 64)
    work = tmp_path / "work"
    work.mkdir()
    wheel = from_network(lambda: PipFetcher("wheel").fetch(pip, work, lambda count: None))
    monkeypatch.setenv("PYTHONPATH", str(wheel))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(origin.folder))
    seen = tmp_path / "seen"
    seen.mkdir()
    assert run_client([sys.executable, "-P", "-m", "pip", "--version"], cwd=seen, what="version").startswith(
        f"pip {version} "
    )
    package = origin.wheel()
    store = Store(cache, {Ecosystem.WHEEL: PipFetcher("wheel")}, QuietProgress())
    assert (store.tree(Ecosystem.WHEEL, package) / "sample" / "data.txt").is_file()


@pytest.mark.parametrize("tool_id", ["tomli-w", "pyyaml", NPM_TOOL])
def test_a_pinned_package_comes_as_pinned(cache: Cache, tool_id: str) -> None:
    """The npm client's own tree is taken from the machine's cache, as it is large; the package is fetched anew."""
    tool = LOCK.find(tool_id)
    shared = Kit(lock=LOCK, cache=open_cache(), progress=QuietProgress())
    store = Store(cache, shared.store.fetchers, QuietProgress())
    tree = from_network(lambda: store.tree(tool.ecosystem, tool.package[0]))
    assert (tree / tool.entry).exists()


def test_npm_keeps_the_user_s_configuration_and_a_private_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("npm_config_registry", "kept")
    monkeypatch.setenv("NPM_CONFIG_GLOBALCONFIG", "kept too")
    settings = npm.settings(tmp_path)
    assert settings["npm_config_registry"] == "kept"
    assert settings["NPM_CONFIG_GLOBALCONFIG"] == "kept too"
    assert "npm_config_globalconfig" not in settings
    assert settings["npm_config_cache"].startswith(str(tmp_path))


def test_a_client_that_fails_is_told_by_its_last_words(tmp_path: Path) -> None:
    with pytest.raises(KitError, match=r"file\.whl could not be fetched: one; two"):
        run_client(["sh", "-c", "echo one >&2; echo two >&2; exit 3"], cwd=tmp_path, what="file.whl")


def test_a_client_is_ended_when_we_are_interrupted(tmp_path: Path) -> None:
    def interrupt() -> None:
        if (tmp_path / "pid").exists():
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_client(["sh", "-c", "echo $$ > new; mv new pid; exec sleep 60"], cwd=tmp_path, what="file", watch=interrupt)
    pid = int((tmp_path / "pid").read_text())
    time.sleep(0.05)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_pin_is_checked_and_moved(cache: Cache, only_folder: Any, tmp_path: Path) -> None:
    old = only_folder.wheel()
    text = f"""schema = 1

# a remark that stays
[tool.sample]
version = "1.0"
licence = "MIT"
ecosystem = "wheel"
purpose = "a sample"
entry = "sample-1.0.dist-info/WHEEL"
bump = "look at its changes"
[[tool.sample.package]]
name = "sample"
version = "1.0"
file = "{old.file}"
sha256 = "{old.sha256}"
size = {old.size}
unpacked_sha256 = "{old.unpacked_sha256}"
"""
    path = tmp_path / "toolchains.lock"
    path.write_text(text)
    kit = Kit(lock=parse_lock(text, "lock"), cache=cache, progress=QuietProgress())
    assert pin.check(kit, []) == []
    newer = only_folder.wheel(version="2.0", files={"sample/data.txt": b"more data"})
    with pytest.raises(KitError, match=r"sample 3\.0: 0 files fit") as caught:
        pin.move(kit, path, "sample", "3.0", "", "", "")
    assert "1.0, 2.0" in caught.value.hint
    assert path.read_text() == text
    assert pin.move(kit, path, "sample", "2.0", "", "", "2") == newer
    moved = path.read_text()
    assert "# a remark that stays" in moved
    lock = parse_lock(moved, "lock")
    assert lock.find("sample").version == "2"
    assert lock.find("sample").package == (newer,)
    assert Kit(lock=lock, cache=cache, progress=QuietProgress()).tool("sample").name == "WHEEL"


def test_a_file_that_changed_at_its_origin_is_told(cache: Cache, only_folder: Any) -> None:
    old = only_folder.wheel()
    tool = Tool(version="1", licence="MIT", ecosystem=Ecosystem.WHEEL, purpose="a sample", bump="look", package=(old,))
    kit = Kit(lock=ToolLock(schema_=1, tool={"sample": tool}), cache=cache, progress=QuietProgress())
    kit.tool("sample")
    only_folder.wheel(files={"sample/data.txt": b"other data"})
    complaints = pin.check(kit, ["sample"])
    assert [complaint.split(" is ")[0] for complaint in complaints] == [
        f"sample: {old.file}: sha256",
        f"sample: {old.file}: unpacked_sha256",
    ]
