from fractions import Fraction

import pytest

from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import MISSING, Json
from kubectl_applylint.server.validate.amounts import amount, not_negative, positive, quantity_text
from tests.server.validate.objects import errors_of


@pytest.mark.parametrize(
    ("value", "expected"),
    [("500m", Fraction(1, 2)), ("1Ki", 1024), ("1e3", 1000), (3, 3), ("x", 0), (MISSING, 0), (None, 0), ({}, 0)],
)
def test_quantities_are_numbers(value: Json, expected: Fraction) -> None:
    assert amount(value) == expected


@pytest.mark.parametrize(
    ("number", "like", "expected"),
    [
        (Fraction(9, 10), "500m", "900m"),
        (Fraction(3 * 1024**3), "1Gi", "3Gi"),
        (Fraction(1536), "1Ki", "1536"),
        (Fraction(3 * 512), "1", "1536"),
        (Fraction(0), "1Mi", "0"),
        (Fraction(1, 2), "1Mi", "500m"),
        (Fraction(2000), "1k", "2k"),
    ],
)
def test_sums_are_spelled_like_their_parts(number: Fraction, like: str, expected: str) -> None:
    assert quantity_text(number, like) == expected


def test_signs() -> None:
    assert errors_of("-1", not_negative) == ['a: Invalid value: "-1": must be greater than or equal to 0']
    assert errors_of("0", positive) == ['a: Invalid value: "0": must be greater than zero']
    assert (errors_of("0", not_negative), errors_of("1m", positive)) == ([], [])
    assert errors_of(Unknown("a placeholder"), positive) == []
