"""The connection to an editor."""

from io import BytesIO

import pytest

from kubectl_applylint.cli.editor.connection import ClientConnection, ClosedError
from kubectl_applylint.cli.editor.messages import read_message, write_message
from kubectl_applylint.core.values import JsonObject

CANCEL = {"method": "$/cancelRequest", "params": {"id": 2}}
PATIENCE = 10


def connection(*messages: JsonObject) -> tuple[ClientConnection, BytesIO]:
    source, sink = BytesIO(), BytesIO()
    for message in messages:
        write_message(source, message)
    source.seek(0)
    found = ClientConnection(source, sink)
    found.reader.join(PATIENCE)
    return found, sink


def sent(sink: BytesIO) -> list[object]:
    sink.seek(0)
    return list(iter(lambda: read_message(sink), None))


def test_messages_are_received_in_their_order() -> None:
    found, _ = connection({"method": "a"}, {"id": 1, "method": "b"})

    assert [(found.receive(PATIENCE) or {})["method"] for _ in range(2)] == ["a", "b"]
    with pytest.raises(ClosedError):
        found.receive(PATIENCE)


def test_a_cancelled_request_is_answered_and_not_received() -> None:
    found, sink = connection({"id": 2, "method": "a"}, CANCEL, {"id": 3, "method": "b"})

    assert (found.receive(PATIENCE) or {})["method"] == "$/cancelRequest"
    assert (found.receive(PATIENCE) or {})["id"] == 3
    (answer,) = sent(sink)
    assert answer == {"jsonrpc": "2.0", "id": 2, "error": {"code": -32800, "message": "the request was cancelled"}}


def test_a_request_that_was_handled_cannot_be_cancelled() -> None:
    found, sink = connection(CANCEL, {"id": 2, "method": "a"})

    assert [(found.receive(PATIENCE) or {})["method"] for _ in range(2)] == ["$/cancelRequest", "a"]
    assert sent(sink) == []


def test_a_malformed_message_is_answered() -> None:
    source, sink = BytesIO(b"Content-Length: 1\r\n\r\n{"), BytesIO()
    with pytest.raises(ClosedError):
        ClientConnection(source, sink).receive(PATIENCE)

    (answer,) = sent(sink)
    error = {"code": -32700, "message": "a message that is not JSON was skipped"}
    assert answer == {"jsonrpc": "2.0", "id": None, "error": error}


def test_an_editor_that_reads_nothing_has_closed_the_connection() -> None:
    found, sink = connection()
    sink.close()

    with pytest.raises(ClosedError):
        found.notify("a", {})


def test_requests_are_numbered() -> None:
    found, sink = connection()
    found.request("a", {})
    found.request("b", None)

    assert [one["id"] for one in sent(sink) if isinstance(one, dict)] == ["applylint-1", "applylint-2"]
