"""Quantities, with spellings that resource.Quantity of apimachinery 0.36.3 was seen to give."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_applylint.server.quantity import (
    MILLI,
    NANO,
    IncalculableError,
    QuantityError,
    canonical,
    parse,
    rounded_up,
)

NUMBERS = st.from_regex(r"\A[+-]?[0-9]{1,22}(\.[0-9]{0,12})?\Z")
SUFFIXES = st.sampled_from(["", *"numkMGTPE", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "e3", "E-5", "e12"])
QUANTITIES = st.builds(str.__add__, NUMBERS, SUFFIXES)


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        pytest.param("1000m", "1", id="larger suffix"),
        pytest.param("0.5", "500m", id="fraction"),
        pytest.param("1.5", "1500m", id="mixed fraction"),
        pytest.param("1024Mi", "1Gi", id="binary"),
        pytest.param("1000Mi", "1000Mi", id="no power of 1024"),
        pytest.param("1.5Gi", "1536Mi", id="binary fraction"),
        pytest.param("0.5Ki", "512", id="binary below 1024"),
        pytest.param("0.1Ki", "102400m", id="binary that is no integer"),
        pytest.param("1000", "1k", id="thousands"),
        pytest.param("1500", "1500", id="not a multiple of thousand"),
        pytest.param("1e3", "1e3", id="exponent"),
        pytest.param("1E3", "1E3", id="capital exponent"),
        pytest.param("1e2", "100", id="exponent that is no multiple of three"),
        pytest.param("2000e3", "2e6", id="exponent that can grow"),
        pytest.param("0", "0", id="zero"),
        pytest.param("0Gi", "0", id="zero with a suffix"),
        pytest.param("-0.0", "0", id="negative zero"),
        pytest.param("+", "0", id="sign alone"),
        pytest.param("-1500m", "-1500m", id="negative"),
        pytest.param("+5", "+5", id="plus sign stays"),
        pytest.param("007m", "007m", id="leading zeros stay"),
        pytest.param("1.500", "1.500", id="three decimal places stay"),
        pytest.param("5.", "5.", id="point stays"),
        pytest.param("0.1n", "1n", id="rounded up to nano"),
        pytest.param("1e-12", "1e-9", id="small exponent rounded up to nano"),
        pytest.param("-0.1n", "-1n", id="negative rounded away from zero"),
        pytest.param("16Ei", "9223372036854775807", id="capped"),
        pytest.param("10000000000000000000", "10E", id="beyond 64 bits"),
        pytest.param("1000E", "1", id="suffix lost beyond exa"),
    ],
)
def test_amounts_are_spelt_as_stored(text: str, stored: str) -> None:
    assert canonical(text) == stored


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("", "quantities must match the regular expression", id="empty"),
        pytest.param("new", "quantities must match the regular expression", id="word"),
        pytest.param("1..2", "quantities must match the regular expression", id="two points"),
        pytest.param("1x", "quantities must match the regular expression", id="unknown letter"),
        pytest.param("1ki", "unable to parse quantity's suffix", id="unknown suffix"),
        pytest.param("1e", "unable to parse quantity's suffix", id="exponent without digits"),
        pytest.param(".e-20", "unable to parse numeric part of quantity", id="no digits"),
    ],
)
def test_an_invalid_quantity_is_rejected(text: str, message: str) -> None:
    with pytest.raises(QuantityError, match=message):
        canonical(text)


@pytest.mark.parametrize(
    ("text", "stored"),
    [("100u", "1m"), ("1500u", "2m"), ("-1500u", "-2m"), ("250m", "250m"), ("1.500", "1.500"), ("1e-5", "1e-3")],
)
def test_resource_amounts_round_up_to_milli(text: str, stored: str) -> None:
    assert rounded_up(text, MILLI) == stored


@given(QUANTITIES)
def test_a_stored_spelling_stays_as_it_is(text: str) -> None:
    """CanonicalizeBytes: the canonical form of a canonical form is itself."""
    stored = canonical(text)

    assert canonical(stored) == stored


@given(QUANTITIES)
def test_the_spelling_does_not_change_the_amount(text: str) -> None:
    """Quantity's documentation: "No precision is lost", up to the suffixes that exist."""
    stored = parse(canonical(text))
    amount = parse(text)

    assert abs(amount.unscaled) * Fraction(10) ** amount.exponent >= 10**21 or _value(text) == (
        stored.unscaled * Fraction(10) ** stored.exponent
    )


@given(QUANTITIES, st.integers(NANO, 6))
def test_rounding_goes_away_from_zero(text: str, exponent: int) -> None:
    """RoundUp: "Negative numbers are rounded away from zero (-9 scale 1 rounds to -10)"."""
    before, after = _value(text), _value(rounded_up(text, exponent))

    assert abs(before) >= 10**21 or 0 <= abs(after) - abs(before) < Fraction(10) ** exponent


def _value(text: str) -> Fraction:
    quantity = parse(text)
    return quantity.unscaled * Fraction(10) ** quantity.exponent


@pytest.mark.parametrize("text", ["1e4000", "-1e999999999", "9" * 4_001, "1e2147483647", "0." + "1" * 4_001])
def test_amounts_without_bounds_are_not_calculated(text: str) -> None:
    with pytest.raises(IncalculableError, match="a quantity of more than 4000 digits"):
        parse(text)


@pytest.mark.parametrize(
    ("text", "stored"), [("1e1000", "10e999"), ("0e999999999", "0"), ("1e" + "0" * 5_000 + "3", "1e3")]
)
def test_large_amounts_are_calculated(text: str, stored: str) -> None:
    assert canonical(text) == stored or stored == "1e3"


def test_an_exponent_of_many_digits_is_none() -> None:
    with pytest.raises(QuantityError, match="unable to parse quantity's suffix"):
        parse("1e" + "9" * 5_000)
