import sys
import time
from collections.abc import Iterator

import pytest

from kubectl_applylint.core.patterns import linear
from kubectl_applylint.core.patterns.linear import LONGEST_UNANCHORED, Invalid, Matcher, Unproven, compile_linear
from tests.core.patterns.test_go_regexp import MATCHED, TEXTS

SLOW = ("^(a+)+$", "(a|a)*b", "(a*)*b", "^(a?){40}a{40}$", "a?" * 30 + "a" * 30, r"^(.*,){12}P", "^a*a*b$")
PLAIN = (
    r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$",
    r"^((([0-9]+)y)?(([0-9]+)w)?(([0-9]+)d)?(([0-9]+)h)?(([0-9]+)m)?(([0-9]+)s)?(([0-9]+)ms)?|0)$",
    r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$",
    r"^((25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\.){3}(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])$",
    r"^(https?|ftp)://[^\s/$.?#].[^\s]*$",
)
"""Patterns that definitions use: a host name, a duration, a quantity, an address, a URL."""


@pytest.fixture(name="without_library")
def _without_library(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Hide the library from everything."""
    monkeypatch.setitem(sys.modules, "re2", None)
    _forget()
    yield
    _forget()


def _forget() -> None:
    linear._library.cache_clear()
    compile_linear.cache_clear()


def _matches(pattern: str) -> list[list[str]] | None:
    compiled = compile_linear(pattern)
    return [list(compiled.matches(text)) for text in TEXTS] if isinstance(compiled, Matcher) else None


@pytest.mark.parametrize("pattern", MATCHED)
def test_patterns_match_as_in_go(pattern: str) -> None:
    assert _matches(pattern) == MATCHED[pattern]


@pytest.mark.usefixtures("without_library")
@pytest.mark.parametrize("pattern", MATCHED)
def test_without_the_library_patterns_match_as_in_go_or_not_at_all(pattern: str) -> None:
    assert _matches(pattern) in (MATCHED[pattern], None)


@pytest.mark.parametrize("pattern", SLOW)
def test_slow_patterns_end_with_the_library(pattern: str) -> None:
    compiled = compile_linear(pattern)
    begin = time.process_time()

    assert isinstance(compiled, Matcher)
    assert compiled.is_match("a" * 5000 + "!") in (True, False)
    assert time.process_time() - begin < 2


@pytest.mark.usefixtures("without_library")
@pytest.mark.parametrize("pattern", SLOW)
def test_slow_patterns_are_not_run_without_the_library(pattern: str) -> None:
    compiled = compile_linear(pattern)

    assert isinstance(compiled, Unproven)
    assert "install kubectl-applylint[re2]" in compiled.why


@pytest.mark.usefixtures("without_library")
@pytest.mark.parametrize("pattern", PLAIN)
def test_usual_patterns_need_no_library(pattern: str) -> None:
    assert isinstance(compile_linear(pattern), Matcher)


@pytest.mark.usefixtures("without_library")
def test_a_pattern_that_may_match_anywhere_takes_no_long_text_without_the_library() -> None:
    compiled = compile_linear("a+b")

    assert isinstance(compiled, Matcher)
    assert compiled.is_match("a" * (LONGEST_UNANCHORED - 1) + "b") is True
    assert isinstance(compiled.is_match("a" * LONGEST_UNANCHORED + "b"), Unproven)


@pytest.mark.parametrize("pattern", [r"(?=a)", r"(a)\1", r"\C", "a++"])
def test_patterns_that_go_cannot_read_are_invalid(pattern: str) -> None:
    assert isinstance(compile_linear(pattern), Invalid)


def test_a_huge_pattern_is_left_open() -> None:
    assert isinstance(compile_linear("a" * 200_000), Unproven)


@pytest.mark.slow
def test_a_pattern_that_takes_too_much_memory_is_left_open() -> None:
    assert isinstance(compile_linear(r"((\pL{100}){10}x)*" * 60), Unproven)


def test_half_characters_are_no_trouble() -> None:
    compiled = compile_linear("^a.b$")

    assert isinstance(compiled, Matcher)
    assert compiled.is_match("a\ud800b") is True
