import pytest

from kubectl_applylint.core.values import MISSING, Json
from kubectl_applylint.server.validate.portions import not_more_than_all, number_or_percent, size_of
from tests.server.validate.objects import errors_of


@pytest.mark.parametrize(("value", "expected"), [(3, 3), ("25%", 25), ("0%", 0), ("x%", 0), ("²%", 0), (MISSING, 0)])
def test_sizes(value: Json, expected: int) -> None:
    assert size_of(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0, []),
        ("0%", []),
        ("100%", []),
        (-1, ["a: Invalid value: -1: must be greater than or equal to 0"]),
        ("101%", ['a: Invalid value: "101%": must not be greater than 100%']),
        (
            "1",
            [
                "a: Invalid value: \"1\": a valid percent string must be a numeric string followed by an ending '%' "
                "(e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')"
            ],
        ),
    ],
)
def test_numbers_and_percentages(value: Json, expected: list[str]) -> None:
    assert errors_of(value, number_or_percent, not_more_than_all) == expected
