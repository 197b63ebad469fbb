"""Settings of the whole test run."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("usual", deadline=None)  # a shared machine makes a time limit on one example a coin toss
settings.register_profile("long", deadline=None, max_examples=5000)
settings.load_profile("long" if os.environ.get("GG_LONG") else "usual")
