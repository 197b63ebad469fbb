"""Measured work, side by side with peers."""
