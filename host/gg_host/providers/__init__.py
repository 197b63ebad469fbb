"""The operations that are real in this host, one provider class for each namespace."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gg_host.providers.docs import DocViewTypes
    from gg_host.providers.files import ReadMode
    from gg_host.providers.records import TurnViews

__all__ = ["workspace_providers"]


def workspace_providers(
    folder: Path | str,
    *,
    read_mode: ReadMode | None = None,
    doc_view_types: DocViewTypes | None = None,
    views: TurnViews | None = None,
) -> dict[str, object]:
    """Every provider of this package over one folder, for one program.

    Parameters:
        folder: the workspace: where paths are relative to and commands start.
        read_mode: how far a read goes when the program gives no limit; to the end of the file when left out.
        doc_view_types: which types open beside the documentation of a function; none when left out.
        views: the views of the turn, where programs that follow each other share them; new ones when left out.

    Commands run as the user of this process and are not confined to the folder: a grant of ``shell.shell`` gives
    a program what that user may do.

    Raises:
        KitError: the folder does not exist or cannot be opened.
    """
    # Imported here: a run needs this package for ``Call`` alone.
    from gg_host.providers.docs import DocsProvider
    from gg_host.providers.files import FilesProvider
    from gg_host.providers.paths import Workspace
    from gg_host.providers.records import TurnViews
    from gg_host.providers.session import SessionProvider
    from gg_host.providers.shell import ShellProvider
    from gg_host.providers.views import FileViewsProvider

    workspace = Workspace(folder)
    turn = views if views is not None else TurnViews()
    files = FilesProvider(workspace, read_mode)
    docs = DocsProvider(turn, doc_view_types)
    return {
        "files": files,
        "shell": ShellProvider(workspace),
        "session": SessionProvider(),
        "docs": docs,
        "views": FileViewsProvider(turn, docs, files),
    }
