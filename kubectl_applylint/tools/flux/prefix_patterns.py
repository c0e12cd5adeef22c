"""Prefixes of a value that match a pattern with ``*``, ``?`` and ``[a-z]``, in linear time.

Mirrors ``path.Match`` of ``github.com/fluxcd/pkg/envsubst``, which tries one prefix after the other. Values are bytes,
a ``?`` or a class matches one character, and a pattern that is not valid matches nothing.
"""

from collections.abc import Iterator
from typing import Final, TypeAlias

from kubectl_applylint.core.records import dataclass

_BACKSLASH, _OPEN, _CLOSE, _STAR, _ANY, _NOT, _DASH = b"\\[]*?^-"
_REPLACEMENT: Final = 0xFFFD
"""The character that Go reads in place of bytes that are not UTF-8."""
_LONGEST_RUNE: Final = 4


@dataclass(frozen=True, slots=True)
class _Class:
    """Characters that match: ranges, or all others if it is negated. ``?`` is a negated class without ranges."""

    ranges: tuple[tuple[int, int], ...] = ()
    is_negated: bool = True

    def has(self, rune: int) -> bool:
        """Return whether a character matches."""
        return any(low <= rune <= high for low, high in self.ranges) != self.is_negated


@dataclass(frozen=True, slots=True)
class _Star:
    """Any number of bytes."""


_Step: TypeAlias = int | _Class | _Star
"""A byte that matches itself, a class, or a star."""


class _BadPatternError(Exception):
    """The pattern is not valid."""


def longest_prefix(pattern: bytes, value: bytes) -> int:
    """Return the length of the longest prefix that matches, 0 for none."""
    return max(_matching(pattern, value), default=0)


def shortest_prefix(pattern: bytes, value: bytes) -> int:
    """Return the length of the shortest prefix that matches and is not empty, 0 for none."""
    return next(_matching(pattern, value), 0)


def _matching(pattern: bytes, value: bytes) -> Iterator[int]:
    """Yield the lengths of the prefixes that match, ascending."""
    try:
        steps = tuple(_steps(pattern))
    except _BadPatternError:
        return
    if not steps:
        return
    waiting: list[set[int]] = [set() for _ in range(_LONGEST_RUNE + 1)]
    """The states that are reached after the next bytes, the first one at the current position."""
    waiting[0] = _closure({0}, steps)
    # The states of a character whose last bytes are cut off: Go reads each byte that is left as one character.
    cut: set[int] = set()
    for position in range(len(value)):
        states, width = waiting.pop(0), _width(value, position)
        waiting.append(set())
        if not states and not cut and not any(waiting):
            return
        for count, reached in _advance(states, steps, value[position : position + width]):
            waiting[count - 1] |= _closure(reached, steps)
        cut = _cut(states if width > 1 else set(), cut, steps, value[position])
        if len(steps) in waiting[0] | cut:
            yield position + 1


def _width(value: bytes, position: int) -> int:
    """Return the number of bytes of the character at a position, 1 within a character."""
    for width in range(2, _LONGEST_RUNE + 1):
        if value[position] < 0xC0:
            break
        try:
            value[position : position + width].decode()
        except UnicodeDecodeError:
            continue
        return width
    return 1


def _closure(states: set[int], steps: tuple[_Step, ...]) -> set[int]:
    """Return states with those that are reached without a byte: a star may match nothing."""
    found = set(states)
    for state in states:
        following = state
        while following < len(steps) and isinstance(steps[following], _Star):
            following += 1
            found.add(following)
    return found


def _advance(states: set[int], steps: tuple[_Step, ...], rune: bytes) -> Iterator[tuple[int, set[int]]]:
    """Yield the states that follow with the character at a position, by the number of bytes that it takes."""
    code = ord(rune.decode()) if len(rune) > 1 or rune[0] < 0x80 else _REPLACEMENT
    for state in states:
        step = steps[state] if state < len(steps) else None
        if isinstance(step, _Star):
            yield 1, {state}
        elif isinstance(step, _Class):
            if step.has(code):
                yield len(rune), {state + 1}
        elif step == rune[0]:
            yield 1, {state + 1}


def _cut(states: set[int], cut: set[int], steps: tuple[_Step, ...], byte: int) -> set[int]:
    """Return the states after one byte of a character whose rest is cut off."""
    found: set[int] = set()
    for state in states | (cut if byte & 0xC0 == 0x80 else set()):
        step = steps[state] if state < len(steps) else None
        if isinstance(step, _Star):
            found.add(state)
        elif (isinstance(step, _Class) and step.has(_REPLACEMENT)) or step == byte:
            found.add(state + 1)
    return _closure(found, steps)


def _steps(pattern: bytes) -> Iterator[_Step]:
    """Yield the steps of a pattern; raise ``_BadPatternError`` if it is not valid."""
    position = 0
    while position < len(pattern):
        byte, position = pattern[position], position + 1
        if byte == _STAR:
            yield _Star()
        elif byte == _ANY:
            yield _Class()
        elif byte == _OPEN:
            found, position = _class(pattern, position)
            yield found
        elif byte == _BACKSLASH:
            if position == len(pattern):
                raise _BadPatternError
            yield pattern[position]
            position += 1
        else:
            yield byte


def _class(pattern: bytes, position: int) -> tuple[_Class, int]:
    """Return the class whose ``[`` is before a position, and its end."""
    is_negated = pattern[position : position + 1] == bytes([_NOT])
    position += is_negated
    ranges: list[tuple[int, int]] = []
    while not (ranges and pattern[position : position + 1] == bytes([_CLOSE])):
        low, position = _member(pattern, position)
        high = low
        if pattern[position] == _DASH:
            high, position = _member(pattern, position + 1)
        ranges.append((low, high))
    return _Class(tuple(ranges), is_negated), position + 1


def _member(pattern: bytes, position: int) -> tuple[int, int]:
    """Return a character of a class and its end, which is not that of the pattern."""
    if pattern[position : position + 1] in (b"", b"-", b"]"):
        raise _BadPatternError
    position += pattern[position] == _BACKSLASH
    width = _width(pattern, position) if position < len(pattern) else 0
    rune = pattern[position : position + width]
    if position + width >= len(pattern) or (width == 1 and rune[0] >= 0x80):
        raise _BadPatternError
    return ord(rune.decode()), position + width
