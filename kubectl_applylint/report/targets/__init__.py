"""The plans of several targets, grouped by common effects."""
