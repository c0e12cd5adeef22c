"""Renderers, one per format: pure functions from a report to text."""
