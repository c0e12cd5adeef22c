"""Texts that are loaded, and texts that are rejected before a function recurses into them."""

import pytest
import yaml

from kubectl_applylint.core.values import Json
from kubectl_applylint.sources.text.config_yaml import MOST_LEVELS, MOST_VALUES, load, load_with_nodes


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("a: [1, {b: c}]", {"a": [1, {"b": "c"}]}),
        ("a: &a [1]\nb: [*a, *a]", {"a": [1], "b": [[1], [1]]}),
        ("a: '" + "[" * 1_000 + "'", {"a": "[" * 1_000}),
        ("a: " + "*" * 1_000 + " not an alias", None),
    ],
)
def test_usual_text_is_loaded(text: str, value: Json) -> None:
    if "not an alias" in text:
        with pytest.raises(yaml.YAMLError):
            load(text)
    else:
        assert load(text) == value


def test_nodes_have_the_places_of_values() -> None:
    root, value = load_with_nodes("a: 1\nb: 2\n")

    assert (value, root and root.start_mark.line) == ({"a": 1, "b": 2}, 0)


def levels(count: int) -> str:
    """Return a block that nests so deep, its indentation growing by one."""
    return "".join(f"{' ' * level}a:\n" for level in range(count - 1)) + " " * (count - 1) + "a: 1\n"


@pytest.mark.parametrize(
    "text",
    ["[" * 100_000, "{a: " * 200, "- " * 200, "? " * 200, levels(MOST_LEVELS + 1), "a:\n" + "- - " * 60],
    ids=["brackets", "braces", "dashes", "question marks", "indentation", "lists in maps"],
)
def test_depth_is_bounded(text: str) -> None:
    with pytest.raises(yaml.MarkedYAMLError, match=f"nested deeper than {MOST_LEVELS} levels"):
        load(text)


def test_levels_that_are_allowed_are_loaded() -> None:
    assert load("[" * MOST_LEVELS + "]" * MOST_LEVELS)
    assert load(levels(MOST_LEVELS))


@pytest.mark.slow
def test_long_texts_without_references_are_loaded() -> None:
    assert len(load("- {a: '*'}\n" * (MOST_VALUES // 2))) == MOST_VALUES // 2
