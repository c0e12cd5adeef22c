"""Arguments in one spelling of the several that kubectl takes."""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final

_VERBOSE: Final = re.compile(r"--?v=?(?P<number>\d{1,2})|-(?P<letters>v+)|--v")


def spelled_out(argv: Sequence[str], switches: Collection[str]) -> Iterator[str]:
    """Yield the arguments with ``-v``, ``-vv``, ``-v 4``, ``-v=4`` and ``--v=4`` spelled as one kind of argument.

    Switches by themselves get their value, so that they do not take the next word for it.
    """
    rest = list(argv)
    while rest:
        word = rest.pop(0)
        match = _VERBOSE.fullmatch(word)
        if match is None:
            yield f"{word}=true" if word in switches else word
        elif match["number"]:
            yield f"-v{match['number']}"
        elif rest and rest[0].isdecimal():
            yield f"-v{rest.pop(0)}"
        else:
            yield f"-v{len(match['letters'] or 'v')}"
