"""The plans of several targets, by what they have in common."""
