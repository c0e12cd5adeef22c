"""Programs besides kubectl that apply manifests: one package per program."""
