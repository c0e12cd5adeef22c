"""The frames of messages."""

from io import BytesIO

import pytest

from kubectl_applylint.cli.editor import messages
from kubectl_applylint.cli.editor.messages import MalformedMessage, read_message, write_message


def frame(body: bytes, header: bytes = b"Content-Length: %d\r\n\r\n") -> bytes:
    return header % len(body) + body


def test_a_message_is_read_as_it_was_written() -> None:
    stream = BytesIO()
    write_message(stream, {"id": 1, "result": "\N{GRINNING FACE} é"})
    stream.seek(0)

    assert read_message(stream) == {"jsonrpc": "2.0", "id": 1, "result": "\N{GRINNING FACE} é"}
    assert read_message(stream) is None


def test_other_headers_are_skipped() -> None:
    kind = b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length:%d\r\n\r\n"

    assert read_message(BytesIO(frame(b"{}", kind))) == {}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (frame(b"{"), messages.PARSE_ERROR),
        (frame(b"\xff"), messages.PARSE_ERROR),
        (frame(b"[" * 100_000), messages.PARSE_ERROR),
        (frame(b"[]"), messages.INVALID_REQUEST),
        (b"Other: 1\r\n\r\n", messages.INVALID_REQUEST),
        (b"Content-Length: -1\r\n\r\n", messages.INVALID_REQUEST),
    ],
    ids=["not JSON", "not UTF-8", "nested deeply", "a list", "without length", "a negative length"],
)
def test_after_a_malformed_message_the_next_one_is_read(text: bytes, code: int) -> None:
    stream = BytesIO(text + frame(b'{"id":2}'))

    first = read_message(stream)
    assert isinstance(first, MalformedMessage)
    assert first.code == code
    assert read_message(stream) == {"id": 2}


def test_a_message_that_is_too_large_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "LONGEST", 10)
    stream = BytesIO(frame(b'{"a": "bcdefghijk"}') + frame(b"{}"))

    assert isinstance(read_message(stream), MalformedMessage)
    assert read_message(stream) == {}


def test_a_message_that_ends_early_is_the_end() -> None:
    assert read_message(BytesIO(b"Content-Length: 9\r\n\r\n{}")) is None
