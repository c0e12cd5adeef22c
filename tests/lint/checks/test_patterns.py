"""Patterns that are run end soon, whatever the text."""

import sys
from collections.abc import Iterator

import pytest

from kubectl_applylint.core.patterns import linear
from kubectl_applylint.core.patterns.linear import Invalid, Matcher, Unproven
from kubectl_applylint.lint.checks._patterns import compile_linear


@pytest.fixture(name="without_library")
def _without_library(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Hide the library that matches everything in linear time."""
    monkeypatch.setitem(sys.modules, "re2", None)
    _forget()
    yield
    _forget()


def _forget() -> None:
    linear._library.cache_clear()
    linear.compile_linear.cache_clear()
    compile_linear.cache_clear()


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        (":latest$", "nginx:latest", True),
        ("^v[0-9]+[.][0-9]+$", "v1.x", False),
        ("^(?:a|b)c?", "bc", True),
        ("x{1,3}y", "xy", True),
        ("^(?!registry/)", "nginx", True),
        (":latest$", "nginx:latest\n", False),
        (r"^\d$", "\N{ARABIC-INDIC DIGIT ONE}", False),
        (r"^\pL$", "a", True),
        ("a" * 2_000, "b", False),
    ],
)
def test_safe_patterns_match(pattern: str, text: str, found: bool) -> None:
    matcher = compile_linear(pattern)

    assert isinstance(matcher, Matcher)
    assert matcher.is_match(text) is found


@pytest.mark.parametrize(
    "pattern",
    [
        *("^(a+)+$", "(a|aa)*c", "a*a*c", "^a*a*a*c", "(?=a+)b+", "(?=(a+)+$)", r"(.)\1", "^(a{1,9}){1,9}$"),
        *("^" + "a?" * 60, "^" + "(a|aa)" * 60, "a" * 2_000),
    ],
)
@pytest.mark.usefixtures("without_library")
def test_others_are_not_run(pattern: str) -> None:
    assert isinstance(compile_linear(pattern), Unproven)


@pytest.mark.parametrize("pattern", ["(", "a{1000000000000}"])
def test_invalid_patterns_are_recognized(pattern: str) -> None:
    assert isinstance(compile_linear(pattern), Invalid)


@pytest.mark.usefixtures("without_library")
def test_matching_of_a_long_text_is_bounded() -> None:
    matcher = compile_linear("^a*a*b")

    assert isinstance(matcher, Matcher)
    assert matcher.is_match("a" * 4_096) is False
    assert isinstance(matcher.is_match("a" * 5_000), Unproven)
