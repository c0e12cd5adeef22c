from random import Random
from textwrap import indent

import pytest

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.location import Positions, Span
from kubectl_applylint.core.paths import ByKey, ByValue, Field, Index, Path, fields, leaves, render
from kubectl_applylint.sources.text import yaml_nodes, yaml_text
from kubectl_applylint.sources.text.manifests import read_text
from kubectl_applylint.sources.text.positions import TextPositions, duplicate_keys
from kubectl_applylint.sources.text.stream import pieces
from kubectl_applylint.sources.text.yaml_nodes import MapNode, Node, entries
from kubectl_applylint.sources.text.yaml_text import build, load
from tests.sources.generated import manifest

YAML = """\
# first
a: 1
---
# note
spec: &spec
  replicas: 2
  empty:
  containers:
  - name: web
    args: [a, 'b c', 1]
  - {name: db, "image":
     x}
copy: *spec
more:
  <<: *spec
  replicas: 3
  list:
  -
  - *spec
text: |
  one
  two
after: [{name: z, port: 80}, {name: z, port: 81}]
twice: 1
twice: 2
"""
JSON = '{\n  "a": {"b": [1, {"name": "x"}]},\n  "c": null\n}\n'


def positions(text: str, number: int = 0, base: Path = ()) -> Positions:
    piece = list(pieces(text))[number]
    return TextPositions(piece.nodes, piece.value, piece.first_line, base)


def place(span: Span | None) -> str:
    return f"{span.line}:{span.column}-{span.end_line}:{span.end_column}" if span else ""


CONTAINERS = fields("spec", "containers")


@pytest.mark.parametrize(
    ("path", "key", "value"),
    [
        ((), "", "5:1-25:9"),
        (fields("spec"), "5:1-5:5", "5:7-12:8"),
        (fields("spec", "replicas"), "6:3-6:11", "6:13-6:14"),
        (fields("spec", "empty"), "7:3-7:8", ""),
        ((*CONTAINERS, Index(0)), "9:5-9:6", "9:5-10:24"),
        ((*CONTAINERS, ByKey((("name", "web"),)), *fields("args"), Index(1)), "10:15-10:16", "10:15-10:20"),
        ((*CONTAINERS, Index(0), *fields("args"), ByValue(1)), "10:22-10:23", "10:22-10:23"),
        ((*CONTAINERS, ByKey((("name", "db"),)), *fields("image")), "11:16-11:23", "12:6-12:7"),
        (fields("copy"), "13:1-13:5", "5:7-12:8"),
        (fields("copy", "replicas"), "6:3-6:11", "6:13-6:14"),
        (fields("more", "replicas"), "16:3-16:11", "16:13-16:14"),
        ((*fields("more", "containers"), Index(1), *fields("name")), "11:6-11:10", "11:12-11:14"),
        ((*fields("more", "list"), Index(0)), "18:4-18:5", ""),
        ((*fields("more", "list"), Index(1)), "19:5-19:6", "5:7-12:8"),
        (fields("text"), "20:1-20:5", "20:7-23:1"),
        ((*fields("after"), ByKey((("name", "z"), ("port", 81)))), "23:30-23:31", "23:30-23:49"),
        (fields("twice"), "25:1-25:6", "25:8-25:9"),
        (fields("spec", "nothing"), "", ""),
        (fields("spec", "replicas", "deeper"), "", ""),
        ((*CONTAINERS, Index(2)), "", ""),
        ((*CONTAINERS, ByKey((("name", "nobody"),))), "", ""),
        ((*CONTAINERS, Field("name")), "", ""),
        ((Field("spec"), Index(0)), "", ""),
        ((*fields("more"), Field("<<")), "", ""),
    ],
    ids=str,
)
def test_yaml(path: Path, key: str, value: str) -> None:
    found = positions(YAML, number=1)

    assert (place(found.key(path)), place(found.value(path))) == (key, value)


@pytest.mark.parametrize(
    ("path", "key", "value"),
    [
        ((), "", "1:1-4:2"),
        ((*fields("a", "b"), Index(1), Field("name")), "2:19-2:25", "2:27-2:30"),
        ((*fields("a", "b"), ByKey((("name", "x"),))), "2:18-2:19", "2:18-2:31"),
        (fields("c"), "3:3-3:6", "3:8-3:12"),
    ],
    ids=str,
)
def test_json(path: Path, key: str, value: str) -> None:
    found = positions(JSON)

    assert (place(found.key(path)), place(found.value(path))) == (key, value)


@pytest.mark.parametrize(
    ("path", "key", "value"),
    [((), "3:3-3:4", "3:3-4:7"), (fields("b"), "4:3-4:4", "4:6-4:7"), (fields("items"), "", "")],
    ids=str,
)
def test_an_item_of_a_list(path: Path, key: str, value: str) -> None:
    found = positions("items:\n- a: 1\n- a: 2\n  b: 3\n", base=(Field("items"), Index(1)))

    assert (place(found.key(path)), place(found.value(path))) == (key, value)


def test_every_key_is_found_where_it_is_written() -> None:
    """The text at the place of a key, read as YAML, is that key."""
    random = Random(5)
    checked = 0
    for _ in range(300):
        text = manifest(random, "a").replace("\r\n", "\n")
        lines = text.split("\n")
        for document in read_text(text, "f.yaml").documents:
            for path, _ in leaves(document.object):
                checked += check_key(document, path, lines)

    assert checked > 1000


def check_key(document: Document, path: Path, lines: list[str]) -> int:
    span, last = document.positions.key(path), path[-1]
    assert span is not None
    assert span.line == span.end_line
    if isinstance(last, Field):
        written = lines[span.line - 1][span.column - 1 : span.end_column - 1]
        assert list(load(f"? {written}\n: 1\n").value) == [last.name]
    return 1


TWICE = """\
kind: List
items:
- a: {b: 1, c: 2, b: 3}
  list: [{x: 1, x: 2}]
  same: s
  same: s
- <<: {k: 1}
  <<: {k: 2}
  d: 1
  d: 2
"""


@pytest.mark.parametrize(
    ("base", "found"),
    [
        ((), [("items[0].a.b", 3), ("items[0].list[0].x", 4), ("items[1].d", 9)]),
        ((Field("items"), Index(0)), [("a.b", 3), ("list[0].x", 4)]),
        ((Field("items"), Index(7)), []),
    ],
    ids=["whole", "item", "astray"],
)
def test_duplicate_keys_with_other_values_are_found(base: Path, found: list[tuple[str, int]]) -> None:
    (piece,) = pieces(TWICE)

    assert [(render(path), line) for path, line in duplicate_keys(piece.nodes, piece.first_line, base)] == found


LARGE = "data:\n  long: |\n" + "    metadata: {name: other}\n" * 500


DEEP = "  long: |\n" + "    b: other\n" * 2000


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"kind: A\nmetadata:\n  name: web\n  labels:\n  # why\n    a: b\n{LARGE}", id="block"),
        pytest.param(f"{LARGE}metadata: {{name: web,\n  labels: {{a: b}}}}\nkind: A\n", id="flow"),
        pytest.param(
            f"kind: A\nitems:\n- a: 1\n- b: 2\n\n# why\nlast: [1, 2]\n{LARGE}", id="lists that are not indented"
        ),
        pytest.param(
            f'kind: "A\nmetadata: {{name: x}}"\nmetadata: {{name: web}}\n{LARGE}', id="a quote over two lines"
        ),
        pytest.param(f"'kind': A\n\"metadata\": {{name: web}}\n{LARGE}", id="quoted keys"),
        pytest.param(f"kind: A\nspec:\n\n  # why\n  a: 1\n  b:\n  - 1\n  - c: 2\n{DEEP}", id="a large entry"),
        pytest.param(
            f"kind: A\nspec:\n    a: 1\n    b: {{c: 2,\n  d: 3}}\n{indent(DEEP, '  ')}",
            id="a map that is less indented",
        ),
        pytest.param(f"kind: A\nspec:\n- a: 1\n  b: 2\n{DEEP}", id="a large list"),
        pytest.param(f"kind: A\nspec:\n  'a': 1\n  x: |\n   b: 2\n{DEEP}", id="keys that only seem to be there"),
    ],
)
def test_an_entry_of_a_large_text_is_found_where_the_whole_text_has_it(text: str) -> None:
    (piece,) = pieces(text)
    whole = TextPositions(piece.nodes, piece.value)
    part = TextPositions(piece.nodes, piece.value, section=piece.section)
    paths = {path[:length] for path, _ in leaves(piece.value) for length in range(len(path) + 1)}

    assert {path: (part.key(path), part.value(path)) for path in paths} == {
        path: (whole.key(path), whole.value(path)) for path in paths
    }


def test_an_entry_of_a_large_text_is_read_by_itself() -> None:
    node = load(f"kind: A\nmetadata:\n  name: web\n{LARGE}").section(("metadata", "name"))
    assert isinstance(node, MapNode)
    assert (len(node.pairs), node.start.line) == (1, 1)


def test_an_entry_of_a_large_entry_is_read_by_itself() -> None:
    text = f"kind: A\nspec:\n{DEEP}  b:\n    c: 1\n  d: 2\n"
    node = load(text).section(("spec", "b"))
    assert isinstance(node, MapNode)
    assert build(node) == {"spec": {"b": {"c": 1}}}
    assert entries(node)["spec"][1].start.line == text[: text.index("  b:\n")].count("\n")


def test_many_entries_of_a_large_text_are_found_in_the_whole_text(monkeypatch: pytest.MonkeyPatch) -> None:
    texts: list[str] = []
    compose = yaml_nodes.compose

    def count_calls(text: str) -> Node | None:
        texts.append(text)
        return compose(text)

    monkeypatch.setattr(yaml_text, "compose", count_calls)
    keys = [f"key{number}" for number in range(1000)]
    text = "data:\n" + "".join(f"  {key}: some text\n" for key in keys)
    document = load(text)
    places = TextPositions(document.nodes, document.value, section=document.section)
    found = [places.value(fields("data", key)) for key in keys]

    assert [span and span.line for span in found] == [*range(2, 1002)]
    assert len(texts) <= 40


def test_the_entries_of_a_map_are_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    maps: list[MapNode] = []

    def count_calls(node: MapNode) -> dict[str, tuple[Node, Node]]:
        maps.append(node)
        return entries(node)

    monkeypatch.setattr("kubectl_applylint.sources.text.positions.entries", count_calls)
    document = load("".join(f"entry{number}: {number}\n" for number in range(100)))
    found = TextPositions(document.nodes, document.value)

    assert all(found.value(fields(f"entry{number}")) for number in range(100))
    assert len(maps) == 1
