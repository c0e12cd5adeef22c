"""Regular expressions as Go reads and matches them, in linear time."""
