"""The values are kubectl 1.36.3's, seen with ``label --local -o json``."""

import pytest

from kubectl_applylint.core.values import Json, equal
from kubectl_applylint.sources.text.yaml_events import YamlError
from kubectl_applylint.sources.text.yaml_text import forget_texts, load

VALUES: list[tuple[str, Json]] = [
    ("a: |\n  x\n   y\n\nb: >-\n  x\n  y\n\n  z\n", {"a": "x\n y\n", "b": "x y\nz"}),
    ("a: |+\n  x\n\n\nb: 1\n", {"a": "x\n\n\n", "b": 1}),
    ("a: 'it''s\n  on'\n", {"a": "it's on"}),
    ('a: "x\\\n   y\\u00e9\\x41\\0"\n', {"a": "xyéA\0"}),
    ("a: x\n  y\n\n  z\n", {"a": "x y\nz"}),
    ("a: x:y #z\nb: x#y\n", {"a": "x:y", "b": "x#y"}),
    ("a: {b: [c, {d: e}], 'f': \"g\"}\n", {"a": {"b": ["c", {"d": "e"}], "f": "g"}}),
    ("a: [b: c, d]\n", {"a": [{"b": "c"}, "d"]}),
    ("a: {b, c: }\n", {"a": {"b": None, "c": None}}),
    ("a: !!set {b}\nc: !!omap [d: 1]\n", {"a": {"b": None}, "c": [{"d": 1}]}),
    ("a: &x {b: 1}\nc: *x\nd: [*x, *x]\n", {"a": {"b": 1}, "c": {"b": 1}, "d": [{"b": 1}, {"b": 1}]}),
    ("a: &x {b: 1, c: 2}\nd:\n  b: 3\n  <<: *x\n  c: 4\n", {"a": {"b": 1, "c": 2}, "d": {"b": 1, "c": 4}}),
    ("a: {b: .inf, b: 1}\n", {"a": {"b": 1}}),
    ("a: 1\n...\nb: 2\n", {"a": 1}),
    ("a:\n- b\n-\n- - c\n  - d\n", {"a": ["b", None, ["c", "d"]]}),
    ("# nothing\n", None),
    ("", None),
    ("~\n", None),
    ("1.0\n", 1),
    ("- 1.5\n- yes\n", [1.5, True]),
]


@pytest.mark.parametrize(("text", "value"), VALUES, ids=[text for text, _ in VALUES])
def test_values(text: str, value: Json) -> None:
    assert equal(load(text).value, value)


@pytest.mark.parametrize(
    ("text", "problem", "place"),
    [
        ("a: 1\nb: [.inf]\n", "unsupported value: +Inf: JSON has no such number", (1, 4)),
        ("a: 1\n? \n: 2\n", "unsupported map key: null", (1, 1)),
        ("18446744073709551615: 1\n", "unsupported map key: 18446744073709551615", (0, 0)),
    ],
)
def test_complaints(text: str, problem: str, place: tuple[int, int]) -> None:
    with pytest.raises(YamlError) as complaint:
        load(text)

    assert (complaint.value.problem, (complaint.value.mark.line, complaint.value.mark.column)) == (problem, place)


def laughs(levels: int, references: int) -> str:
    """Return a document whose size is ``references`` to the power of ``levels``."""
    lines = (f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * references)}]" for n in range(1, levels))
    return "\n".join(["a0: &a0 [x]", *lines, ""])


MERGES = [f"b{n}: &b{n} {{<<: [*{f'b{n - 1}' if n else 'a'}, *{f'b{n - 1}' if n else 'a'}]}}" for n in range(60)]


@pytest.mark.parametrize(
    "text",
    [laughs(30, 9), laughs(200, 2), "a: &a {b: 1}\n" + "\n".join(MERGES)],
    ids=["a billion laughs", "long chains", "merges"],
)
def test_excessive_aliasing(text: str) -> None:
    with pytest.raises(YamlError, match="document contains excessive aliasing"):
        load(text)


def test_references_may_not_nest_too_deep() -> None:
    with pytest.raises(YamlError, match="nested deeper than 2000 levels"):
        load(f"a: &a {'[' * 1_500}{']' * 1_500}\nb: {'[' * 1_500}*a{']' * 1_500}\n")


def test_too_many_references_are_an_error() -> None:
    """Up to 99 % of the values may come from references: kubectl reads the first text and rejects the second."""
    few, many = (f"a: &a [{'1,' * 500}]\nb: [{'*a,' * count}]\n" for count in (124, 125))

    assert len(load(few).value["b"]) == 124
    with pytest.raises(YamlError, match="excessive aliasing"):
        load(many)


def test_the_same_text_is_read_once() -> None:
    assert load("a: [1, 2]\n") is load("a: [1, 2]\n")


def test_the_documents_of_texts_can_be_released() -> None:
    before = load("a: b\n")
    assert load("a: b\n") is before

    forget_texts()
    assert load("a: b\n") is not before
