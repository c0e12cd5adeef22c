"""A server on the loopback device that gives Helm and git the one source of each download, and nothing else.

They contact only this server. So the hosts, addresses, redirects, sizes and logins of a download are decided here, and
not by a program that the repository may mislead.
"""

import hashlib
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any, Final, TypeAlias

from kubectl_applylint.core.regex import regex
from kubectl_applylint.sources.store.download_errors import DownloadError
from kubectl_applylint.sources.store.helm_repository import IndexEntry, reduced_index
from kubectl_applylint.sources.store.registry import MANIFEST, Registry

Answer: TypeAlias = tuple[str, bytes]
"""The media type and the content of an answer."""
Answers: TypeAlias = Callable[[str], Answer | None]
"""Returns the answer for a path, ``None`` for an unknown path."""
Exchange: TypeAlias = Callable[[str, Mapping[str, str], bytes | None], Answer | None]
"""Returns the answer for a path with its query, headers, and the body of a POST."""
_MOST_BODY: Final = 1 << 20
_BLOB: Final = regex(r"[^/]+/blobs/(sha256:[0-9a-f]{64})")
_ARCHIVE: Final = regex(r"charts/([0-9]{1,6})\.tgz")
_PATH: Final = regex(r"(?:/v2)?/([0-9a-f]{32})/([^?]*)(\?.*)?")
_BYTES: Final = "application/octet-stream"


class Gateway:
    """The server. An object, because its threads share the downloads and their failures."""

    def __init__(self) -> None:
        self._answers: dict[str, Exchange] = {}
        self._failures: dict[str, str] = {}
        self._changing = Lock()
        handler = type("Handler", (_Handler,), {"gateway": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True

    @property
    def address(self) -> str:
        """The host and port of the server."""
        return f"127.0.0.1:{self._server.server_port}"

    @contextmanager
    def serve(self) -> Iterator["Gateway"]:
        """Answer requests until the block ends."""
        thread = Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            self._server.server_close()

    def open(self, answers: Answers) -> AbstractContextManager[str]:
        """Answer the requests of one download until the block ends; the value is the secret first part of its paths."""
        return self.open_exchange(lambda path, headers, body: answers(path.partition("?")[0]) if body is None else None)

    @contextmanager
    def open_exchange(self, answers: Exchange) -> Iterator[str]:
        """Answer requests as ``open``, from their headers and bodies as well."""
        token = secrets.token_hex(16)
        with self._changing:
            self._answers[token] = answers
        try:
            yield token
        finally:
            with self._changing:
                del self._answers[token]

    def failure(self, token: str) -> str:
        """Return why the first failed request of a download failed, empty if none did."""
        return self._failures.get(token, "")

    def answer(self, path: str, headers: Mapping[str, str], body: bytes | None) -> Answer | None:
        """Return the answer for a path, and note a failure."""
        match = _PATH.fullmatch(path)
        answers = self._answers.get(match[1]) if match else None
        if match is None or answers is None:
            return None
        try:
            return answers(f"{match[2]}{match[3] or ''}", headers, body)
        except DownloadError as fault:
            self._failures.setdefault(match[1], str(fault))
            return None


class _Handler(BaseHTTPRequestHandler):
    gateway: Gateway

    def do_GET(self) -> None:
        self._answer(None)

    def do_POST(self) -> None:
        size = self.headers.get("Content-Length", "")
        is_valid = size.isascii() and size.isdecimal() and int(size) <= _MOST_BODY
        self._answer(self.rfile.read(int(size)) if is_valid else b"")

    def _answer(self, body: bytes | None) -> None:
        found = self.gateway.answer(self.path, self.headers, body)  # type: ignore[arg-type]  # it has the methods
        self.send_response(200 if found else 404)
        if found:
            kind, content = found
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.send_header("Docker-Content-Digest", f"sha256:{hashlib.sha256(content).hexdigest()}")
        self.end_headers()
        if found and self.command != "HEAD":
            self.wfile.write(found[1])

    do_HEAD = do_GET

    def log_message(self, *words: Any) -> None:
        """Log nothing."""


def registry_answers(registry: Registry, manifest: bytes) -> Answers:
    """Return the answers about one chart of a registry: its manifest, and the blobs that Helm takes from it."""
    name = f"/manifests/sha256:{hashlib.sha256(manifest).hexdigest()}"

    def answer(path: str) -> Answer | None:
        if path.endswith(name):
            return MANIFEST, manifest
        blob = _BLOB.fullmatch(path)
        # A registry may only be asked for what the manifest names.
        return (_BYTES, registry.blob(blob[1])) if blob and blob[1].encode() in manifest else None

    return answer


def repository_answers(entries: list[IndexEntry], chart: str, download: Callable[[IndexEntry], bytes]) -> Answers:
    """Return the answers about one chart of a Helm repository: the index of its versions, and their archives."""

    def answer(path: str) -> Answer | None:
        if path == "index.yaml":
            return "application/json", reduced_index(entries, chart)
        number = _ARCHIVE.fullmatch(path)
        return (_BYTES, download(entries[int(number[1])])) if number and int(number[1]) < len(entries) else None

    return answer
