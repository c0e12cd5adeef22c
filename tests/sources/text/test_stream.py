"""Documents of a text, as split by apimachinery 0.36.3, the decoder of kubectl 1.36.3."""

import pytest

from kubectl_applylint.core.values import Json
from kubectl_applylint.sources.text.stream import is_readable, pieces
from kubectl_applylint.sources.text.yaml_events import YamlError


def values(text: str) -> list[Json]:
    return [piece.value for piece in pieces(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("a: 1", [{"a": 1}]),
        ("a: 1\n---\nb: 2\n", [{"a": 1}, {"b": 2}]),
        ("---\na: 1\n---\n---\n# nothing\n---\n~\n---\nb: 2\n---\n", [{"a": 1}, {"b": 2}]),
        ("--- # one\na: 1\n---\t \nb: 2\n--- #\n", [{"a": 1}, {"b": 2}]),
        ("a: 1\r\n---\r\nb: |\r\n  x\r\n  y", [{"a": 1}, {"b": "x\ny\n"}]),
        ("a: |\n  x", [{"a": "x\n"}]),
        ("a: |\n  ---\n  x\n", [{"a": "---\nx\n"}]),
        ("a: 1\n...\nb: 2\n---\nc: 3\n", [{"a": 1}, {"c": 3}]),
        ("a: 1\n---\n\ufeffb: 2\n", [{"a": 1}, {"b": 2}]),
        ("- a\n---\nb\n", [["a"], "b"]),
        ('{"a":1}', [{"a": 1}]),
        ('\n {"a":1}{"b":2}\n\n{"c":3}', [{"a": 1}, {"b": 2}, {"c": 3}]),
        ('{"a":1} null {"b":2}', [{"a": 1}, {"b": 2}]),
        ('{"a":1}\n---\nb: 2\n', [{"a": 1}, {"b": 2}]),
        ('{"a":1}\n---\n{"b":1}\n---\nc: 2\n', [{"a": 1}, {"b": 1}, {"c": 2}]),
        ('{"a":1} # comment\n---\nb: 2\n', [{"a": 1}, {"b": 2}]),
        ('{"a":1}\n# note\n', [{"a": 1}]),
        ("{a: 1}\n---\n{b: 2}\n", [{"a": 1}, {"b": 2}]),
        ('{"a":1,}', [{"a": 1}]),
        ("{'a': 017}", [{"a": 15}]),
        (" " * 5000 + "{'a': 1}", [{"a": 1}]),
    ],
    ids=lambda value: repr(value)[:50],
)
def test_documents(text: str, expected: list[Json]) -> None:
    assert values(text) == expected


@pytest.mark.parametrize(
    ("text", "read", "problem", "place"),
    [
        ("a: 1\n---\nb: c: d\n---\ne: 1\n", [{"a": 1}], "mapping values are not allowed in this context", (2, 4)),
        ("a: 1\n---\nb: 1\n--- c\n", [{"a": 1}], "invalid Yaml document separator: c", (3, 0)),
        ("a: 1\n----\n", [], "invalid Yaml document separator: -", (1, 0)),
        ("%YAML 1.1\n---\na: 1\n", [], "did not find expected <document start>", (1, 0)),
        ("a: 1\n\ufeffb: 2\n", [], "there is a byte order mark before the key", (1, 0)),
        ('{"a":1}{"b":1}\n---\nc: 1\n', [{"a": 1}, {"b": 1}], "not JSON: expecting value", (1, 0)),
        ('{"a":1}\n#c', [{"a": 1}], "not JSON: expecting value", (1, 0)),
        ('{"a":1}\ufffd{}', [{"a": 1}], "not JSON: expecting value", (0, 7)),
        ('\n{"a": 1 "b": 2}\n', [], "did not find expected ',' or '}'", (1, 11)),
        ('{"a":1}\n---\nb: [\n', [{"a": 1}], "did not find expected node content", (3, 0)),
    ],
)
def test_a_syntax_error_ends_the_stream_at_its_place(
    text: str, read: list[Json], problem: str, place: tuple[int, int]
) -> None:
    found: list[Json] = []

    with pytest.raises(YamlError) as complaint:
        found.extend(piece.value for piece in pieces(text))

    assert (complaint.value.problem, (complaint.value.mark.line, complaint.value.mark.column)) == (problem, place)
    assert found == read


def test_lines_count_from_the_start_of_the_text() -> None:
    found = list(pieces("# a\na: 1\n---\n---\n\nb: 2\n"))

    assert [piece.first_line + piece.nodes().start.line for piece in found] == [1, 5]


def test_lines_of_json_and_of_yaml_after_it() -> None:
    found = list(pieces('\n{"a":1}\n---\n# b\nb: 2\n'))

    assert [piece.first_line + piece.nodes().start.line for piece in found] == [1, 4]


def test_is_readable() -> None:
    assert is_readable("a: 1\n---\nb: 1")
    assert not is_readable("a: 1\n---\nb: [")


@pytest.mark.parametrize(
    "text",
    [
        '\n {"a":1}{"b":\n2}\n\n  {"c":3} [4,\n 5]\n',
        "a: 1\n---\n# note\nb: [2,\n 3]\n---\n- c\n- d: {}\n\n---\n'e\n f'\n",
    ],
    ids=["JSON", "YAML"],
)
def test_extents_are_those_of_the_nodes(text: str) -> None:
    found = [(piece.extent, piece.nodes()) for piece in pieces(text)]

    assert len(found) == 4
    for extent, node in found:
        for mark, of_node in ((extent.start, node.start), (extent.end, node.end)):
            assert (mark.line, mark.column, mark.index) == (of_node.line, of_node.column, of_node.index)
