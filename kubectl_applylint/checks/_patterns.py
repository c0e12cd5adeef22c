"""Regular expressions of rules that users write, matched in time linear in the text, or not at all.

Python's matcher goes back and tries again, which for ``^(a+)+$`` takes twice as long with each further letter. So only
patterns are run that repeat nothing but one character at a time, and nothing that overlaps what is repeated before it.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, TypeAlias

_LONGEST_PATTERN: Final = 1_000
_LONGEST_TEXT: Final = 4_096
_ADVICE: Final = "repeat nothing but single characters, once, or twice after a ^ at the beginning"


@dataclass(frozen=True, slots=True)
class Invalid:
    """What is wrong with a text that is no pattern."""

    words: str


@dataclass(frozen=True, slots=True)
class Unproven:
    """The pattern is not run, because it might not end: what to do."""

    why: str


@dataclass(frozen=True, slots=True)
class Matcher:
    """A pattern that is safe to run."""

    pattern: re.Pattern[str]

    def found(self, text: str) -> bool | Unproven:
        """Return whether the pattern matches anywhere in a text, which may be too long to be looked at."""
        if len(text) > _LONGEST_TEXT:
            return Unproven(f"the text is longer than {_LONGEST_TEXT} characters")
        return self.pattern.search(text) is not None


@lru_cache(maxsize=1024)
def compile_linear(pattern: str) -> Matcher | Invalid | Unproven:
    """Return what matches a pattern, or why nothing does."""
    if len(pattern) > _LONGEST_PATTERN:
        return Unproven(f"the pattern is longer than {_LONGEST_PATTERN} characters")
    try:
        compiled = re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as fault:
        return Invalid(str(fault))
    # Each repetition may be tried at each character, and so may each start of what is not tied to the beginning.
    tries = sum(_tries(_parsed(pattern))) + (pattern[:1] != "^")
    return Matcher(compiled) if tries <= _MOST_TRIES else Unproven(_ADVICE)


_MOST_TRIES: Final = 2
_OF_A_CHOICE: Final = 0.05
"""Twenty choices are as many tries as there are characters, roughly: each doubles them."""
_Tree: TypeAlias = Any


def _parsed(pattern: str) -> _Tree:
    """Return how ``re`` itself reads a pattern; it has no name of its own for that."""
    return re._parser.parse(pattern)  # the one reader of this syntax


def _tries(tree: _Tree) -> Iterator[float]:
    """Yield what each part of a pattern adds to the power of the length of the text by which the time grows."""
    for name, argument in tree:
        match str(name), argument:
            case (("MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT"), (_, 1, inner)):
                yield _OF_A_CHOICE
                yield from _tries(inner)
            case (("MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT"), (_, _, inner)):
                yield 1 if _is_single(inner) else math.inf
            case "BRANCH", (_, branches):
                for branch in branches:
                    yield _OF_A_CHOICE
                    yield from _tries(branch)
            case ("SUBPATTERN", (*_, inner)) | (("ASSERT" | "ASSERT_NOT"), (*_, inner)):
                yield from _tries(inner)
            case (("LITERAL" | "NOT_LITERAL" | "ANY" | "IN" | "AT"), _):
                continue
            case _:
                yield math.inf


def _is_single(tree: _Tree) -> bool:
    return len(tree) == 1 and str(tree[0][0]) in ("LITERAL", "NOT_LITERAL", "ANY", "IN")
