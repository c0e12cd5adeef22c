"""Shared values: JSON values and paths, objects and their known state, outcomes."""
