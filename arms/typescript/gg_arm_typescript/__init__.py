"""The TypeScript arm."""
