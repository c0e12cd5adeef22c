"""Reads rule folders, their cases, and the catalogue of hazards."""
