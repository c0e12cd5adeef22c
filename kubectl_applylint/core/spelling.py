"""Suggestions for misspelled names, and shortened words for messages."""

from collections.abc import Iterable
from typing import Final

from kubectl_applylint.core.regex import regex

_LONG: Final = regex(r"\S{100,}")
_SHOWN: Final = 60


def meant(word: str, known: Iterable[str], *, otherwise: str) -> str:
    """Return the question whether the most similar ``known`` name was meant, or ``otherwise`` if none is similar."""
    from difflib import get_close_matches  # noqa: PLC0415  3 ms, for a message that few runs print

    close = get_close_matches(word.lower().replace("_", "-"), sorted(known), n=1)
    return f"did you mean {close[0]}?" if close else otherwise


def nearest(word: str, known: Iterable[str], *, likeness: float = 0.75) -> str:
    """Return the most similar of the ``known`` names, ignoring case; empty if none is similar.

    ``likeness`` is the least share of common letters; 1 means the same name in other case.
    """
    from difflib import get_close_matches  # noqa: PLC0415  3 ms, for a message that few runs print

    spelled = {name.lower(): name for name in sorted(known)}
    close = get_close_matches(word.lower(), spelled, n=1, cutoff=likeness)
    return spelled[close[0]] if close else ""


def shorten_words(message: str) -> str:
    """Return a message with words longer than a line cut: thousands of digits help no reader."""
    return _LONG.sub(lambda word: f"{word[0][:_SHOWN]}…", message)
