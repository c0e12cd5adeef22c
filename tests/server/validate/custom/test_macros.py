"""Loops over lists and maps: CEL's definition of the macros, and cel-go's treatment of errors inside of them."""

import pytest

from kubectl_applylint.core.values import Json
from kubectl_applylint.server.validate.custom.macros import MACROS
from tests.server.validate.custom.values import outcome

DIVIDED = "failed: division by zero"


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        pytest.param("[].all(x, false)", True, id="all of none"),
        pytest.param("[].exists(x, true)", False, id="one of none"),
        pytest.param("[1, 2].all(x, x > 0)", True, id="all"),
        pytest.param("[1, 2].all(x, x > 1)", False, id="not all"),
        pytest.param("[1, 2].exists(x, x > 1)", True, id="one"),
        pytest.param("[0, 1].exists(x, 1 / x > 0)", True, id="one, though another fails"),
        pytest.param("[0, 1].all(x, 1 / x > 1)", False, id="not all, though another fails"),
        pytest.param("[0, 1].all(x, 1 / x > 0)", DIVIDED, id="the failure decides"),
        pytest.param("[0, 1].exists(x, 1 / x > 1)", DIVIDED, id="the failure decides about one"),
        pytest.param("[1, 2, 2].exists_one(x, x == 1)", True, id="exactly one"),
        pytest.param("[1, 2, 2].exists_one(x, x == 2)", False, id="two"),
        pytest.param("[0, 1].exists_one(x, 1 / x > 0)", DIVIDED, id="exactly one, which needs all"),
        pytest.param("{'a': 1, 'b': 2}.all(k, k < 'c')", True, id="keys of a map"),
        pytest.param("{'a': 1}.exists(k, v, k == 'a' && v == 1)", True, id="keys and values"),
        pytest.param("[5, 6].all(i, x, x == i + 5)", True, id="places and elements"),
        pytest.param("[5, 6].existsOne(i, x, i == 1)", True, id="exactly one by place"),
        pytest.param("[1, 2, 3].filter(x, x > 1)", [2, 3], id="filter"),
        pytest.param("{'a': 1, 'b': 2}.filter(k, k == 'b')", ["b"], id="filter of keys"),
        pytest.param("[1, 2].map(x, x * 2)", [2, 4], id="map"),
        pytest.param("[1, 2, 3].map(x, x > 1, x * 2)", [4, 6], id="map with a test"),
        pytest.param("[[1], [2, 3]].map(x, x.map(y, x.size() + y))", [[2], [4, 5]], id="one in the other"),
        pytest.param("optional.of(2).optMap(x, x + 1).value()", 3, id="optMap"),
        pytest.param("optional.none().optMap(x, 1 / 0).hasValue()", False, id="optMap of none"),
        pytest.param("optional.of(2).optFlatMap(x, optional.of(x + 1)).value()", 3, id="optFlatMap"),
        pytest.param("optional.of(2).optFlatMap(x, optional.none()).hasValue()", False, id="optFlatMap to none"),
        pytest.param("'abc'.all(x, true)", "open", id="a text has no elements"),
        pytest.param("[1].all(x, x)", "open", id="no condition"),
        pytest.param("'abc'.optMap(x, x)", "open", id="no optional value"),
    ],
)
def test_macros_have_the_results_of_cel(expression: str, result: Json) -> None:
    assert outcome(expression) == result


def test_a_name_is_bound_inside_of_the_macro_only() -> None:
    assert outcome("[1].all(self, self == 1) && self == 'x'", "x") is True
    assert outcome("[1].all(x, true) && x == 1") == "open"


@pytest.mark.parametrize("macro", MACROS, ids=lambda macro: f"{macro[0]} {macro[1]}")
def test_each_macro_binds_fewer_names_than_it_has_arguments(macro: tuple[str, int]) -> None:
    bound, _ = MACROS[macro]

    assert 0 < bound < macro[1]
