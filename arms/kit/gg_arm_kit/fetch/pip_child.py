"""Runs as a child process: one file, by its exact name, from wherever this machine's pip is configured to look.

    python pip_child.py fetch FORMAT NAME FILE SIZE TARGET
    python pip_child.py list FORMAT NAME

``pip download`` would build a source package to read its metadata, which runs the package's code; pip's own finder
and session find and load the same file without that, under pip's own configuration (index, proxy, certificates).
They are a private interface of pip: TESTED names the releases it was tried with, and anything else about it that
changed ends in one clear line.
"""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import Any

TESTED = ((23, 2), (26, 99))
CHUNK = 1 << 16
ONLY = {"wheel": "--only-binary", "sdist": "--no-binary"}


def complain(text: str) -> None:
    """End this process with one line that the parent shows."""
    sys.stderr.write(text + "\n")
    sys.exit(1)


def main(arguments: list[str]) -> None:
    """See the top of this module."""
    try:
        import pip
        from pip._internal.commands import create_command
    except ImportError as error:
        complain(f"this Python has no usable pip: {error}")
    version = tuple(int(part) for part in pip.__version__.split(".")[:2] if part.isdigit())
    unknown = "" if TESTED[0] <= version <= TESTED[1] else " (a release this was never tried with)"
    action, form, name, *rest = arguments
    try:
        command: Any = create_command("download")
        options, _ = command.parse_args([ONLY[form], ":all:", "--ignore-requires-python", "--no-deps", name])
        with command.main_context():
            session = command.get_default_session(options)
            finder = command._build_package_finder(options=options, session=session, ignore_requires_python=True)
            candidates = {candidate.link.filename: candidate for candidate in finder.find_all_candidates(name)}
            if action == "list":
                sys.stdout.writelines(f"{candidates[file].version} {file}\n" for file in candidates)
                return
            file, size, target = rest
            if file not in candidates:
                complain(f"the index that pip is configured for has no {file}")
            load(session, candidates[file].link.url_without_fragment, int(size), Path(target))
    except (AttributeError, TypeError, ImportError, KeyError) as error:
        complain(f"pip {pip.__version__}{unknown} does not offer what is needed here: {type(error).__name__}: {error}")
    except Exception as error:  # whatever the network did, the parent wants one line
        complain(f"{type(error).__name__}: {error}".replace("\n", " "))


def load(session: Any, url: str, size: int, target: Path) -> None:
    """Write what ``url`` gives to ``target``, and stop once it is more than ``size`` bytes."""
    answer = session.get(url, headers={"Accept-Encoding": "identity"}, stream=True)
    answer.raise_for_status()
    written = 0
    with target.open("xb") as file:
        for chunk in answer.iter_content(CHUNK):
            written += len(chunk)
            file.write(chunk)
            if written > size:  # the parent reports both sizes
                break


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    main(sys.argv[1:])
