"""Every expectation was seen: kubectl 1.36.3 printed these values with ``label --local -o json``."""

import math

import pytest

from kubectl_applylint.core.values import Json, equal
from kubectl_applylint.sources.text.yaml_scalars import STANDARD_TAG, Scalar, ScalarError, key_text, number, resolve

PLAIN: dict[str, Json] = {
    **dict.fromkeys(["y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "true", "True", "TRUE"], True),
    **dict.fromkeys(["n", "N", "no", "No", "NO", "off", "Off", "OFF", "false", "False", "FALSE"], False),
    **dict.fromkeys(["", "~", "null", "Null", "NULL"], None),
    **{
        text: text
        for text in [
            "yEs",
            "nO",
            "oN",
            "tRUE",
            "nULL",
            "t",
            "=",
            "<<",
            "a",
            ".iNf",
            "inf",
            "NaN",
            "Infinity",
            "1:30",
            "190:20:30",
            "2001-01-01",
            "٣",
        ]
    },
    "0": 0,
    "-0": 0,
    "+1": 1,
    "017": 15,
    "0o17": 15,
    "0O17": 15,
    "0777": 511,
    "08": 8,
    "09.5": 9.5,
    "0o8": "0o8",
    "0x1F": 31,
    "-0x1F": -31,
    "0xg": "0xg",
    "0x": "0x",
    "0b11": 3,
    "-0b11": -3,
    "0b2": "0b2",
    "0b-11": -3,
    "1_000": 1000,
    "1__0": 10,
    "1_": 1,
    "_1": "_1",
    "0x_1": 1,
    "1_0.5_0": 10.5,
    ".5_0": 0.5,
    "._5": "._5",
    "1.0": 1,
    "1.50": 1.5,
    "-0.0": 0,
    "1.": 1,
    ".5": 0.5,
    "+.5": 0.5,
    ".": ".",
    "1.5.2": "1.5.2",
    "1,000": "1,000",
    "1e3": 1000,
    "1e-7": 1e-7,
    "1e20": 1e20,
    "1e21": 1e21,
    "1e400": "1e400",
    ".1e400": ".1e400",
    "1e-400": 0,
    "9223372036854775807": 2**63 - 1,
    "9223372036854775808": 2.0**63,
    "18446744073709551615": 1.8446744073709552e19,
    "-9223372036854775808": -(2**63),
    "-9223372036854775809": -(2.0**63),
    "9.2e18": 9200000000000000000,
    "4656632308392801149.0": 4656632308392801000,
    "9007199254740993.0": 9007199254740992,
    "0xFFFFFFFFFFFFFFFF": 1.8446744073709552e19,
    "0x1FFFFFFFFFFFFFFFF": "0x1FFFFFFFFFFFFFFFF",
    "+18446744073709551615": 1.8446744073709552e19,
    "07777777777777777777777777": 7.777777777777778e24,
    "9" * 5000: "9" * 5000,
    "0b" + "1" * 65: "0b" + "1" * 65,
}

TAGGED: list[tuple[str, str, Scalar]] = [
    ("str", "1", "1"),
    ("str", "~", "~"),
    ("str", "", ""),
    ("int", "0o17", 15),
    ("int", "1_0", 10),
    ("float", "1", 1.0),
    ("float", ".5_5", 0.55),
    ("float", "-.inf", -math.inf),
    ("bool", "yes", True),
    ("null", "", None),
    ("binary", "aGk=", "hi"),
    ("binary", "aG\nk=", "hi"),
    ("binary", "4oI=", "��"),
    ("timestamp", "2001-01-01", "2001-01-01"),
    ("timestamp", "2001-1-1T1:2:3.5+01:00", "2001-1-1T1:2:3.5+01:00"),
    ("timestamp", "2001-1-1 1:2:3", "2001-1-1 1:2:3"),
    ("merge", "x", "x"),
    ("python/name:x", "1", "1"),
]

REFUSED = [
    ("int", "1.0", "cannot decode !!float `1.0` as a !!int"),
    ("int", "", "cannot decode !!null `` as a !!int"),
    ("int", "x", "cannot decode !!str `x` as a !!int"),
    ("float", "18446744073709551615", "cannot decode !!int `18446744073709551615` as a !!float"),
    ("bool", "1", "cannot decode !!int `1` as a !!bool"),
    ("null", "x", "cannot decode !!str `x` as a !!null"),
    ("binary", "aGk", "!!binary value contains invalid base64 data"),
    ("binary", "é", "!!binary value contains invalid base64 data"),
    ("timestamp", "2001-02-30", "cannot decode !!str `2001-02-30` as a !!timestamp"),
    ("timestamp", "2001-1-1T25:2:3Z", "cannot decode !!str `2001-1-1T25:2:3Z` as a !!timestamp"),
    ("timestamp", "x", "cannot decode !!str `x` as a !!timestamp"),
]


def after_json(value: Scalar) -> Json:
    return number(value) if type(value) in (int, float) else value  # type: ignore[arg-type]  # just distinguished


@pytest.mark.parametrize("text", PLAIN, ids=lambda text: text[:30])
def test_plain_scalars(text: str) -> None:
    value = after_json(resolve(None, text, is_plain=True))

    assert equal(value, PLAIN[text])


@pytest.mark.parametrize("text", ["1", "yes", "", "~", "<<"])
def test_a_quoted_scalar_is_a_string(text: str) -> None:
    assert resolve(None, text, is_plain=False) == text


@pytest.mark.parametrize(("tag", "text", "value"), TAGGED)
def test_tags(tag: str, text: str, value: Scalar) -> None:
    assert equal(resolve(STANDARD_TAG + tag, text, is_plain=False), value)


@pytest.mark.parametrize("tag", ["!", "!Ref", "tag:example.com:int"])
def test_an_unknown_tag_makes_a_string(tag: str) -> None:
    assert resolve(tag, "1", is_plain=True) == "1"


@pytest.mark.parametrize(("tag", "text", "complaint"), REFUSED)
def test_tags_that_do_not_fit(tag: str, text: str, complaint: str) -> None:
    with pytest.raises(ScalarError) as refusal:
        resolve(STANDARD_TAG + tag, text, is_plain=True)

    assert str(refusal.value) == complaint


@pytest.mark.parametrize(("value", "name"), [(math.inf, "+Inf"), (-math.inf, "-Inf"), (math.nan, "NaN")])
def test_json_has_no_infinities(value: float, name: str) -> None:
    with pytest.raises(ScalarError) as refusal:
        number(value)

    assert str(refusal.value) == f"unsupported value: {name}: JSON has no such number"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a", "a"),
        (True, "true"),
        (False, "false"),
        (16, "16"),
        (2**63 - 1, "9223372036854775807"),
        (1.0, "1"),
        (1.5, "1.5"),
        (0.1, "0.1"),
        (1e6, "1e+06"),
        (1234567.0, "1.234567e+06"),
        (16777217.0, "1.6777216e+07"),
        (0.00001, "1e-05"),
        (-0.0, "-0"),
        (1e39, ".inf"),
        (-math.inf, "-.inf"),
        (math.nan, ".nan"),
    ],
)
def test_keys(value: Scalar, text: str) -> None:
    assert key_text(value) == text


@pytest.mark.parametrize(("value", "name"), [(None, "null"), (2**64 - 1, "18446744073709551615")])
def test_null_and_large_numbers_are_no_keys(value: Scalar, name: str) -> None:
    with pytest.raises(ScalarError) as refusal:
        key_text(value)

    assert str(refusal.value) == f"unsupported map key: {name}"
