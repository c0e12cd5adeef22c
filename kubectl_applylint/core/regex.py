"""Regular expressions that are compiled on first use.

There are hundreds, and a run uses a few dozen; compiling all of them takes a fifth of the time of a small run.
"""

import re
from typing import AnyStr, Final, Generic, cast

_NAMES: Final = (
    *("search", "match", "fullmatch", "sub", "subn", "split", "finditer", "findall"),
    *("pattern", "flags", "groups", "groupindex"),
)


def regex(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return a lazy ``re.compile`` of a constant pattern; ``re.error`` is raised on first use."""
    return cast("re.Pattern[AnyStr]", _Regex(pattern, flags))


class _Regex(Generic[AnyStr]):
    """A pattern that compiles itself on the first attribute access."""

    __slots__ = (*_NAMES, "_given")

    def __init__(self, pattern: AnyStr, flags: int) -> None:
        self._given: Final[tuple[AnyStr, int]] = (pattern, flags)

    def __getattr__(self, name: str) -> object:
        if name not in _NAMES:
            raise AttributeError(name)
        pattern, flags = self._given
        compiled = re.compile(pattern, flags)
        for each in _NAMES:
            setattr(self, each, getattr(compiled, each))
        return getattr(compiled, name)
