"""Regular expressions that are compiled when they are first used.

There are hundreds, of which a run uses some tens; to compile all of them takes a fifth of the time of a small run.
"""

import re
from typing import AnyStr, Final, Generic, cast

_NAMES: Final = (
    *("search", "match", "fullmatch", "sub", "subn", "split", "finditer", "findall"),
    *("pattern", "flags", "groups", "groupindex"),
)


def regex(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return what does what ``re.compile`` returns, for a constant; ``re.error`` is raised when it is first used."""
    return cast("re.Pattern[AnyStr]", _Regex(pattern, flags))


class _Regex(Generic[AnyStr]):
    """Takes all from the compiled pattern the first time that something is asked of it."""

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
