"""Finds the units of a run: what is applied by itself, in which files, and how each is loaded."""
