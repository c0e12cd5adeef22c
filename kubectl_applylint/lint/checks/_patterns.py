"""Regular expressions of rules that users write, matched in time linear in the text, or not at all.

Patterns that Go reads are matched as Go matches them (``kubectl_applylint.core.patterns.linear``). For what Go has no
syntax for, such as ``(?=…)``, and inside of JSONPath Python's matcher stands in. It goes back and tries again, so that
only patterns are run that repeat nothing but one character at a time, and few of these.
"""

import math
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, TypeAlias

from kubectl_applylint.core.patterns import linear
from kubectl_applylint.core.patterns.linear import Compiled, Invalid, Matcher, Unproven

_LONGEST_PATTERN: Final = 1_000
_ADVICE: Final = "repeat nothing but single characters, once, or twice after a ^ at the beginning"


@lru_cache(maxsize=1024)
def compile_linear(pattern: str) -> Compiled:
    """Return what matches a pattern, or why nothing does."""
    read = linear.compile_linear(pattern)
    if isinstance(read, Matcher):
        return read
    stand_in = compile_for_python(pattern)
    # Where Go can read the pattern, what it lacks is the library that matches it in linear time.
    return read if isinstance(read, Unproven) and isinstance(stand_in, Unproven) else stand_in


@lru_cache(maxsize=1024)
def compile_for_python(pattern: str) -> Compiled:
    """Return what matches a pattern with Python's own matcher, or why that may not be run."""
    if len(pattern) > _LONGEST_PATTERN:
        return Unproven(f"the pattern is longer than {_LONGEST_PATTERN} characters")
    try:
        read = re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as fault:
        return Invalid(str(fault))
    # Each repetition may be tried at each character, and so may each start of what is not tied to the beginning.
    tries = sum(_tries(_parse(pattern))) + (pattern[:1] != "^")
    if tries > _MOST_TRIES:
        return Unproven(_ADVICE)
    return Matcher(lambda text: (match[0] for match in read.finditer(text)), linear.LONGEST_UNANCHORED)


_MOST_TRIES: Final = 2
_OF_A_CHOICE: Final = 0.05
"""Twenty choices are as many tries as there are characters, roughly: each doubles them."""
_Tree: TypeAlias = Any


def _parse(pattern: str) -> _Tree:
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
