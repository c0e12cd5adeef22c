"""What is read without nodes is what the nodes say."""

from random import Random

import pytest

from kubectl_applylint.core.values import Json, equal
from kubectl_applylint.sources.positions import repeated
from kubectl_applylint.sources.recursion import USUAL_LEVELS
from kubectl_applylint.sources.yaml_events import BadYaml, TextMark
from kubectl_applylint.sources.yaml_nodes import compose
from kubectl_applylint.sources.yaml_plain import read_plain
from kubectl_applylint.sources.yaml_text import build
from tests.sources.generated import manifest


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
def test_what_takes_nodes_to_read(text: str) -> None:
    assert read_plain(text) is None


def composed(text: str) -> tuple[Json, tuple[int, ...], object] | None:
    """Return value, extent and keys that come twice, as the nodes tell them."""
    try:
        root = compose(text)
        return (build(root), place(root.start, root.end), repeated(lambda: root, 0)) if root else None
    except BadYaml:
        return None


def place(start: TextMark, end: TextMark) -> tuple[int, ...]:
    return start.line, start.column, start.index, end.line, end.column, end.index


@pytest.mark.slow
def test_values_are_those_of_the_nodes() -> None:
    """Generated texts, most of which hold something odd: what is read plainly is read alike, and repeats no key."""
    random = Random(11)
    plain = 0
    for _ in range(4000):
        text = manifest(random, "a").replace("\r\n", "\n")
        found = read_plain(text)
        if found is not None:
            plain += 1
            nodes = composed(text)
            assert nodes is not None
            assert equal(found.value, nodes[0])
            assert (place(found.extent.start, found.extent.end), ()) == nodes[1:]

    assert plain > 400
