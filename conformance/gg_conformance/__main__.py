"""Run the failure table."""

import sys

from gg_arm_kit.command import run

sys.exit(run("table", "gg_conformance.cli:main"))
