"""Hides findings: by comments, annotations, the configuration and a baseline."""
