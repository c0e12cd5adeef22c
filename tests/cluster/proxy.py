"""A proxy in front of the API server that remembers what a client sends."""

import http.server
import threading
import urllib.parse
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus

from kubectl_applylint.core.values import Json
from tests.cluster.api import Api, Reply

# What the answer depends on; no Accept-Encoding, so that bodies stay readable.
_REQUEST_HEADERS = {"accept", "content-type", "user-agent", "kubectl-command", "if-none-match"}
_REPLY_HEADERS = {"content-type", "etag", "cache-control", "warning", "last-modified", "vary"}


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request as the client sent it, and what became of it. ``body`` is ``None`` where there is none."""

    method: str
    path: str
    query: tuple[tuple[str, str], ...]
    content_type: str | None
    body: str | None
    status: int
    error: Json = None
    """The answer to a rejected request."""

    @property
    def writes(self) -> bool:
        """Whether the request was meant to change something."""
        return self.method not in ("GET", "HEAD", "OPTIONS")


class Recording:
    """A proxy at work: ``url`` is where clients go instead of the server."""

    def __init__(self, api: Api) -> None:
        self.api = api
        self._exchanges: list[Exchange] = []
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def take(self) -> tuple[Exchange, ...]:
        """Return what was sent since the last call, in the order of the answers."""
        taken, self._exchanges = tuple(self._exchanges), []
        return taken

    def remember(self, exchange: Exchange) -> None:
        """Add an exchange to those that ``take`` returns."""
        self._exchanges.append(exchange)

    def serve(self) -> None:
        """Answer requests until ``stop`` is called."""
        self._server.serve_forever(poll_interval=0.05)

    def stop(self) -> None:
        """End ``serve`` and close the port."""
        self._server.shutdown()
        self._server.server_close()


@contextmanager
def recording(api: Api) -> Iterator[Recording]:
    """Run a proxy that passes every request on as ``api``'s user; answers that never end (watches) time out."""
    proxy = Recording(api)
    thread = threading.Thread(target=proxy.serve, daemon=True)
    thread.start()
    try:
        yield proxy
    finally:
        proxy.stop()
        thread.join()


def _handler(proxy: Recording) -> type[http.server.BaseHTTPRequestHandler]:
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        # Head and body go out one after the other; without this the body waits 40 ms for the client's acknowledgement.
        disable_nagle_algorithm = True

        def pass_on(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = self.rfile.read(length) if length else None
            headers = {name: value for name, value in self.headers.items() if name.lower() in _REQUEST_HEADERS}
            reply = proxy.api.send(self.command, self.path, body, headers)
            proxy.remember(_exchange(self.command, self.path, self.headers.get("Content-Type"), body, reply))
            self.answer(reply)

        def answer(self, reply: Reply) -> None:
            self.send_response(reply.status)
            for name, value in reply.headers:
                if name.lower() in _REPLY_HEADERS:
                    self.send_header(name, value)
            if reply.status != HTTPStatus.NOT_MODIFIED:
                self.send_header("Content-Length", str(len(reply.body)))
            self.end_headers()
            self.wfile.write(reply.body)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = pass_on

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing: the exchanges are the log."""

    return Handler


def _exchange(method: str, target: str, content_type: str | None, body: bytes | None, reply: Reply) -> Exchange:
    parts = urllib.parse.urlsplit(target)
    return Exchange(
        method=method,
        path=parts.path,
        query=tuple(urllib.parse.parse_qsl(parts.query, keep_blank_values=True)),
        content_type=content_type,
        body=None if body is None else body.decode(errors="replace"),
        status=reply.status,
        error=reply.json if reply.status >= HTTPStatus.BAD_REQUEST else None,
    )
