import re

import pytest

from kubectl_applylint.core.patterns.ambiguity import has_loop, is_exact, is_linear, is_shallow
from kubectl_applylint.core.patterns.go_regexp import parse


@pytest.mark.parametrize(
    ("pattern", "linear"),
    [
        ("abc", True),
        ("^a*$", True),
        ("^(ab|cd)*$", True),
        ("^[ab]*a$", True),
        ("^a{3}a{3}$", True),
        ("^(a{2,3})*$", False),
        ("^a{2,3}a{2,3}$", False),
        ("^(a+)+$", False),
        ("^(a|b|ab)*$", False),
        ("^a*a*$", False),
        ("^(a*b?)*$", False),
        ("^(a|a)$", True),
        ("^(a|a){4}$", True),
        ("^(a|a){30}$", False),
        ("^(a?){20}$", False),
        (r"^(\b)*a$", True),
        ("a{0}b", True),
        ("x" * 200, False),
        ("(" + "|".join(f"{sign}+" for sign in "abcdefgh") + ")*", False),
    ],
)
def test_only_what_is_proven_counts_as_linear(pattern: str, linear: bool) -> None:
    assert is_linear(parse(pattern)) is linear


@pytest.mark.parametrize("pattern", ["^(ab|cd)*$", "^[ab]*a$", "^(a|a){4}$", "^([a-z]+,)*[a-z]+$", "^(a+b+)*$"])
def test_linear_patterns_end_quickly_in_python(pattern: str) -> None:
    assert is_linear(parse(pattern))
    for text in ("a" * 20_000, "ab" * 10_000, "a," * 10_000):
        re.search(pattern, f"{text}!")


def test_patterns_have_loops_are_exact_or_shallow() -> None:
    assert has_loop(parse("(a|b+)c"))
    assert not has_loop(parse("(a|b{2,9})c"))
    assert not is_exact(parse(r"(a|\pL)+"))
    assert is_exact(parse(r"(a|\d)+^"))
    assert is_shallow(parse("(((a)*)*)*"))
    assert not is_shallow(parse("(?:" * 60 + "a" + ")*" * 60))
