"""A session of an editor with the real program."""

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import pytest

from kubectl_applylint.core.values import Json, JsonObject

pytestmark = pytest.mark.slow

URI = "file://{folder}/web.yaml"
TEXT = (
    "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec:\n  selector: {app: web}\n  ports:\n  - port: '80'\n"
)
SECRET = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: web\nstringData:\n  a: [c4nary-of-a-secret]\n"


@dataclass(frozen=True)
class Editor:
    """An editor that opens one file, and that the program serves."""

    process: "subprocess.Popen[bytes]"
    uri: str
    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def tell(self, method: str, params: Json) -> None:
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method: str, params: Json) -> Json:
        number = next(self.numbers)
        self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return next(one["result"] for one in iter(self._read, None) if one.get("id") == number)

    def open(self, text: str) -> list[JsonObject]:
        document = {"uri": self.uri, "languageId": "yaml", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": document})
        return self.published()

    def change(self, text: str, version: int) -> None:
        document = {"uri": self.uri, "version": version}
        self.tell("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})

    def published(self) -> list[JsonObject]:
        method = "textDocument/publishDiagnostics"
        told = next(one for one in iter(self._read, None) if one.get("method") == method)
        found: list[JsonObject] = told["params"]["diagnostics"]
        return found

    def _send(self, message: JsonObject) -> None:
        assert self.process.stdin
        body = json.dumps(message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def _read(self) -> JsonObject:
        assert self.process.stdout
        length = 0
        while line := self.process.stdout.readline().strip():
            name, _, value = line.partition(b":")
            length = int(value) if name == b"Content-Length" else length
        assert length, "the program has ended"
        message: JsonObject = json.loads(self.process.stdout.read(length))
        return message


@pytest.fixture
def editor(tmp_path: Path) -> Iterator[Editor]:
    command = [sys.executable, "-m", "kubectl_applylint", "lsp"]
    with subprocess.Popen(command, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        made = Editor(process, URI.format(folder=tmp_path))
        made.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        made.tell("initialized", {})
        yield made
        made.ask("shutdown", None)
        made.tell("exit", None)
        assert process.wait(10) == 0


def test_what_is_typed_is_checked_and_mended(editor: Editor) -> None:
    (found,) = editor.open(TEXT)
    assert (found["severity"], found["code"]) == (1, "value-of-wrong-type-rejected")

    asked = {"textDocument": {"uri": editor.uri}, "range": found["range"], "context": {"diagnostics": [found]}}
    (fix,) = editor.ask("textDocument/codeAction", asked)
    assert fix["edit"]["changes"][editor.uri][0]["newText"] == "  - port: 80\n"

    editor.change(TEXT.replace("'80'", "80"), 2)
    assert editor.published() == []


def test_edits_of_an_earlier_text_are_not_offered(editor: Editor) -> None:
    (found,) = editor.open(TEXT)
    editor.change(f"# above\n{TEXT}", 2)

    asked = {"textDocument": {"uri": editor.uri}, "range": found["range"], "context": {"diagnostics": [found]}}
    assert editor.ask("textDocument/codeAction", asked) == []

    (moved,) = editor.published()
    assert moved["range"]["start"]["line"] == found["range"]["start"]["line"] + 1
    assert len(editor.ask("textDocument/codeAction", {**asked, "range": moved["range"]})) == 1


def test_a_saved_document_is_checked(editor: Editor) -> None:
    first = editor.open(TEXT)
    editor.tell("textDocument/didSave", {"textDocument": {"uri": editor.uri}})

    assert editor.published() == first


def test_only_the_last_of_quick_changes_is_checked(editor: Editor) -> None:
    editor.open(TEXT)
    for version in range(2, 6):
        editor.change(TEXT, version)
    editor.change("apiVersion: v1\nkind: [\n", 6)

    (unread,) = editor.published()
    assert (unread["range"]["start"]["line"], unread["severity"]) == (2, 1)


def test_a_value_of_a_secret_is_not_repeated(editor: Editor) -> None:
    found = editor.open(SECRET)

    assert found
    assert "c4nary" not in json.dumps(found)


def test_a_closed_document_has_nothing(editor: Editor) -> None:
    editor.open(TEXT)
    editor.tell("textDocument/didClose", {"textDocument": {"uri": editor.uri}})

    assert editor.published() == []
