"""Documentation of one arm's SDK: loading, narrowing to what is permitted, searching, and rendering pages."""
