"""The command line: commands, their flags, and the values of these flags."""
