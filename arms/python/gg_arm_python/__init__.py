"""The Python arm."""
