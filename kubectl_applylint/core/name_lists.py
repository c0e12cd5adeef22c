"""Lists of names in sentences."""

from collections.abc import Sequence


def first_names(names: Sequence[str], most: int) -> str:
    """Return the first ``most`` names and the number of the others: ``a, b and 3 more``; empty for none."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
