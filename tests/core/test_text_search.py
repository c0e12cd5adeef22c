import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_applylint.core.text_search import contained_texts

TEXTS = st.text('ab"\\', max_size=14)


OTHERS = {f"{number:06}" for number in range(200)}
"""So many that they are not looked for one by one."""


@pytest.mark.parametrize("others", [set(), OTHERS], ids=["few", "many"])
@given(sought=st.sets(TEXTS), texts=st.lists(st.text('ab"\\', max_size=60)))
def test_texts_are_found_if_another_text_contains_them(sought: set[str], texts: list[str], others: set[str]) -> None:
    assert contained_texts(sought | others, texts) == {one for one in sought if any(one in text for text in texts)}


@pytest.mark.parametrize("one", ['"name": "web", "a"', 'b", "a": "b', "swordfish", 'a": "sword'])
def test_a_text_is_found_across_the_pieces_of_another(one: str) -> None:
    text = 'x "name": "web", "a": "swordfish-7" b", "a": "b'

    assert contained_texts({one, one + "+"}, ["y", text]) == {one}
