"""One check a module, found by its name."""
