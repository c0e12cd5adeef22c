import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_applylint.report.standing import standing

TEXTS = st.text('ab"\\', max_size=14)


@given(st.sets(TEXTS), st.lists(st.text('ab"\\', max_size=60)))
def test_what_is_found_is_what_stands_somewhere(sought: set[str], texts: list[str]) -> None:
    assert standing(sought, texts) == {one for one in sought if any(one in text for text in texts)}


@pytest.mark.parametrize("one", ['"name": "web", "a"', 'b", "a": "b', "swordfish", 'a": "sword'])
def test_a_text_is_found_across_the_pieces_of_another(one: str) -> None:
    text = 'x "name": "web", "a": "swordfish-7" b", "a": "b'

    assert standing({one, one + "+"}, ["y", text]) == {one}
