"""The connection to an editor: a thread reads messages, so that a request can be cancelled before it is handled."""

from queue import Empty, SimpleQueue
from threading import Thread
from typing import BinaryIO, Final

from kubectl_applylint.cli.editor.messages import (
    REQUEST_CANCELLED,
    MalformedMessage,
    read_message,
    write_message,
)
from kubectl_applylint.core.values import Json, JsonObject, dig

_CANCEL: Final = "$/cancelRequest"


class ClosedError(Exception):
    """The editor has closed the connection."""


class ClientConnection:
    """Receives the messages of an editor in their order, and sends messages to it."""

    def __init__(self, source: BinaryIO, sink: BinaryIO) -> None:
        self._source, self._sink = source, sink
        self._queue: SimpleQueue[JsonObject | MalformedMessage | None] = SimpleQueue()
        self._waiting: set[Json] = set()
        self._cancelled: set[Json] = set()
        self._sent = 0
        self.reader = Thread(target=self._read, daemon=True)
        self.reader.start()

    def receive(self, seconds: float | None) -> JsonObject | None:
        """Return the next request, notification or response, ``None`` if there is none within some seconds.

        Cancelled requests and malformed messages are answered here. Raises ``ClosedError`` at the end.
        """
        try:
            message = self._queue.get(timeout=seconds) if seconds is None or seconds > 0 else self._queue.get_nowait()
            while not self._is_accepted(message):
                message = self._queue.get_nowait()
        except Empty:
            return None
        if not isinstance(message, dict):
            raise ClosedError
        return message

    def _is_accepted(self, message: JsonObject | MalformedMessage | None) -> bool:
        """Return whether the caller receives a message; else it is answered."""
        if isinstance(message, MalformedMessage):
            self.fail(None, message.code, f"{message.reason} was skipped")
            return False
        number = message.get("id") if message else None
        if not message or "method" not in message or not isinstance(number, (int, str)):
            return True
        self._waiting.discard(number)
        if number not in self._cancelled:
            return True
        self._cancelled.discard(number)
        self.fail(number, REQUEST_CANCELLED, "the request was cancelled")
        return False

    def respond(self, number: Json, result: Json) -> None:
        """Send the result of a request."""
        self._send({"id": number, "result": result})

    def fail(self, number: Json, code: int, message: str) -> None:
        """Send the error of a request; the number is ``None`` if it is unknown."""
        self._send({"id": number, "error": {"code": code, "message": message}})

    def notify(self, method: str, params: Json) -> None:
        """Send a notification."""
        self._send({"method": method, "params": params})

    def request(self, method: str, params: Json) -> None:
        """Send a request; its response is not awaited."""
        self._sent += 1
        self._send({"id": f"applylint-{self._sent}", "method": method, "params": params})

    def _send(self, message: JsonObject) -> None:
        try:
            write_message(self._sink, message)
        except (OSError, ValueError):
            raise ClosedError from None

    def _read(self) -> None:
        """Read messages until the stream ends, in the thread."""
        message: JsonObject | MalformedMessage | None = {}
        while message is not None:
            try:
                message = read_message(self._source)
            except (OSError, ValueError):
                message = None
            self._note(message)
            self._queue.put(message)

    def _note(self, message: JsonObject | MalformedMessage | None) -> None:
        """Note a request that waits, and one that is cancelled while it waits."""
        if not isinstance(message, dict):
            return
        number = message.get("id")
        if "method" in message and isinstance(number, (int, str)):
            self._waiting.add(number)
        cancelled = dig(message, "params", "id") if message.get("method") == _CANCEL else None
        if isinstance(cancelled, (int, str)) and cancelled in self._waiting:
            self._cancelled.add(cancelled)
