"""Blocks are identified by their text, and the rest of a document keeps its lines."""

import pytest

from kubectl_applylint.sources.text.yaml_blocks import split_blocks
from tests.sources.schemas import definition, fields, indent

FILLED = f"# {'x' * 20_000}\n"
OUTER = f"properties:\n  a:\n    properties:\n{indent(6, fields(60))}    type: object\n"


def test_blocks_and_words_make_the_document() -> None:
    """Each word stands where its block stood, and all else is in its line."""
    text = definition({"a": fields(60), "b": fields(40), "c": fields(800)})

    found = split_blocks(text)

    assert found is not None
    assert found.text.count("\n") == text.count("\n")
    assert list(found.blocks.values()) == [indent(18, fields(60)), indent(18, fields(40))]
    whole = found.text
    for word, block in found.blocks.items():
        whole = whole.replace(f" {word}" + "\n" * (block.count("\n") + 1), f"\n{block}")
    assert whole == text


def test_the_largest_that_is_not_too_large_is_taken() -> None:
    """A block that is too large is looked into."""
    inner = f"deep:\n  properties:\n{indent(4, fields(300))}other:\n  properties:\n{indent(4, fields(1000))}"

    found = split_blocks(definition({"a": inner}))

    assert found is not None
    assert list(found.blocks.values()) == [indent(22, fields(300))]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(definition({"a": fields(60)}), id="a small document"),
        pytest.param(definition({"a": fields(2000)}), id="a large block"),
        pytest.param(definition({f"a{number}": fields(5) for number in range(200)}), id="small blocks"),
        pytest.param(definition({"a": fields(60), "b": fields(800)}) + "=block0: 1\n", id="a word of its own"),
        pytest.param(definition({"a": fields(60, "x\u2028y"), "b": fields(800)}), id="a line break"),
        pytest.param(definition({"a": f"\ufeff{fields(60)}", "b": fields(800)}), id="a byte order mark"),
        pytest.param(f"{FILLED}properties:\n{indent(2, fields(60))}", id="the last thing of a text"),
        pytest.param(f"{FILLED}properties:\n{indent(2, fields(60))}...\n", id="the last thing of a document"),
        pytest.param(f"{FILLED}{OUTER}...\n", id="what is inside of the last thing"),
        pytest.param(f"{FILLED}properties:\n{indent(2, fields(60))}# x\n", id="the last thing but a comment"),
        pytest.param(f"{FILLED}properties:\n{indent(2, fields(60))}\ufeff\n", id="the last thing but a mark"),
        pytest.param(f"{FILLED}- properties:\n{indent(4, fields(60))}- a\n", id="not in a line of its own"),
    ],
)
def test_small_documents_are_not_split(text: str) -> None:
    assert split_blocks(text) is None
