"""Fixes of findings: edits of manifests, commands to type, and the proof of their effect."""
