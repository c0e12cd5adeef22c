"""The text of a difference, whose sums kapp has written: those of ``RECORDED`` are its own."""

import pytest

from kubectl_applylint.core.state import Unknown
from kubectl_applylint.tools.kapp.diff_text import checksum, yaml_text

NO_DIFFERENCE = "58e0494c51d30eb3494f7c9198986bb9"
"""Of a text of an empty list, as kapp 0.64.2 has recorded it."""


def test_nothing_differs_by_the_sum_of_an_empty_list() -> None:
    assert checksum({"a": 1}, {"a": 1.0}) == NO_DIFFERENCE


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"a": 1}, {"a": 2}),
        ({"a": [1]}, {"a": [1, 2]}),
        ({"a": [1, 2]}, {"a": [1]}),
        ({"a": {"b": 1}}, {"a": "text"}),
        ({"a": True}, {"a": 1}),
        ({"a/b:c~": 1}, {}),
        ({}, {"a": None}),
    ],
)
def test_every_difference_has_a_sum_of_its_own(before: object, after: object) -> None:
    assert checksum(before, after) != NO_DIFFERENCE
    assert checksum(before, after) == checksum(before, after) != checksum(after, before)


def test_the_sum_of_what_is_unknown_is_unknown() -> None:
    assert checksum({"a": [{"b": Unknown("why")}]}, {}) == Unknown("why")
    assert checksum({"a": Unknown("why"), "b": 1}, {"a": Unknown("why"), "b": 2}) != NO_DIFFERENCE


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": 1, "a10": None, "a9": True, "a-1": 0.5}, "a-1: 0.5\na9: true\na10: null\nb: 1\n"),
        ({"b.": 1, "ba": 2, "a.b": 3, "a-b": 4}, "a-b: 4\na.b: 3\nb.: 1\nba: 2\n"),
        ({"a01": 1, "a1": 2, "a101": 3, "a100": 4}, "a1: 2\na01: 1\na100: 4\na101: 3\n"),
        ({"replicas": 1000000}, "replicas: 1e+06\n"),
        (["yes", "1", "1_0", "0x1f", "1.5", ".5", "2020-01-02", "1:30", "~", ""], '- "yes"\n- "1"\n'),
        ({"plain": "x", "path": "/a: b", "lines": "a\nb\n"}, "lines: |\n  a\n  b\npath: '/a: b'\nplain: x\n"),
        ({"none": [], "empty": {}}, "empty: {}\nnone: []\n"),
    ],
)
def test_values_are_written_as_yaml_v2_does(value: object, text: str) -> None:
    assert yaml_text(value).startswith(text)


def test_texts_are_escaped_and_folded_as_yaml_v2_does() -> None:
    assert yaml_text(["😀 x", "<<"]) == '- "\\U0001F600 x"\n- <<\n'
    assert yaml_text("\t" + "word " * 16 + "x") == f'"\\t{"word " * 15}word\n  x"\n'


def test_texts_that_would_be_read_otherwise_are_quoted() -> None:
    assert all(line.startswith('- "') for line in yaml_text(["on", "0b1", "+1e3", "2020-1-2 3:4:5"]).splitlines())
    assert yaml_text(["a1", "1a", "1.2.3", "._5", "-"]) == "- a1\n- 1a\n- 1.2.3\n- ._5\n- '-'\n"
