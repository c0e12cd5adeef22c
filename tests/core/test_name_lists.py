import pytest

from kubectl_applylint.core.name_lists import first_names


@pytest.mark.parametrize(
    ("names", "text"),
    [([], ""), (["a"], "a"), (["a", "b"], "a, b"), (["a", "b", "c"], "a, b and 1 more")],
)
def test_the_first_names_are_listed_and_the_others_counted(names: list[str], text: str) -> None:
    assert first_names(names, 2) == text
