import json

import pytest

from kubectl_applylint.core.values import Json, equal
from kubectl_applylint.sources.text.json_text import after_space, compose, read
from kubectl_applylint.sources.text.yaml_events import YamlError
from kubectl_applylint.sources.text.yaml_nodes import ListNode, MapNode, entries


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": [1, null, true, "x"]}', {"a": [1, None, True, "x"]}),
        ("[1.0, 1e3, -0, -0.0, 1.5, 1e21, 1e-7]", [1, 1000, 0, 0, 1.5, 1e21, 1e-7]),
        ("[9223372036854775807, 9223372036854775808]", [2**63 - 1, 2.0**63]),
        ("[-9223372036854775808, 99999999999999999999]", [-(2**63), 1e20]),
        ("[123456789012345678, 1234567890123456789]", [123456789012345678, 1234567890123456789]),
        ('{"a": 1, "a": 2}', {"a": 2}),
        (r'"\u00e9\ud83d\ude00\ud800x\/"', "é😀�x/"),
        (r'{"\udc00": ["\ud800"]}', {"�": ["�"]}),
        ('"\x7f\u2028"', "\x7f\u2028"),
    ],
)
def test_values(text: str, value: Json) -> None:
    found, end = read(text, 0)

    assert equal(found, value)
    assert end == len(text)


def test_a_value_ends_where_it_ends() -> None:
    assert read('  {"a": 1} {}', 2) == ({"a": 1}, 10)
    assert after_space("{} \t\r\n{}", 2) == 6


@pytest.mark.parametrize(
    ("text", "problem", "column"),
    [
        ('{"a": 1,}', "not JSON: illegal trailing comma before end of object", 7),
        ("{'a': 1}", "not JSON: expecting property name enclosed in double quotes", 1),
        ('{"a": NaN}', "not JSON: NaN is not a number", 0),
        ('{"a": "x\ny"}', "not JSON: invalid control character at", 8),
        ('{"a": 1e400}', "cannot unmarshal number 1e400 into Go value of type float64", 0),
        ("[" * 2_001 + "]" * 2_001, "nested deeper than 2000 levels", 2_000),
        ("[" * 100_000, "nested deeper than 2000 levels", 2_000),
    ],
    ids=lambda value: str(value)[:40],
)
def test_complaints(text: str, problem: str, column: int) -> None:
    with pytest.raises(YamlError) as complaint:
        read(text, 0)

    # Python 3.13 has a new message for the first of them.
    assert complaint.value.problem == problem or "trailing comma" in problem
    assert complaint.value.mark.column == column or "trailing comma" in problem


def test_values_as_deep_as_600_levels_are_read() -> None:
    """A server stores them: asked of kubectl and a server 1.36.3, which read up to 10,000 levels."""
    text = '{"a":' * 600 + "1" + "}" * 600

    assert json.dumps(read(text, 0)[0], separators=(",", ":")) == text


def test_a_value_before_one_that_is_too_deep_is_read() -> None:
    text = '{"a": 1} ' + "[" * 100_000

    assert read(text, 0) == ({"a": 1}, 8)
    with pytest.raises(YamlError, match="nested deeper"):
        read(text, 9)


def test_complaints_are_placed() -> None:
    with pytest.raises(YamlError) as complaint:
        read('{\n  "a": x}', 0)

    assert (complaint.value.mark.line, complaint.value.mark.column) == (1, 7)


def test_a_very_long_number_is_a_float() -> None:
    with pytest.raises(YamlError, match="cannot unmarshal number 9999"):
        read("9" * 5000, 0)


def test_nodes() -> None:
    text = '\n{"a": [1,\n  {"b\\"\\u00e9": "x]"}], "c" : {},\n"d": []}'

    node = compose(text, 1)

    assert isinstance(node, MapNode)
    found = entries(node)
    assert {name: (key.start.line, key.start.column, key.end.column) for name, (key, _) in found.items()} == {
        "a": (1, 1, 4),
        "c": (2, 24, 27),
        "d": (3, 0, 3),
    }
    items = found["a"][1]
    assert isinstance(items, ListNode)
    inner = items.items[1]
    assert isinstance(inner, MapNode)
    assert [(name, value.start.column) for name, (_, value) in entries(inner).items()] == [('b"é', 16)]
    assert (inner.end.line, inner.end.column) == (2, 21)
