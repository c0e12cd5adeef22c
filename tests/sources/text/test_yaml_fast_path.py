"""Values that are read without nodes are those of the nodes."""

from random import Random

import pytest
import yaml

from kubectl_applylint.core.values import Json, dig, equal, items, mapping
from kubectl_applylint.sources.system.recursion import USUAL_LEVELS
from kubectl_applylint.sources.text.positions import duplicate_keys
from kubectl_applylint.sources.text.yaml_events import TextMark, YamlError
from kubectl_applylint.sources.text.yaml_fast_path import forget_blocks, read_plain
from kubectl_applylint.sources.text.yaml_nodes import compose
from kubectl_applylint.sources.text.yaml_text import build
from tests.sources.generated import manifest
from tests.sources.schemas import definition, fields, indent


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: 017\nb: [x, {c: ~}]\n", {"a": 15, "b": ["x", {"c": None}]}),
        ("1: 'no'\non: no\n", {"1": "no", "true": False}),
        ("- 1.0\n-\n- |\n  x\n", [1, None, "x\n"]),
        ("a: 'what?'\nb: what?\n", {"a": "what?", "b": "what?"}),
        ("~", None),
    ],
)
def test_plain(text: str, value: Json) -> None:
    found = read_plain(text)

    assert found is not None
    assert equal(found.value, value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# nothing\n",
        "a: &a 1\n",
        "a: !!str 1\n",
        "a: &a {}\n",
        "a: !!set {}\n",
        "&a a: 1\n",
        "a: &a [1]\nb: *a\n",
        "<<: {a: 1}\n",
        "a: 1\na: 2\n",
        "? {a: 1}\n: b\n",
        "~: 1\n",
        "[a?b]\n",
        "{a: b?}\n",
        'a: "\\/"\n',
        "a: .inf\n",
        "a: [\n",
        "a: \0\n",
        "[" * (USUAL_LEVELS + 1) + "]" * (USUAL_LEVELS + 1),
    ],
    ids=lambda text: repr(text)[:30],
)
def test_unusual_texts_are_left_to_the_slow_path(text: str) -> None:
    assert read_plain(text) is None


def compose_with_keys(text: str) -> tuple[Json, tuple[int, ...], object] | None:
    """Return the value, the extent and the duplicate keys of a document, read through its nodes."""
    try:
        root = compose(text)
        return (build(root), place(root.start, root.end), duplicate_keys(lambda: root, 0)) if root else None
    except YamlError:
        return None


def place(start: TextMark, end: TextMark) -> tuple[int, ...]:
    return start.line, start.column, start.index, end.line, end.column, end.index


LARGE = fields(800)
BLOCK = f"properties:\n{indent(2, fields(60))}"
ODD = {
    "written plainly": BLOCK,
    "comments and empty lines": f"{BLOCK}\n\n  # x\n# y\n\nz: 1\n",
    "a comment before it": f"properties:\n# x\n\n{indent(2, fields(60))}",
    "a list": "properties:\n" + "".join(f"  - a{number}\n" for number in range(600)),
    "a scalar": "properties:\n" + "  x\n" * 2000,
    "a text": f"b: |\n{indent(2, BLOCK)}  c\n",
    "quotes": f"b: '\n{indent(2, BLOCK)}  c'\n",
    "quotes that end behind it": f"{BLOCK}  b: 'c\nd: '\n",
    "quotes that begin before it": f"b: 'c\n{BLOCK}  d: '\n",
    "brackets": f"b: {{\n{indent(2, BLOCK)}  }}\n",
    "brackets around it": f"b: {{\n  properties:\n    [{' x,' * 2000}\n    y]\n  }}\n",
    "an anchor": f"{BLOCK}  b: &b 1\n",
    "a reference": f"b: &b 1\n{BLOCK}  c: *b\n",
    "a key twice": f"{BLOCK}  field1: 1\n",
    "the same key again": f"{BLOCK}properties: 1\n",
    "lines that go back": f"properties:\n    b: 1\n{indent(2, fields(60))}",
    "more levels": f"{BLOCK}  b:\n     c: 1\n    d: 2\n",
    "a tab": f"{BLOCK}\tb: 1\n",
}


def beside(text: str) -> str:
    """Return a large document with some lines; the first block is searched in these."""
    inner = f"first:\n{indent(2, text)}other:\n  properties:\n{indent(4, fields(1000))}"
    return definition({"a": inner})


@pytest.mark.parametrize("text", ODD.values(), ids=ODD.keys())
def test_large_documents_are_what_the_nodes_say(text: str) -> None:
    """Whatever stands in blocks that are read by themselves, value and extent are those of the whole."""
    found, nodes = read_plain(beside(text)), compose_with_keys(beside(text))

    if found is not None:
        assert nodes is not None
        assert equal(found.value, nodes[0])
        assert (place(found.extent.start, found.extent.end), ()) == nodes[1:]
    else:
        assert nodes is None or nodes[2] or "&" in text


def test_a_document_behind_a_large_one_is_left() -> None:
    """Only the first one counts, whatever is read by itself."""
    text = f"{beside(BLOCK)}...\n---\na: 1\n"

    assert equal(found.value if (found := read_plain(text)) else None, yaml.load(beside(BLOCK), yaml.CSafeLoader))


@pytest.mark.parametrize(("outer", "inner"), [(120, 10), (10, 120)])
def test_large_documents_nest_as_deep_as_others(outer: int, inner: int) -> None:
    """Usual nesting is read, wherever it is deep."""
    text = _nested_blocks(outer, inner)

    assert equal(found.value if (found := read_plain(text)) else None, yaml.load(text, yaml.CSafeLoader))


def test_no_document_nests_deeper_by_its_blocks() -> None:
    assert read_plain(_nested_blocks(USUAL_LEVELS * 3 // 5, USUAL_LEVELS * 3 // 5)) is None


def _nested_blocks(outer: int, inner: int) -> str:
    """Return a document with a block inside ``outer`` levels, and ``inner`` levels inside the block."""
    text = beside(f"{BLOCK}  b: {'[' * inner}{']' * inner}\n")
    return "".join(f"{' ' * level}b:\n" for level in range(outer)) + indent(outer, text)


def test_equal_blocks_are_read_once() -> None:
    """Two definitions share the value of what both hold."""
    one, other = (read_plain(definition({"a": fields(60), name: LARGE})) for name in ("b", "c"))

    assert one is not None
    assert other is not None
    assert _fields_of(one.value, "a") is _fields_of(other.value, "a")
    assert equal(_fields_of(one.value, "b"), _fields_of(other.value, "c"))


def _fields_of(value: Json, name: str) -> Json:
    schema = dig(value, "spec", "versions")
    properties = dig(items(schema)[0], "schema", "openAPIV3Schema", "properties", "spec", "properties", name)
    return mapping(properties)["properties"]


@pytest.mark.slow
def test_values_are_those_of_the_nodes() -> None:
    """Generated texts, mostly unusual ones: the fast path reads them as the slow path does, and no key repeats."""
    random = Random(11)
    plain = 0
    for _ in range(4000):
        text = manifest(random, "a").replace("\r\n", "\n")
        found = read_plain(text)
        if found is not None:
            plain += 1
            nodes = compose_with_keys(text)
            assert nodes is not None
            assert equal(found.value, nodes[0])
            assert (place(found.extent.start, found.extent.end), ()) == nodes[1:]

    assert plain > 400


def test_blocks_are_read_again_after_they_were_released() -> None:
    forget_blocks()

    assert read_plain("a: b\n")
