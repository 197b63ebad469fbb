"""Run the failure table."""

from gg_conformance.cli import main

main()
