"""What somebody may have meant who misspelled a name, and words as messages show them."""

from collections.abc import Iterable
from typing import Final

from kubectl_applylint.core.regex import regex

_LONG: Final = regex(r"\S{100,}")
_SHOWN: Final = 60


def meant(word: str, known: Iterable[str], *, otherwise: str) -> str:
    """Return the question whether the most alike of the ``known`` names was meant; ``otherwise``, if none is alike."""
    from difflib import get_close_matches  # noqa: PLC0415  3 ms, for a message that few runs print

    close = get_close_matches(word.lower().replace("_", "-"), sorted(known), n=1)
    return f"did you mean {close[0]}?" if close else otherwise


def nearest(word: str, known: Iterable[str], *, likeness: float = 0.75) -> str:
    """Return the most alike of the ``known`` names, in whatever letters; empty, if none is alike.

    ``likeness`` is the least share of letters in common, 1 for the same name in other capitals.
    """
    from difflib import get_close_matches  # noqa: PLC0415  3 ms, for a message that few runs print

    spelled = {name.lower(): name for name in sorted(known)}
    close = get_close_matches(word.lower(), spelled, n=1, cutoff=likeness)
    return spelled[close[0]] if close else ""


def shortened(message: str) -> str:
    """Return a message in which no word is longer than a line: a number of thousands of digits tells nobody more."""
    return _LONG.sub(lambda word: f"{word[0][:_SHOWN]}…", message)
