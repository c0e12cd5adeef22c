"""Parses the command line: commands, their flags, and the values that they stand for."""
