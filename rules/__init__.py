"""The rule folders: data only."""
