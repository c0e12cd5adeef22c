"""Tests of the configuration of a run: flags, variables, files, and which of them are trusted."""
