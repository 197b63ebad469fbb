"""The store: right bytes or a clear error, whatever happened to the cache, to the network or to another process."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest
from gg_arm_kit import trees
from gg_arm_kit.cache import Cache, open_cache, remove_tree
from gg_arm_kit.errors import KitError
from gg_arm_kit.lock import Ecosystem, Package
from gg_arm_kit.progress import QuietProgress
from gg_arm_kit.store import Store

WHEEL = Ecosystem.WHEEL
WRONG = "f" * 64


def new_store(cache: Cache, origin: Any) -> Store:
    """A store as a new process would have it: nothing is remembered."""
    return Store(cache, {WHEEL: origin.fetcher}, QuietProgress())


def offline(cache: Cache) -> Store:
    return Store(cache, {}, QuietProgress())


def test_a_package_is_fetched_once_and_unpacked_read_only(cache: Cache, origin: Any) -> None:
    package = origin.wheel()
    tree = new_store(cache, origin).tree(WHEEL, package)
    assert (tree / "sample" / "data.txt").read_text() == "some data\n"
    assert os.access(tree / "sample" / "tool", os.X_OK)
    assert (tree / "sample" / "data.txt").stat().st_mode & 0o222 == 0
    assert new_store(cache, origin).tree(WHEEL, package) == tree
    assert origin.fetcher.fetched == [package.file]


def test_once_filled_it_works_without_a_network(cache: Cache, origin: Any) -> None:
    package = origin.wheel()
    tree = new_store(cache, origin).tree(WHEEL, package)
    remove_tree(origin.folder)
    assert offline(cache).tree(WHEEL, package) == tree


def test_a_wrong_hash_is_refused_with_file_and_both_hashes(cache: Cache, origin: Any) -> None:
    package = origin.wheel()
    pinned = package.model_copy(update={"sha256": WRONG})
    with pytest.raises(KitError) as caught:
        new_store(cache, origin).tree(WHEEL, pinned)
    for part in (package.file, package.sha256, WRONG):
        assert part in caught.value.message
    assert not list((cache.root / "downloads").rglob("*.whl"))
    assert not list((cache.root / "trees").iterdir())


def test_a_wrong_size_is_refused_with_both(cache: Cache, origin: Any) -> None:
    package = origin.wheel()
    with pytest.raises(KitError, match=rf"has {package.size} bytes or more, and the lock says 7"):
        new_store(cache, origin).tree(WHEEL, package.model_copy(update={"size": 7}))


def test_a_wrong_integrity_is_refused(cache: Cache, origin: Any) -> None:
    package = origin.wheel().model_copy(update={"integrity": f"sha512-{'A' * 86}=="})
    with pytest.raises(KitError, match="has the integrity sha512-"):
        new_store(cache, origin).tree(WHEEL, package)


def test_another_unpacked_hash_is_refused_with_both(cache: Cache, origin: Any) -> None:
    package = origin.wheel()
    with pytest.raises(KitError) as caught:
        new_store(cache, origin).tree(WHEEL, package.model_copy(update={"unpacked_sha256": WRONG}))
    for part in (package.file, package.unpacked_sha256, WRONG):
        assert part in caught.value.message
    assert not list((cache.root / "trees").iterdir())


def test_an_ecosystem_without_a_fetcher_is_named(cache: Cache, origin: Any) -> None:
    with pytest.raises(KitError, match="ecosystem wheel cannot be fetched yet"):
        offline(cache).tree(WHEEL, origin.wheel())


@pytest.mark.parametrize("damage", ["changed", "planted file", "lost file", "lost seal", "emptied", "a file"])
def test_a_damaged_tree_is_made_again_without_a_network(cache: Cache, origin: Any, damage: str) -> None:
    package = origin.wheel()
    tree = new_store(cache, origin).tree(WHEEL, package)
    for folder in (tree, tree / "sample"):
        folder.chmod(0o700)
    data = tree / "sample" / "data.txt"
    data.chmod(0o600)
    match damage:
        case "changed":
            data.write_text("SOME DATA\n")
        case "planted file":
            (tree / "sample" / "planted.txt").write_text("")
        case "lost file":
            data.unlink()
        case "lost seal":
            (tree.parent / trees.SEAL).unlink()
        case "emptied":
            remove_tree(tree)
        case "a file":
            remove_tree(tree.parent)
            tree.parent.write_text("in its place")
    fresh = offline(cache).tree(WHEEL, package)
    assert (fresh / "sample" / "data.txt").read_text() == "some data\n"
    assert trees.tree_sha256(fresh) == package.unpacked_sha256
    assert trees.check(fresh.parent) == package.unpacked_sha256


def test_a_planted_tree_with_a_seal_of_its_own_is_made_again(cache: Cache, origin: Any) -> None:
    package = origin.wheel()
    envelope = cache.folder("trees") / package.unpacked_sha256
    (envelope / trees.CONTENT / "sample").mkdir(parents=True)
    (envelope / trees.CONTENT / "sample" / "tool").write_text("#!/bin/sh\necho planted\n")
    trees.seal(envelope)
    tree = new_store(cache, origin).tree(WHEEL, package)
    assert (tree / "sample" / "tool").read_text() == "#!/bin/sh\necho tool\n"


@pytest.mark.parametrize("kind", ["bytes", "link", "half"])
def test_a_planted_download_is_not_used(cache: Cache, origin: Any, kind: str, tmp_path: Path) -> None:
    package = origin.wheel()
    folder = cache.folder("downloads") / package.sha256
    folder.mkdir()
    if kind == "bytes":
        (folder / package.file).write_bytes(b"x" * package.size)
    elif kind == "half":
        (folder / package.file).write_bytes((origin.folder / package.file).read_bytes()[: package.size // 2])
    else:
        (folder / package.file).symlink_to(origin.folder / package.file)
    new_store(cache, origin).tree(WHEEL, package)
    assert origin.fetcher.fetched == [package.file]
    assert not (folder / package.file).is_symlink()
    assert trees.file_sha256(folder / package.file) == package.sha256


SLOW = """
import sys, time
from pathlib import Path
from gg_arm_kit.cache import open_cache
from gg_arm_kit.lock import Ecosystem, Package
from gg_arm_kit.progress import QuietProgress
from gg_arm_kit.store import Store
root, pin, file, log, pause = sys.argv[1:]

class Slow:
    def fetch(self, package, folder, arrived):
        with open(log, "a") as stream:
            stream.write("fetched\\n")
        data = Path(file).read_bytes()
        with (folder / package.file).open("wb") as stream:
            stream.write(data[: len(data) // 2])
            stream.flush()
            print("half", flush=True)
            time.sleep(float(pause))
            stream.write(data[len(data) // 2 :])
        return folder / package.file

package = Package.model_validate_json(pin)
tree = Store(open_cache(Path(root)), {Ecosystem.WHEEL: Slow()}, QuietProgress()).tree(Ecosystem.WHEEL, package)
print((tree / "sample" / "data.txt").read_text(), end="")
"""


def arguments(cache: Cache, origin: Any, package: Package, log: Path, pause: float) -> tuple[object, ...]:
    return (cache.root, package.model_dump_json(), origin.folder / package.file, log, pause)


def test_two_processes_at_once_fetch_it_once_and_both_get_it(
    cache: Cache, origin: Any, tmp_path: Path, start: Any
) -> None:
    package = origin.wheel()
    log = tmp_path / "log"
    children = [start(SLOW, *arguments(cache, origin, package, log, 0.5)) for _ in range(3)]
    outputs = [child.communicate(timeout=60) for child in children]
    assert [child.returncode for child in children] == [0, 0, 0], outputs
    assert all(out.endswith("some data\n") for out, _ in outputs)
    assert log.read_text() == "fetched\n"
    assert list((cache.root / "temp").iterdir()) == []


def test_a_process_killed_in_the_middle_of_a_fetch_leaves_nothing_that_is_used(
    cache: Cache, origin: Any, tmp_path: Path, start: Any
) -> None:
    package = origin.wheel()
    child = start(SLOW, *arguments(cache, origin, package, tmp_path / "log", 60))
    assert child.stdout.readline() == "half\n"
    assert not list((cache.root / "downloads").rglob("*.whl"))
    os.kill(child.pid, signal.SIGKILL)
    child.communicate()
    assert list((cache.root / "temp").rglob("*.whl")), "the half is there, in scratch"
    again = open_cache(cache.root)
    assert list((cache.root / "temp").iterdir()) == [], "and gone with the next opening"
    tree = new_store(again, origin).tree(WHEEL, package)
    assert trees.tree_sha256(tree) == package.unpacked_sha256
