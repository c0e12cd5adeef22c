"""The type of each field of a kind and how its lists and maps merge, for built-in kinds and custom resources."""
