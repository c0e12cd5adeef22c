"""Prefixes that match patterns."""

import time

import pytest

from kubectl_applylint.tools.flux.prefix_patterns import longest_prefix, shortest_prefix


@pytest.mark.parametrize(
    ("pattern", "value", "shortest", "longest"),
    [
        ("a*", "aab", 1, 3),
        ("*b", "abab", 2, 4),
        ("*", "ab", 1, 2),
        ("?", "éa", 1, 2),
        ("[a-c]", "b", 1, 1),
        ("[^a-c]", "b", 0, 0),
        ("[^a-c]x", "éx", 3, 3),
        ("[\\]x]", "]", 1, 1),
        ("é", "éa", 2, 2),
        ("*/", "a/b/c", 2, 4),
        ("\\*", "*a", 1, 1),
        ("x", "a", 0, 0),
        ("", "a", 0, 0),
    ],
)
def test_prefixes(pattern: str, value: str, shortest: int, longest: int) -> None:
    assert shortest_prefix(pattern.encode(), value.encode()) == shortest
    assert longest_prefix(pattern.encode(), value.encode()) == longest


@pytest.mark.parametrize("pattern", [b"[", b"[]a]", b"[a-", b"[a-]", b"[\\", b"a\\", b"[^]", b"[\xff]"])
def test_a_pattern_that_is_not_valid_matches_nothing(pattern: bytes) -> None:
    assert longest_prefix(pattern, b"a") == 0


def test_bytes_that_are_no_character_match_one_at_a_time() -> None:
    assert longest_prefix(b"??", b"\xff\xfe") == 2
    assert shortest_prefix(b"?", b"\xff\xfe") == 1
    assert longest_prefix(b"\xc3", "é".encode()) == 1
    assert longest_prefix(b"*[^a]x", b"\xf0\x9f\x98\x80x") == 5


@pytest.mark.slow
def test_time_is_linear() -> None:
    start = time.perf_counter()
    longest_prefix(b"*a*a*a*a*b", b"a" * 100_000)

    # Trying one prefix after the other takes hours.
    assert time.perf_counter() - start < 60
