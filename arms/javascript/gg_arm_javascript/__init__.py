"""The JavaScript arm."""
