"""The documents of an editor."""

import pytest

from kubectl_applylint.cli.editor.texts import (
    InvalidParamsError,
    OpenText,
    opened_document,
    path_of,
    position_in,
    uri_in,
    uri_of,
    with_changes,
)
from kubectl_applylint.core.values import Json, JsonObject

URI = "file:///a.yaml"
FACE = "\N{GRINNING FACE}"


def edit(start: tuple[int, int], end: tuple[int, int], text: str) -> JsonObject:
    places = (("start", start), ("end", end))
    return {"range": {name: {"line": line, "character": at} for name, (line, at) in places}, "text": text}


@pytest.mark.parametrize(
    ("before", "change", "after"),
    [
        ("a\nb\n", {"text": "c"}, "c"),
        ("a\nb\n", edit((1, 0), (1, 1), "x"), "a\nx\n"),
        (f"a{FACE}b\n", edit((0, 3), (0, 4), "x"), f"a{FACE}x\n"),
        ("a\nb", edit((0, 1), (1, 0), ""), "ab"),
        ("a\r\nb\rc\n", edit((2, 0), (2, 1), "x"), "a\r\nb\rx\n"),
        ("a\u2028b\nc", edit((1, 0), (1, 1), "x"), "a\u2028b\nx"),
        ("a\r\nb", edit((0, 9), (0, 9), "x"), "ax\r\nb"),
        ("a", edit((7, 0), (9, 9), "x"), "ax"),
    ],
    ids=["all", "a word", "UTF-16", "a line break", "other breaks", "no break", "after the line", "after the text"],
)
def test_a_change_replaces_its_range(before: str, change: JsonObject, after: str) -> None:
    found = with_changes(
        OpenText(URI, before), {"textDocument": {"uri": URI, "version": 2}, "contentChanges": [change]}
    )

    assert (found.text, found.version) == (after, 2)


@pytest.mark.parametrize(
    "changes",
    [
        None,
        [1],
        [{"text": None}],
        [{"text": "", "range": {}}],
        [edit((-1, 0), (0, 0), "")],
        [edit((0, 0), (True, 0), "")],
    ],
)
def test_an_invalid_change_is_rejected(changes: Json) -> None:
    with pytest.raises(InvalidParamsError):
        with_changes(OpenText(URI, "a"), {"textDocument": {"uri": URI}, "contentChanges": changes})


def test_a_document_needs_a_text_and_an_address() -> None:
    assert opened_document({"textDocument": {"uri": URI, "text": "a", "version": 1}}) == OpenText(URI, "a", 1)
    with pytest.raises(InvalidParamsError, match="text"):
        opened_document({"textDocument": {"uri": URI}})
    with pytest.raises(InvalidParamsError, match="uri"):
        uri_in({"textDocument": {"uri": 1}})
    with pytest.raises(InvalidParamsError, match="position"):
        position_in(None)


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///a%20b/%C3%A9.yaml", "/a b/é.yaml"),
        ("file://localhost/a", "/a"),
        ("file:///c:/a.yaml", "c:/a.yaml"),
        ("file://other/a", ""),
        ("file:///a%00b", ""),
        ("untitled:1", ""),
        ("https://[1/a", ""),
    ],
)
def test_only_local_files_have_a_path(uri: str, path: str) -> None:
    assert path_of(uri) == path


@pytest.mark.parametrize("path", ["/a b/é#1.yaml", "/c/d", "c:/a.yaml"])
def test_the_address_of_a_path_leads_back(path: str) -> None:
    assert path_of(uri_of(path)) == path


def test_lines_are_those_of_findings() -> None:
    assert OpenText(URI, "a\nb\n").lines == ["a", "b", ""]
    assert OpenText(URI, "").path == "/a.yaml"
