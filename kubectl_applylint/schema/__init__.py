"""How each field of a kind is typed and how its lists and maps merge, for built-in kinds and custom resources."""
