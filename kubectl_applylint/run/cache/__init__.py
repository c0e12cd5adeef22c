"""The results of units that are cached for later runs."""
