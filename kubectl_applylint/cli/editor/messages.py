"""Messages of JSON-RPC as the Language Server Protocol frames them: headers, an empty line, and a body in JSON."""

import json
from typing import BinaryIO, Final

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import JsonObject

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603
NOT_INITIALIZED: Final = -32002
REQUEST_CANCELLED: Final = -32800
LONGEST: Final = 64 * 1024 * 1024
"""Maximum length of a message in bytes."""
_AT_ONCE: Final = 1024 * 1024
_LONGEST_HEADER: Final = 4096
_LENGTH: Final = regex(rb"(?i)content-length:[ \t]*(\d{1,18})[ \t]*\r?\n\Z")


@dataclass(frozen=True, slots=True)
class MalformedMessage:
    """A message that is not one of the protocol, with the error code."""

    code: int
    reason: str


def read_message(source: BinaryIO) -> JsonObject | MalformedMessage | None:
    """Return the next message, or ``None`` at the end of the stream."""
    length = None
    while (line := source.readline(_LONGEST_HEADER)).strip():
        found = _LENGTH.match(line)
        length = int(found[1]) if found else length
    if not line:
        return None
    if length is None:
        return MalformedMessage(INVALID_REQUEST, "a message without the header Content-Length")
    if length > LONGEST:
        _skip(source, length)
        return MalformedMessage(INVALID_REQUEST, f"a message larger than {LONGEST // 1024**2} MiB")
    body = source.read(length)
    return _parse(body) if len(body) == length else None


def _skip(source: BinaryIO, length: int) -> None:
    """Read and drop a number of bytes."""
    while length > 0 and (part := source.read(min(length, _AT_ONCE))):
        length -= len(part)


def _parse(body: bytes) -> JsonObject | MalformedMessage:
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return MalformedMessage(PARSE_ERROR, "a message that is not JSON")
    if not isinstance(message, dict):
        return MalformedMessage(INVALID_REQUEST, "a message that is not a JSON object")
    return message


def write_message(sink: BinaryIO, message: JsonObject) -> None:
    """Write a message with its header."""
    body = json.dumps({"jsonrpc": "2.0", **message}, separators=(",", ":")).encode()
    sink.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    sink.flush()
