"""Python's values as those of cel-python, whose operators distinguish their types."""

from typing import Any

import pytest
from celpy import celtypes

from kubectl_applylint.server.validate.custom.plain import boolean, integer, string, strings


@pytest.mark.parametrize(
    ("made", "kind", "plain"),
    [
        pytest.param(boolean(True), celtypes.BoolType, True, id="true"),
        pytest.param(boolean(False), celtypes.BoolType, False, id="false"),
        pytest.param(integer(-7), celtypes.IntType, -7, id="number"),
        pytest.param(string(""), celtypes.StringType, "", id="empty text"),
        pytest.param(strings(["a", "b"]), celtypes.ListType, ["a", "b"], id="texts"),
    ],
)
def test_a_value_has_the_type_of_the_library(made: Any, kind: type, plain: Any) -> None:
    assert type(made) is kind
    assert made == plain


def test_the_elements_of_a_list_are_texts_of_the_library() -> None:
    assert [type(each) for each in strings(["a"])] == [celtypes.StringType]
    assert strings([]) == []
