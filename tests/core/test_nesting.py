"""Depth is told without a parser, and for any text."""

import pytest

from kubectl_applylint.core.nesting import KUBECTL_LEVELS, MOST_LEVELS, refuse_deep, too_deep


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
def test_where_a_text_nests_too_deep(text: str, where: int | None) -> None:
    assert too_deep(text, 2) == where


def test_a_text_is_read_from_where_it_is_said() -> None:
    assert too_deep("[[[[ [[1]]", 2, start=5) is None


def test_what_is_too_deep_for_us_is_an_error() -> None:
    refuse_deep("[" * MOST_LEVELS)
    with pytest.raises(ValueError, match=f"nested deeper than {MOST_LEVELS} levels"):
        refuse_deep("[" * KUBECTL_LEVELS)
