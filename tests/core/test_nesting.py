"""Depth is measured without a parser, and for any text."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_applylint.core.nesting import KUBECTL_LEVELS, MOST_LEVELS, reject_deep, too_deep


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("[[1]]", None),
        ("[[[1]]]", 2),
        ('{"a": {"b": {}}}', 12),
        ("[[], [], {}, [], []]", None),
        ('["[[[[", {"{{{{": "]]]"}]', None),
        (r'["\"[[[[", "\\", [[1]]]', 18),
        ("[[" + '"[[[', 3),
        ("]]] [[[", 6),
        ("no JSON at all", None),
    ],
)
def test_the_first_bracket_that_is_too_deep_is_found(text: str, where: int | None) -> None:
    assert too_deep(text, 2) == where


def test_a_text_is_read_from_the_start_argument() -> None:
    assert too_deep("[[[[ [[1]]", 2, start=5) is None


def test_a_text_deeper_than_our_limit_is_an_error() -> None:
    reject_deep("[" * MOST_LEVELS)
    with pytest.raises(ValueError, match=f"nested deeper than {MOST_LEVELS} levels"):
        reject_deep("[" * KUBECTL_LEVELS)


@given(st.text('[]{}"\\a\ud800é', max_size=40), st.integers(0, 4))
def test_no_bracket_within_a_string_counts(text: str, most: int) -> None:
    depth, where = 0, None
    for found in re.finditer(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', text, re.DOTALL):
        depth = max(0, depth + {"[": 1, "{": 1, "]": -1, "}": -1}.get(found[0], 0))
        if depth > most:
            where = found.start()
            break

    assert too_deep(text, most) == where
