"""YAML that says what the value says, to every reader."""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from kubectl_applylint.core.paths import render
from kubectl_applylint.core.values import Json, equal
from kubectl_applylint.report.objects.yaml_lines import yaml_lines
from kubectl_applylint.sources.text.yaml_text import load


def text(value: Json) -> str:
    return "".join(f"{line}\n" for line in yaml_lines(value, lambda path: ""))


@pytest.mark.parametrize(
    ("value", "lines"),
    [
        ({"a": {"b": [1, {"c": 2, "d": 3}]}}, ["a:", "  b:", "  - 1", "  - c: 2", "    d: 3"]),
        ([[1, 2], []], ["- - 1", "  - 2", "- []"]),
        ({"a": None, "b": {}, "c": True, "d": 1.5}, ["a: null", "b: {}", "c: true", "d: 1.5"]),
        ({"a": "x\n\ny\n"}, ["a: |", "  x", "", "  y"]),
        ([{"a": "x\ny"}, "x\ny"], ["- a: |-", "    x", "    y", "- |-", "  x", "  y"]),
        ({"a": "  x\ny", "b": "x\n\n", "c": "x\r\ny"}, ['a: "  x\\ny"', 'b: "x\\n\\n"', 'c: "x\\r\\ny"']),
        ("text", ["text"]),
    ],
    ids=["nested", "lists in lists", "scalars", "block", "block at the end", "no block", "scalar"],
)
def test_lines(value: Json, lines: list[str]) -> None:
    assert text(value).splitlines() == lines


@pytest.mark.parametrize("plain", ["web", "nginx:1.27", "/dev/null", "25%", "500m", "1.5Gi", "a b", "app.io/name"])
def test_text_that_needs_no_quotes(plain: str) -> None:
    assert text({"a": plain}) == f"a: {plain}\n"


@pytest.mark.parametrize(
    "odd",
    [
        "",
        "1",
        "1e3",
        "0x1f",
        "yes",
        "N",
        "NULL",
        "~",
        "12:30",
        "2026-01-01",
        "- a",
        "a: b",
        "a #b",
        "a:",
        " a",
        "a ",
        "*x",
        "&x",
        "!x",
        "{a}",
        "[a]",
        "$(A)",
        "'a'",
        '"a"',
        "\u2028",
        "\x85",
        "\x1b[31m",
        "😀",
    ],
)
def test_text_that_needs_quotes(odd: str) -> None:
    quoted = text({odd: odd})

    assert quoted.startswith('"')
    assert load(quoted).value == yaml.safe_load(quoted) == {odd: odd}


def test_comments_are_on_the_first_line_of_a_value() -> None:
    value = {"a": {"b": "x\ny"}, "c": [1]}

    assert list(yaml_lines(value, lambda path: f"# {render(path)}")) == [
        "a:  # a",
        "  b: |-  # a.b",
        "    x",
        "    y",
        "c:  # c",
        "- 1  # c[0]",
    ]


TEXTS = st.text() | st.sampled_from(["a\nb", "a\nb\n", "\n", "a\n \nb", "a:b"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=12,
)


@given(VALUES)
def test_a_written_value_is_read_by_two_readers(value: Json) -> None:
    """As kubectl reads it, and as another reader of YAML does."""
    written = text(value)

    assert equal(load(written).value, value)
    assert equal(yaml.safe_load(written), value)
