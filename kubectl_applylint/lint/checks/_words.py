"""Lists of words in messages, for the checks that may have many."""

from collections.abc import Sequence
from typing import Final

_MAX_NAMED: Final = 8


def short_list(words: Sequence[str]) -> str:
    """Return the first words with the number of the others: ``a, b, c (+2)``; empty for none."""
    more = len(words) - _MAX_NAMED
    return f"{', '.join(words[:_MAX_NAMED])} (+{more})" if more > 0 else ", ".join(words)
