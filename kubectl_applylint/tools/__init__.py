"""The programs besides kubectl that apply manifests: one package per program."""
