"""``python -m gg_host.cli`` is ``gg``."""

from gg_host.cli import main

main()
