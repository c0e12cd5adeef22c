"""The fixes of findings: edits of manifests, commands that are typed, and the proof that they help."""
