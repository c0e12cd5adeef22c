"""Semantic versions and ranges, as Helm and Flux read them (Masterminds/semver 3).

A range is ``>=1.0 <2``, ``~1.2``, ``^1``, ``1.x``, ``1.2 - 1.4``, or several of these joined by ``||``.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import total_ordering
from typing import Final

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.regex import regex

_MOST_LENGTH: Final = 512
_MOST_GROUPS: Final = 32
_MOST_NUMBER: Final = 2**64 - 1
_WORDS: Final = r"[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*"
_PART: Final = r"[0-9xX*]+"
_OPERATOR: Final = "!=|>=|=>|<=|=<|~>|=|>|<|~|\\^|"
_PATTERN: Final = rf"v?{_PART}(?:\.{_PART})?(?:\.{_PART})?(?:-{_WORDS})?(?:\+{_WORDS})?"
_ONE: Final = rf"(?:{_OPERATOR})\s*{_PATTERN}"
_VERSION: Final = regex(rf"v?([0-9]+)(?:\.([0-9]+))?(?:\.([0-9]+))?(?:-({_WORDS}))?(?:\+{_WORDS})?", re.ASCII)
_STRICT: Final = regex(r"v?(?:0|[1-9][0-9]*)(?:\.(?:0|[1-9][0-9]*)){2}(?:[-+].*)?", re.ASCII)
_HYPHEN: Final = regex(rf"\s*({_PATTERN})\s+-\s+({_PATTERN})\s*", re.ASCII)
_GROUP: Final = regex(rf"\s*{_ONE}\s*(?:(?:\s|,\s*){_ONE}\s*)*", re.ASCII)
_EACH: Final = regex(rf"({_OPERATOR})\s*({_PATTERN})", re.ASCII)
_BOUND: Final = regex(
    rf"v?({_PART})(?:\.({_PART}))?(?:\.({_PART}))?(?P<prerelease>-{_WORDS})?(?:\+{_WORDS})?", re.ASCII
)


@total_ordering
@dataclass(frozen=True, slots=True)
class Version:
    """A semantic version without its build metadata, which has no effect on the order."""

    numbers: tuple[int, int, int]
    prerelease: str = ""

    def __lt__(self, other: "Version") -> bool:
        return self._rank < other._rank

    @property
    def _rank(self) -> tuple[tuple[int, int, int], bool, tuple[tuple[bool, int, str], ...]]:
        words = (_word_rank(word) for word in self.prerelease.split(".") if word)
        return self.numbers, not self.prerelease, tuple(words)


def _word_rank(word: str) -> tuple[bool, int, str]:
    """Return the rank of an identifier of a prerelease: numbers come before words."""
    is_number = word.isdecimal()
    return not is_number, int(word) if is_number else 0, "" if is_number else word


def parse_version(text: str) -> Version | None:
    """Return the version in a text; ``v`` before it, and missing parts, are allowed."""
    match = _VERSION.fullmatch(text) if len(text) <= _MOST_LENGTH else None
    if match is None:
        return None
    major, minor, patch = (int(part or 0) for part in match.groups()[:3])
    prerelease = match[4] or ""
    has_zeros = any(word.isdecimal() and word != str(int(word)) for word in prerelease.split("."))
    if has_zeros or max(major, minor, patch) > _MOST_NUMBER:
        return None
    return Version((major, minor, patch), prerelease)


def is_exact(text: str) -> bool:
    """Return whether a text is one whole version instead of a range."""
    return _STRICT.fullmatch(text) is not None and parse_version(text) is not None


@dataclass(frozen=True, slots=True)
class Bound:
    """One condition of a range: its operator, and a version with the number of its given parts."""

    operator: str
    version: Version
    parts: int

    def allows(self, version: Version) -> bool:
        """Return whether a version meets the condition; prereleases are not considered."""
        return _OPERATORS[self.operator](version, self)


@dataclass(frozen=True, slots=True)
class VersionRange:
    """A range of versions: the bounds of at least one of its groups must all be met."""

    groups: tuple[tuple[Bound, ...], ...]

    def allows(self, version: Version) -> bool:
        """Return whether a version is in the range; a prerelease only if a bound of the group names one."""
        return any(_allows(group, version) for group in self.groups)


def _allows(group: tuple[Bound, ...], version: Version) -> bool:
    takes_prereleases = any(bound.version.prerelease for bound in group)
    if version.prerelease and not takes_prereleases:
        return False
    return all(bound.allows(version) for bound in group)


def parse_range(text: str) -> VersionRange | None:
    """Return the range in a text, or ``None`` if it is not one."""
    groups = _HYPHEN.sub(r">=\1, <=\2 ", text).split("||")
    if len(text) > _MOST_LENGTH or len(groups) > _MOST_GROUPS or not all(map(_GROUP.fullmatch, groups)):
        return None
    bounds = [[_bound(*match.groups()) for match in _EACH.finditer(group)] for group in groups]
    kept = tuple(tuple(bound for bound in group if bound) for group in bounds)
    return VersionRange(kept) if [*map(len, kept)] == [*map(len, bounds)] else None


def _bound(operator: str, text: str) -> Bound | None:
    match = _BOUND.fullmatch(text)
    if match is None:
        return None
    given = match.groups()[:3]
    parts = next((number for number, part in enumerate(given) if part in ("x", "X", "*", None)), 3)
    version = parse_version(".".join([*(part or "" for part in given[:parts]), *["0"] * (3 - parts)]))
    prerelease = (match["prerelease"] or "")[1:]
    if version is None or (prerelease and parse_version(f"0.0.0-{prerelease}") is None):
        return None
    return Bound(operator, Version(version.numbers, prerelease), parts)


def newest(versions: Iterable[str], wanted: str) -> str | None:
    """Return the version that Helm takes for ``wanted``: the same text, else the newest in the range.

    An empty ``wanted`` is the newest release. Of equal versions the first counts.
    """
    every = [*versions]
    if wanted in every:
        return wanted
    found = parse_range(wanted or "*")
    if found is None:
        return None
    parsed = [(version, text) for text in every if (version := parse_version(text))]
    allowed = [each for each in parsed if found.allows(each[0])]
    return max(allowed, key=lambda each: each[0])[1] if allowed else None


def _is_different(version: Version, bound: Bound) -> bool:
    given = bound.parts or 3
    if version.numbers[:given] != bound.version.numbers[:given]:
        return True
    return bound.parts != 1 and version.prerelease != bound.version.prerelease


def _is_above(version: Version, bound: Bound) -> bool:
    given = bound.parts or 3
    if given == len(version.numbers):
        return version > bound.version
    return version.numbers[:given] > bound.version.numbers[:given]


def _is_at_most(version: Version, bound: Bound) -> bool:
    match bound.parts:
        case 3:
            return version <= bound.version
        case 1:
            return version.numbers[0] <= bound.version.numbers[0]
        case _:
            return version.numbers[:2] <= bound.version.numbers[:2]


def _is_near(version: Version, bound: Bound) -> bool:
    """Return whether a version differs only in the parts after the minor, or after the major if that alone is given."""
    if version < bound.version:
        return False
    if bound.parts in (0, 3) and bound.version.numbers == (0, 0, 0):
        return True
    given = 1 if bound.parts == 1 else 2
    return version.numbers[:given] == bound.version.numbers[:given]


def _is_same(version: Version, bound: Bound) -> bool:
    return version == bound.version if bound.parts == len(version.numbers) else _is_near(version, bound)


def _is_compatible(version: Version, bound: Bound) -> bool:
    """Return whether a version has the same first part that is not zero, and is not older."""
    if version < bound.version:
        return False
    major, minor, _ = bound.version.numbers
    given = 1 if major or bound.parts == 1 else 2 if minor or bound.parts == 2 else 3
    return version.numbers[:given] == bound.version.numbers[:given]


_OPERATORS: Final[Mapping[str, Callable[[Version, Bound], bool]]] = {
    "": _is_same,
    "=": _is_same,
    "!=": _is_different,
    ">": _is_above,
    "<": lambda version, bound: version < bound.version,
    ">=": lambda version, bound: version >= bound.version,
    "=>": lambda version, bound: version >= bound.version,
    "<=": _is_at_most,
    "=<": _is_at_most,
    "~": _is_near,
    "~>": _is_near,
    "^": _is_compatible,
}
