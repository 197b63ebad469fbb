"""``python -m gg_codegen`` is the ``gg-codegen`` command."""

from gg_codegen.cli import main

main()
