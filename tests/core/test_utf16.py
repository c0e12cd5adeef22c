"""Characters in UTF-16 code units."""

import pytest

from kubectl_applylint.core.utf16 import index_at, utf16_length

FACE = "\N{GRINNING FACE}"


@pytest.mark.parametrize(("text", "length"), [("", 0), ("abc", 3), ("é", 1), (FACE, 2), ("\ud800", 1)])
def test_a_character_outside_the_basic_plane_counts_twice(text: str, length: int) -> None:
    assert utf16_length(text) == length


@pytest.mark.parametrize(
    ("text", "units", "index"),
    [("abc", 2, 2), ("abc", 9, 3), (f"a{FACE}b", 3, 2), (f"a{FACE}b", 2, 1), (f"é{FACE}", 9, 2)],
    ids=["ASCII", "past the end", "after a pair", "within a pair", "past the end of others"],
)
def test_an_index_is_that_of_the_character(text: str, units: int, index: int) -> None:
    assert index_at(text, units) == index
