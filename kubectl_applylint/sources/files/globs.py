"""File name patterns: those of kubectl (Go's ``filepath.Glob``), and those of tools for paths in a repository.

kubectl's patterns have no ``**`` and match hidden files; in those of tools ``**`` matches any folders.
"""

import os
import re
from collections.abc import Iterator

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.regex import regex

_SPECIAL = frozenset("*?[" if os.sep == "\\" else "*?[\\")
_BRACKETS = regex(r"\[(?P<negated>\^?)(?P<ranges>(?:(?:\\.|[^\]\\-])(?:-(?:\\.|[^\]\\-]))?)+)\]", re.DOTALL)
_STAR = "\0"
"""Placeholder for any text while a pattern is parsed; no file name contains it."""
_RANGE_PART = regex(r"\\?(.)(?:(-)\\?(.))?", re.DOTALL)


class PatternError(ValueError):
    """Raised for a pattern that Go rejects: an unclosed bracket, or an escape of nothing."""


@dataclass(frozen=True, slots=True)
class PathPattern:
    """A pattern of paths with ``/`` between folders, part by part; ``None`` is ``**``, any number of parts."""

    parts: tuple[re.Pattern[str] | None, ...]

    def matches(self, path: str) -> bool:
        """Return whether a whole path matches, in time proportional to the length of both."""
        names = path.split("/")
        if len(names) != len(self.parts) and None not in self.parts:
            return False
        at = self._with_skipped({0})
        for name in names:
            at = self._with_skipped({after for one in at for after in self._after(one, name)})
            if not at:
                return False
        return len(self.parts) in at

    def _after(self, position: int, name: str) -> Iterator[int]:
        """Yield the next positions in the pattern after matching a name at a position."""
        if position == len(self.parts):
            return
        part = self.parts[position]
        if part is None:
            yield position
        elif part.fullmatch(name):
            yield position + 1

    def _with_skipped(self, positions: set[int]) -> set[int]:
        """Return the positions and those after each ``**`` that matches no folder."""
        found: set[int] = set()
        for position in positions:
            found.add(position)
            while position < len(self.parts) and self.parts[position] is None:
                position += 1
                found.add(position)
        return found


def path_pattern(pattern: str) -> PathPattern:
    """Return the parsed pattern (Go's ``path.Match``, with the ``**`` of doublestar); raises ``PatternError``."""
    return PathPattern(tuple(None if part == "**" else _expression(part) for part in pattern.split("/")))


def expand(pattern: str) -> list[str]:
    """Return the paths that ``pattern`` matches, folder by folder, each in byte order; raises ``PatternError``.

    Folders that cannot be read match nothing.
    """
    if not _SPECIAL & set(pattern):
        return [pattern] if os.path.lexists(pattern) else []
    folder, name = os.path.split(pattern)
    matches = _expression(name)
    folders = expand(folder) if _SPECIAL & set(folder) else [folder]
    found = ((one, entry) for one in folders for entry in _names(one) if matches.fullmatch(entry))
    return [os.path.normpath(os.path.join(one, entry)) for one, entry in found]


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder or "."), key=os.fsencode)
    except OSError:
        return []


def _expression(pattern: str) -> re.Pattern[str]:
    expression, *others = "".join(_parts(pattern)).split(_STAR)
    # The first match of a part between two stars is sufficient, so no other is tried.
    inner = "".join(f"(?>.*?{part})" for part in others[:-1]) + "".join(f".*{part}" for part in others[-1:])
    return re.compile(expression + inner, re.DOTALL)


def _parts(pattern: str) -> Iterator[str]:
    position = 0
    while position < len(pattern):
        found = _BRACKETS.match(pattern, position)
        character = pattern[position]
        if found is not None:
            yield _class(found)
        elif character == "[" or pattern[position:] == "\\":
            raise PatternError(pattern)
        elif character == "\\" and character in _SPECIAL:
            position += 1
            yield re.escape(pattern[position])
        else:
            yield {"*": _STAR, "?": "."}.get(character, re.escape(character))
        position = found.end() if found else position + 1


def _class(brackets: re.Match[str]) -> str:
    parts = (
        re.escape(part[1]) + (f"-{re.escape(part[3])}" if part[2] else "")
        for part in _RANGE_PART.finditer(brackets["ranges"])
    )
    return f"[{brackets['negated']}{''.join(parts)}]"
