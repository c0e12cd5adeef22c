"""Regular expressions of user-written rules, matched in linear time or rejected.

Patterns that Go reads are matched as in Go (``kubectl_applylint.core.patterns.linear``). For syntax that Go does not
have, such as ``(?=…)``, and inside JSONPath, Python's matcher is used. It backtracks, so only patterns are run that
repeat nothing but one character at a time, and few of these.
"""

import math
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, TypeAlias

from kubectl_applylint.core.patterns import linear
from kubectl_applylint.core.patterns.linear import Compiled, Invalid, Matcher, Unproven

_MAX_PATTERN_LENGTH: Final = 1_000
_ADVICE: Final = "repeat nothing but single characters, once, or twice after a ^ at the beginning"


@lru_cache(maxsize=1024)
def compile_linear(pattern: str) -> Compiled:
    """Return the matcher of a pattern, or the reason why there is none."""
    read = linear.compile_linear(pattern)
    if isinstance(read, Matcher):
        return read
    stand_in = compile_for_python(pattern)
    # If Go can read the pattern, only the library for linear matching is missing.
    return read if isinstance(read, Unproven) and isinstance(stand_in, Unproven) else stand_in


@lru_cache(maxsize=1024)
def compile_for_python(pattern: str) -> Compiled:
    """Return a matcher for a pattern by Python's ``re``, or the reason why it must not run."""
    if len(pattern) > _MAX_PATTERN_LENGTH:
        return Unproven(f"the pattern is longer than {_MAX_PATTERN_LENGTH} characters")
    try:
        read = re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as fault:
        return Invalid(str(fault))
    # Each repetition may be tried at each character, and so may each start of an unanchored pattern.
    tries = sum(_tries(_parse(pattern))) + (pattern[:1] != "^")
    if tries > _MAX_TRIES:
        return Unproven(_ADVICE)
    return Matcher(lambda text: (match[0] for match in read.finditer(text)), linear.LONGEST_UNANCHORED)


_MAX_TRIES: Final = 2
_CHOICE_COST: Final = 0.05
"""Twenty choices are as many tries as there are characters, roughly: each doubles them."""
_Tree: TypeAlias = Any


def _parse(pattern: str) -> _Tree:
    """Return a pattern as parsed by ``re``, which has no public name for that."""
    return re._parser.parse(pattern)  # the one reader of this syntax


def _tries(tree: _Tree) -> Iterator[float]:
    """Yield the contribution of each part of a pattern to the exponent of the running time."""
    for name, argument in tree:
        match str(name), argument:
            case (("MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT"), (_, 1, inner)):
                yield _CHOICE_COST
                yield from _tries(inner)
            case (("MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT"), (_, _, inner)):
                yield 1 if _is_single(inner) else math.inf
            case "BRANCH", (_, branches):
                for branch in branches:
                    yield _CHOICE_COST
                    yield from _tries(branch)
            case ("SUBPATTERN", (*_, inner)) | (("ASSERT" | "ASSERT_NOT"), (*_, inner)):
                yield from _tries(inner)
            case (("LITERAL" | "NOT_LITERAL" | "ANY" | "IN" | "AT"), _):
                continue
            case _:
                yield math.inf


def _is_single(tree: _Tree) -> bool:
    """Return whether a part of a pattern matches exactly one character."""
    return len(tree) == 1 and str(tree[0][0]) in ("LITERAL", "NOT_LITERAL", "ANY", "IN")
