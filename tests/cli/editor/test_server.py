"""A session of an editor with the real program."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from kubectl_applylint.cli.editor.messages import INVALID_PARAMS, METHOD_NOT_FOUND, PARSE_ERROR
from kubectl_applylint.core.values import Json
from tests.cli.editor.client import Editor, running_editor

pytestmark = pytest.mark.slow

TEXT = (
    "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec:\n  selector: {app: web}\n  ports:\n  - port: '80'\n"
)
SECRET = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: web\nstringData:\n  a: [c4nary-of-a-secret]\n"


@pytest.fixture
def editor(tmp_path: Path) -> Iterator[Editor]:
    with running_editor(tmp_path) as found:
        yield found


def test_a_typed_text_is_checked_and_fixed(editor: Editor) -> None:
    (found,) = editor.open(TEXT)
    assert (found["severity"], found["code"]) == (1, "value-of-wrong-type-rejected")

    (fix,) = editor.fixes(found["range"])
    assert fix["edit"]["changes"][editor.uri][0]["newText"] == "  - port: 80\n"

    editor.change(TEXT.replace("'80'", "80"), 2)
    assert editor.read_diagnostics() == []


def test_edits_of_an_earlier_text_are_not_offered(editor: Editor) -> None:
    (found,) = editor.open(TEXT)
    editor.change(f"# above\n{TEXT}", 2)

    assert editor.fixes(found["range"]) == []

    (moved,) = editor.read_diagnostics()
    assert moved["range"]["start"]["line"] == found["range"]["start"]["line"] + 1
    assert len(editor.fixes(moved["range"])) == 1


def test_a_saved_document_is_checked(editor: Editor) -> None:
    first = editor.open(TEXT)
    editor.notify("textDocument/didSave", {"textDocument": {"uri": editor.uri}})

    assert editor.read_diagnostics() == first


def test_only_the_last_of_quick_changes_is_checked(editor: Editor) -> None:
    editor.open(TEXT)
    for version in range(2, 6):
        editor.change(TEXT, version)
    editor.change("apiVersion: v1\nkind: [\n", 6)

    (unread,) = editor.read_diagnostics()
    assert (unread["range"]["start"]["line"], unread["severity"]) == (2, 1)


def test_a_value_of_a_secret_is_not_repeated(editor: Editor) -> None:
    found = editor.open(SECRET)

    assert found
    assert "c4nary" not in json.dumps(found)


def test_a_closed_document_has_nothing(editor: Editor) -> None:
    editor.open(TEXT)
    editor.notify("textDocument/didClose", {"textDocument": {"uri": editor.uri}})

    assert editor.read_diagnostics() == []


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("textDocument/codeAction", {"textDocument": {}}, INVALID_PARAMS),
        ("textDocument/codeAction", [1], INVALID_PARAMS),
        ("textDocument/rename", {}, METHOD_NOT_FOUND),
        ("$/unknown", None, METHOD_NOT_FOUND),
    ],
)
def test_an_invalid_request_gets_one_error(editor: Editor, method: str, params: Json, code: int) -> None:
    assert editor.answer(method, params)["error"]["code"] == code
    assert len(editor.open(TEXT)) == 1


def test_an_invalid_change_is_one_message(editor: Editor) -> None:
    editor.open(TEXT)
    editor.notify("textDocument/didChange", {"textDocument": {"uri": editor.uri}, "contentChanges": [{}]})

    message = editor.next("window/showMessage")["message"]
    assert message == "textDocument/didChange: the text of a change is not a string"
    editor.change("", 3)
    assert editor.read_diagnostics() == []


def test_a_message_that_is_not_json_gets_an_error(editor: Editor) -> None:
    editor.send_bytes(b"{")
    editor.open(TEXT)

    (answer,) = (one for one in editor.received if one.get("error"))
    assert answer["error"]["code"] == PARSE_ERROR
