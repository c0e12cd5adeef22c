"""Revisions of a repository, read with the git program."""
