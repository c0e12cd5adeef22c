"""Discovers the units of a run: their files, and the functions that load them."""
