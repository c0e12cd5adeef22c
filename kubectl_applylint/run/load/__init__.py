"""Loads one apply: its manifests, the live objects, and what is predicted of both."""
