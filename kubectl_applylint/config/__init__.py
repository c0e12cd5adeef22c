"""The configuration of a run: flags, variables and files, and which of them are trusted."""
