"""What each applier sends for a manifest and a state."""
