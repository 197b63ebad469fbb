"""Drives every failure-shape cell through the real toolchains and the real host."""
