"""A small stand-in for an API server that gives prepared answers, also with TLS, and records the requests.

The certificates in ``pem/`` were made with openssl for 127.0.0.1 and last until 2126: ``server`` is good, ``elsewhere``
is for another host, ``expired`` is over, all signed by ``authority``, and so is ``client``; nothing is signed by
``other-authority``.
"""

import http.server
import json
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias
from urllib.parse import parse_qsl, urlsplit

from kubectl_applylint.core.values import Json, JsonObject

PEM = Path(__file__).parent / "pem"
LONGEST_HANG = 20.0


@dataclass(frozen=True, slots=True)
class Request:
    """A request of a client."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: tuple[tuple[str, str], ...]

    def header(self, name: str) -> list[str]:
        """Return all values of one header."""
        return [value for key, value in self.headers if key.lower() == name.lower()]


@dataclass(frozen=True, slots=True)
class Reply:
    """A prepared answer; a body that is not ``bytes`` is sent as JSON."""

    status: int = 200
    body: Json = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    """An empty one takes the header away."""
    hangs: bool = False
    """Say nothing until the server stops."""
    drops: bool = False
    """Close the connection instead of answering."""
    cut: int = 0
    """How many bytes of the body are kept back."""


Answering: TypeAlias = Reply | Callable[[Request], Reply]


class ApiServer:
    """Answers by path; what it has no reply for is answered as a real server answers an unknown path."""

    def __init__(self, replies: Mapping[str, Answering], certificate: str = "", *, wants_client: bool = False) -> None:
        self.replies = dict(replies)
        self.requests: list[Request] = []
        self.stopped = threading.Event()
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        if certificate:
            context = _context(certificate, wants_client=wants_client)
            self._server.socket = context.wrap_socket(
                self._server.socket, server_side=True, do_handshake_on_connect=False
            )
        self.url = f"{'https' if certificate else 'http'}://127.0.0.1:{self._server.server_port}"

    def reply(self, request: Request) -> Reply:
        """Return what to answer, and remember the question."""
        self.requests.append(request)
        known = self.replies.get(request.path, Reply(404, b"404 page not found\n", {"Content-Type": "text/plain"}))
        return known if isinstance(known, Reply) else known(request)

    def requested_paths(self) -> list[str]:
        """Return the paths of the requests, in their order."""
        return [request.path for request in self.requests]

    def serve(self) -> None:
        """Answer until ``stop`` is called."""
        self._server.serve_forever(poll_interval=0.02)

    def stop(self) -> None:
        """End ``serve``, let go who hangs, close the port."""
        self.stopped.set()
        self._server.shutdown()
        self._server.server_close()


@contextmanager
def serving(
    replies: Mapping[str, Answering], certificate: str = "", *, wants_client: bool = False
) -> Iterator[ApiServer]:
    """Run a server until the block ends; with TLS if a certificate is named."""
    server = ApiServer(replies, certificate, wants_client=wants_client)
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.stop()
        thread.join()


def pem(name: str) -> str:
    """Return the path of a certificate or key."""
    return str(PEM / name)


def status(code: int, reason: str, message: str, **details: Json) -> Reply:
    """Return an error as a real server words it."""
    body = {"kind": "Status", "apiVersion": "v1", "status": "Failure", "message": message, "reason": reason}
    return Reply(code, {**body, "details": details, "code": code})


def not_found(resource: str, name: str) -> Reply:
    """Return the answer to a GET of an object that does not exist."""
    return status(404, "NotFound", f'{resource} "{name}" not found', name=name, kind=resource)


def forbidden(user: str, verb: str, resource: str, namespace: str) -> Reply:
    """Return the answer to a user without the right."""
    message = (
        f'{resource} is forbidden: User "{user}" cannot {verb} resource "{resource}" in API group "" '
        f'in the namespace "{namespace}"'
    )
    return status(403, "Forbidden", message, kind=resource)


AGGREGATED = {"Content-Type": "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"}


def aggregated_discovery(groups: Mapping[str, Mapping[str, list[JsonObject]]]) -> Reply:
    """Return aggregated discovery: resources by group and version."""
    items = [
        {
            "metadata": {"name": name} if name else {},
            "versions": [
                {"version": version, "freshness": "Current", "resources": resources}
                for version, resources in versions.items()
            ],
        }
        for name, versions in groups.items()
    ]
    return Reply(200, {"kind": "APIGroupDiscoveryList", "items": items}, AGGREGATED)


def resource(plural: str, kind: str, *, namespaced: bool = True, verbs: str = "create get list patch") -> JsonObject:
    """Return one resource of aggregated discovery."""
    scope = "Namespaced" if namespaced else "Cluster"
    return {"resource": plural, "responseKind": {"kind": kind}, "scope": scope, "verbs": verbs.split()}


BASICS: Mapping[str, Answering] = {
    "/version": Reply(200, {"major": "1", "minor": "36", "gitVersion": "v1.36.3"}),
    "/api": aggregated_discovery(
        {
            "": {
                "v1": [
                    resource("bindings", "Binding", verbs="create"),
                    resource("configmaps", "ConfigMap"),
                    resource("events", "Event"),
                    resource("namespaces", "Namespace", namespaced=False),
                    resource("nodes", "Node", namespaced=False),
                    resource("pods", "Pod"),
                    resource("secrets", "Secret"),
                ]
            }
        }
    ),
    "/apis": aggregated_discovery(
        {
            "apps": {"v1": [resource("deployments", "Deployment")]},
            "autoscaling": {
                "v2": [resource("horizontalpodautoscalers", "HorizontalPodAutoscaler")],
                "v1": [resource("horizontalpodautoscalers", "HorizontalPodAutoscaler")],
            },
            "apiextensions.k8s.io": {
                "v1": [resource("customresourcedefinitions", "CustomResourceDefinition", namespaced=False)]
            },
            "example.com": {"v1": [resource("widgets", "Widget"), resource("gadgets", "Gadget")]},
        }
    ),
}
"""The answers of every cluster."""


def _context(certificate: str, *, wants_client: bool) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem(f"{certificate}.crt"), pem("server.key"))
    if wants_client:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(pem("authority.crt"))
    return context


def _handler(server: ApiServer) -> type[http.server.BaseHTTPRequestHandler]:
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle(self) -> None:
            try:
                super().handle()
            except OSError:
                # The client does not want to talk to us: no trust, or it waited long enough.
                self.close_connection = True

        def answer(self) -> None:
            url = urlsplit(self.path)
            query = dict(parse_qsl(url.query))
            reply = server.reply(Request(self.command, url.path, query, tuple(self.headers.items())))
            if reply.hangs:
                server.stopped.wait(LONGEST_HANG)
            if reply.hangs or reply.drops:
                self.close_connection = True
                return
            self.send(reply)

        def send(self, reply: Reply) -> None:
            body = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
            self.send_response(reply.status)
            headers = {"Content-Type": "application/json", "Content-Length": str(len(body)), **reply.headers}
            for name, value in headers.items():
                if value:
                    self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body[: len(body) - reply.cut])
            self.close_connection = self.close_connection or reply.cut > 0

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_CONNECT = answer

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing: ``requests`` is the log."""

    return Handler
