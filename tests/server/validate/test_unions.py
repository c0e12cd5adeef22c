import pytest

from kubectl_applylint.core.values import Json
from kubectl_applylint.server.validate.constraints import required
from kubectl_applylint.server.validate.unions import union
from tests.server.validate.objects import errors_of

SOURCE = union(
    {"first": {"name": [required()]}, "second": {"name": [required()]}},
    none="one is needed",
    more="one is enough",
    misspelled={"second": ".Second"},
)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param({}, ["a: Required value: one is needed"], id="none"),
        pytest.param({"first": {"name": "x"}}, [], id="one"),
        pytest.param({"first": None, "second": {}}, ["a.second.name: Required value"], id="a wrong one"),
        pytest.param(
            {"second": {}, "first": {}},
            ["a.first.name: Required value", "a.Second: Forbidden: one is enough"],
            id="only the first counts",
        ),
    ],
)
def test_a_union_has_exactly_one_member(value: Json, expected: list[str]) -> None:
    assert errors_of(value, SOURCE) == expected
