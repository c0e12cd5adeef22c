"""Edits of files that findings propose, and the proof that each removes its finding."""
