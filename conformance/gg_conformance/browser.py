"""``./nox -s browser``: open table.html in an installed Chromium and look at what a person would look at."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from html import unescape
from pathlib import Path

from gg_arm_kit import command, source
from gg_arm_kit.errors import KitError

NAMES = ("google-chrome-stable", "google-chrome", "chromium", "chromium-browser")
WAIT_SECS = 60
# Without these a browser of this kind looks for updates and accounts, which a closed machine cannot answer.
QUIET = (
    "--headless=new",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
)


def find_browser() -> str:
    """The path of an installed Chromium.

    Raises:
        KitError: there is none; the message says how to get one.
    """
    for name in NAMES:
        path = shutil.which(name)
        if path is not None:
            return path
    raise KitError(
        "no Chromium is installed, so the page was not looked at",
        "Install one (on Debian: apt install chromium) and run this again.",
    )


def dump(browser: str, page: Path, fragment: str = "", screenshot: Path | None = None) -> str:
    """The page's document as the browser holds it after loading.

    Parameters:
        browser: path of the Chromium to use.
        page: the HTML file.
        fragment: the cell to open, as its id.
        screenshot: where a picture goes; None for no picture.

    Raises:
        KitError: the browser did not come back with a document.
    """
    with tempfile.TemporaryDirectory(prefix="gg-browser-") as profile:
        command = [browser, *QUIET, f"--user-data-dir={profile}", "--window-size=1600,1200"]
        if _is_root():
            command.append("--no-sandbox")  # Chromium's own sandbox refuses to start for root
        command.append(f"--screenshot={screenshot}" if screenshot else "--dump-dom")
        command.append(page.resolve().as_uri() + (f"#{fragment}" if fragment else ""))
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=WAIT_SECS, check=False)
        except subprocess.TimeoutExpired as error:
            raise KitError(f"{browser} did not load {page} in {WAIT_SECS} s") from error
    if done.returncode != 0 or (screenshot is None and "</html>" not in done.stdout):
        raise KitError(f"{browser} could not load {page}: {done.stderr.strip()[-500:]}")
    return done.stdout


def _is_root() -> bool:
    return os.geteuid() == 0


def examine(document: str) -> list[str]:
    """Complaints about the loaded document: every cell is there, opens to a section, and loads nothing from outside."""
    faults = []
    links = re.findall(r'<a class="([a-z-]+)" href="#([a-z]+-[a-e])"', document)
    if not links:
        faults.append("the page has no cell")
    sections = dict(re.findall(r'<section id="([a-z]+-[a-e])">(.*?)</section>', document, re.DOTALL))
    for status, name in links:
        section = sections.get(name)
        if section is None:
            faults.append(f"{name}: its cell opens nothing")
        elif status in ("pass", "differs") and not (
            _filled(section, "program") and _filled(section, "reads") and "The record" in section
        ):
            faults.append(f"{name}: program, what the model reads or the record is missing")
    if re.search(r'(?:src|href)="(?!#)', document):
        faults.append("the page loads something from outside itself")
    return faults


def _filled(section: str, name: str) -> bool:
    found = re.search(rf'<pre class="{name}">(.*?)</pre>', section, re.DOTALL)
    return found is not None and bool(unescape(found.group(1)).strip())


def main(page: Path | None = None, write: Callable[[str], object] = sys.stdout.write) -> int:
    """Check ``page``, or the repository's ``table.html``; 0 when nothing is amiss, 1 otherwise.

    Raises:
        KitError: there is no page or no browser, or the browser cannot load it.
    """
    page = page or source.root() / "table.html"
    if not page.is_file():
        raise KitError(f"{page} is not there", "Run ./nox -s table first.")
    faults = examine(dump(find_browser(), page))
    for fault in faults:
        write(f"{page}: {fault}\n")
    write(f"{page}: {'every cell opens' if not faults else f'{len(faults)} faults'}\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(command.run("browser", main))
