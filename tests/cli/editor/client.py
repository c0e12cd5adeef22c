"""An editor for tests, which the real program serves."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from threading import Timer

from kubectl_applylint.core.values import Json, JsonObject

_PATIENCE = 60
"""The seconds after which a program that does not answer is ended."""
_PUBLISHED = "textDocument/publishDiagnostics"


@dataclass(frozen=True)
class Editor:
    """An editor that opens one file, and that the program serves."""

    process: "subprocess.Popen[bytes]"
    uri: str
    numbers: Iterator[int] = field(default_factory=lambda: count(1))
    received: list[JsonObject] = field(default_factory=list)
    """The notifications that no test has read."""

    def notify(self, method: str, params: Json) -> None:
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method: str, params: Json) -> Json:
        """Return the result of a request."""
        return self.answer(method, params)["result"]

    def answer(self, method: str, params: Json) -> JsonObject:
        """Return the response to a request: its result, or its error."""
        number = next(self.numbers)
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        while (message := self._read()).get("id") != number or "method" in message:
            self.received.append(message)
        return message

    def at(self, line: int, character: int) -> JsonObject:
        """Return the parameters of a request about a position."""
        return {"textDocument": {"uri": self.uri}, "position": {"line": line, "character": character}}

    def fixes(self, extent: Json) -> list[JsonObject]:
        """Return the code actions for a range."""
        asked = {"textDocument": {"uri": self.uri}, "range": extent, "context": {"diagnostics": []}}
        found: list[JsonObject] = self.ask("textDocument/codeAction", asked)
        return found

    def open(self, text: str) -> list[JsonObject]:
        document = {"uri": self.uri, "languageId": "yaml", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})
        return self.read_diagnostics()

    def change(self, text: str, version: int) -> None:
        document = {"uri": self.uri, "version": version}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})

    def read_diagnostics(self) -> list[JsonObject]:
        """Return the next diagnostics of the file."""
        while True:
            params = self.next(_PUBLISHED)
            if params["uri"] == self.uri:
                found: list[JsonObject] = params["diagnostics"]
                return found

    def next(self, method: str) -> JsonObject:
        """Return the parameters of the next notification of a method."""
        for place, message in enumerate(self.received):
            if message.get("method") == method:
                return dict(self.received.pop(place)["params"])
        while (message := self._read()).get("method") != method:
            self.received.append(message)
        return dict(message["params"])

    def send(self, message: JsonObject) -> None:
        self.send_bytes(json.dumps(message).encode())

    def send_bytes(self, body: bytes) -> None:
        assert self.process.stdin
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


@contextmanager
def running_editor(folder: Path, settings: Json = None, *, patience: float = _PATIENCE) -> Iterator[Editor]:
    """Run the program for an editor in a folder, and end it as an editor does."""
    command = [sys.executable, "-m", "kubectl_applylint", "lsp"]
    with subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        timer = Timer(patience, process.kill)
        timer.start()
        made = Editor(process, f"file://{folder}/web.yaml")
        params = {
            "processId": None,
            "rootUri": f"file://{folder}",
            "capabilities": {},
            "initializationOptions": settings,
        }
        made.ask("initialize", params)
        made.notify("initialized", {})
        yield made
        made.ask("shutdown", None)
        made.notify("exit", None)
        assert process.wait(10) == 0
        timer.cancel()
