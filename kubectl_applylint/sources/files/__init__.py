"""Manifests in files and folders, and the files that are written."""
