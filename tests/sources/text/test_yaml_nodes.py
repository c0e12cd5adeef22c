import pytest

from kubectl_applylint.core.nesting import MOST_LEVELS
from kubectl_applylint.sources.text.yaml_events import YamlError
from kubectl_applylint.sources.text.yaml_nodes import ListNode, MapNode, ScalarNode, compose, entries, target


def extent(text: str) -> tuple[int, int, int, int]:
    node = compose(text)
    assert node is not None
    return node.start.line, node.start.column, node.end.line, node.end.column


def test_nodes_know_their_values_and_kinds() -> None:
    node = compose("a: [1, &x b, *x]\n")

    assert isinstance(node, MapNode)
    key, value = node.pairs[0]
    assert isinstance(key, ScalarNode)
    assert isinstance(value, ListNode)
    assert [key.value, *(target(item).value for item in value.items)] == ["a", 1, "b", "b"]  # type: ignore[union-attr]


@pytest.mark.parametrize("text", ["", "# nothing\n", "---\n...\n"])
def test_no_document_has_no_nodes(text: str) -> None:
    node = compose(text)

    assert node is None or (isinstance(node, ScalarNode) and node.value is None)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a: b\nc: d\n\n# note\n", (0, 0, 1, 4)),
        ("- a\n- b: c\n\n\n", (0, 0, 1, 6)),
        ("[a,\n b]  # note\n", (0, 0, 1, 3)),
        ("'a\n\n b'\n", (0, 0, 2, 3)),
        ("a: {}\n", (0, 0, 0, 5)),
        ("a:\n", (0, 0, 0, 2)),
    ],
)
def test_a_block_ends_with_its_last_child(text: str, place: tuple[int, int, int, int]) -> None:
    assert extent(text) == place


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("a: 1\nb: 2\na: 3\n", {"a": 2, "b": 1}),
        ("<<: {a: 1,\n b: 2}\na: 3\n", {"a": 2, "b": 1}),
        ("a: 3\n<<: {a: 1,\n b: 2}\n", {"a": 1, "b": 2}),
        ("<<: [{a: 1},\n {a: 2,\n b: 3}]\n", {"a": 0, "b": 2}),
        ("x: &x\n  a: 1\n<<: *x\n", {"x": 0, "a": 1}),
        ("<<: {<<: {a: 1,\n  b: 1}, b: 2}\n", {"a": 0, "b": 1}),
        ("<<: []\n", {}),
        ("'<<': 1\n", {"<<": 0}),
        ("!!merge <<: {a: 1}\n", {"a": 0}),
        ("!!str <<: 1\n", {"<<": 0}),
        ("yes: 1\nn: 1\n0x10: 1\n1.5: 1\n", {"true": 0, "false": 1, "16": 2, "1.5": 3}),
        ("&k a: 1\n*k : 2\n", {"a": 1}),
    ],
)
def test_the_entries_that_count(text: str, lines: dict[str, int]) -> None:
    node = compose(text)

    assert isinstance(node, MapNode)
    assert {name: value.start.line for name, (_, value) in entries(node).items()} == lines


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a: *x\n", "unknown anchor 'x' referenced"),
        ("a: &x [*x]\n", "anchor 'x' value contains itself"),
        ("a: &x\n  <<: *x\n", "anchor 'x' value contains itself"),
        ("a: 1\n? [b]\n: c\n", "invalid map key: a map or a list cannot be one"),
        ("a: &x {}\n*x : c\n", "invalid map key: a map or a list cannot be one"),
        ("<<: 1\n", "map merge requires map or sequence of maps as the value"),
        ("<<:\n", "map merge requires map or sequence of maps as the value"),
        ("<<: [{}, 1]\n", "map merge requires map or sequence of maps as the value"),
        ("a: &x [{}]\n<<: *x\n", "map merge requires map or sequence of maps as the value"),
        ("a: !!int b\n", "cannot decode !!str `b` as a !!int"),
        ("a: !!int b\na: 1\n", "cannot decode !!str `b` as a !!int"),
    ],
)
def test_complaints(text: str, problem: str) -> None:
    with pytest.raises(YamlError) as complaint:
        compose(text)

    assert complaint.value.problem == problem


def test_an_anchor_may_be_taken_again() -> None:
    node = compose("a: &x 1\nb: *x\nc: &x 2\nd: *x\ne: &x [&x 3]\nf: *x\n")

    assert isinstance(node, MapNode)
    found = {name: target(value) for name, (_, value) in entries(node).items()}
    assert [found[name].value for name in "bdf"] == [1, 2, 3]  # type: ignore[union-attr]


def test_a_null_key_is_rejected_in_entries() -> None:
    node = compose("a: 1\n~: 2\n")

    assert isinstance(node, MapNode)
    with pytest.raises(YamlError, match="unsupported map key: null"):
        entries(node)


@pytest.mark.parametrize("brackets", ["[]", "- ", "? "])
def test_depth_is_bounded(brackets: str) -> None:
    deep = brackets[0] * MOST_LEVELS + brackets[1] * MOST_LEVELS if brackets == "[]" else brackets * MOST_LEVELS
    deeper = brackets[0] * 50_000 if brackets == "[]" else brackets * 50_000

    assert compose(deep) is not None if brackets != "? " else True
    with pytest.raises(YamlError, match="nested deeper than 2000 levels"):
        compose(deeper)
