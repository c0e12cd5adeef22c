"""Loads one apply: its manifests, the live objects, and the functions that predict the apply."""
