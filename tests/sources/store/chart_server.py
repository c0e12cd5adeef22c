"""A server on the loopback device: an OCI registry and a Helm repository of packed charts, which may also misbehave."""

import hashlib
import json
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from kubectl_applylint.sources.store.chart_archive import ArchiveError, read_archive

MANIFEST = "application/vnd.oci.image.manifest.v1+json"
CONFIG = "application/vnd.cncf.helm.config.v1+json"
LAYER = "application/vnd.cncf.helm.chart.content.v1.tar+gzip"
PEM = Path(__file__).parent.parent / "pem"
Answer = tuple[int, Mapping[str, str], bytes]


def digest(content: bytes) -> str:
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


@dataclass
class ChartServer:
    """Charts by name and version; ``special`` are answers by path that come before all others."""

    charts: dict[tuple[str, str], bytes] = field(default_factory=dict)
    special: dict[str, Answer] = field(default_factory=dict)
    digests: dict[str, str] = field(default_factory=dict)
    """The digests of the index by version, if they are wrong."""
    requests: list[str] = field(default_factory=list)
    logins: list[str] = field(default_factory=list)
    token: str = ""
    """The token that the registry asks for, empty for none."""
    port: int = 0

    def answer(self, path: str, authorization: str) -> Answer:
        bare = path.partition("?")[0]
        if bare in self.special:
            return self.special[bare]
        if bare == "/token":
            return 200, {}, json.dumps({"token": self.token}).encode()
        if bare.startswith("/v2/") and self.token and authorization != f"Bearer {self.token}":
            realm = f'Bearer realm="http://127.0.0.1:{self.port}/token",service="test",scope="pull"'
            return 401, {"WWW-Authenticate": realm}, b""
        if bare.endswith("/index.yaml"):
            return 200, {}, self.index()
        found = next(
            (packed for (name, version), packed in self.charts.items() if bare.endswith(f"/{name}-{version}.tgz")), None
        )
        return (200, {}, found) if found is not None else self.registry(bare)

    def index(self) -> bytes:
        entries: dict[str, list[dict[str, Any]]] = {}
        for (name, version), packed in self.charts.items():
            wrong = self.digests.get(version, digest(packed)[7:])
            entry = {"name": name, "version": version, "urls": [f"files/{name}-{version}.tgz"], "digest": wrong}
            entries.setdefault(name, []).append(entry)
        lines = ["apiVersion: v1", "entries:"]
        for name, versions in entries.items():
            lines += [f"  {name}:", *(f"  - {json.dumps(one)}" for one in versions)]
        return "\n".join([*lines, "generated: now", ""]).encode()

    def registry(self, path: str) -> Answer:
        repository, _, reference = path.removeprefix("/v2/").rpartition("/")
        chart, _, what = repository.rpartition("/")
        name = chart.rpartition("/")[2]
        versions = {version: packed for (own, version), packed in self.charts.items() if own == name}
        if path.endswith("/tags/list"):
            name = path.removesuffix("/tags/list").rpartition("/")[2]
            tags = [version.replace("+", "_") for own, version in self.charts if own == name]
            return 200, {}, json.dumps({"tags": tags}).encode()
        for version, packed in versions.items():
            config, manifest = self.manifest(packed)
            if what == "manifests" and reference in (version.replace("+", "_"), digest(manifest)):
                return 200, {"Content-Type": MANIFEST, "Docker-Content-Digest": digest(manifest)}, manifest
            if what == "blobs" and reference in (digest(packed), digest(config)):
                return 200, {}, packed if reference == digest(packed) else config
        return 404, {}, b""

    def manifest(self, packed: bytes) -> tuple[bytes, bytes]:
        """Return the configuration and the manifest of a chart."""
        try:
            chart = read_archive(packed)
            config = json.dumps({"apiVersion": "v2", "name": chart.name, "version": chart.version}).encode()
        except ArchiveError:
            config = b'{"apiVersion": "v2", "name": "web", "version": "1.2.3"}'
        layer = {"mediaType": LAYER, "digest": digest(packed), "size": len(packed)}
        about = {"mediaType": CONFIG, "digest": digest(config), "size": len(config)}
        found = {"schemaVersion": 2, "mediaType": MANIFEST, "config": about, "layers": [layer]}
        return config, json.dumps(found).encode()


@contextmanager
def serving(server: ChartServer, certificate: str = "") -> Iterator[ChartServer]:
    """Serve charts until the block ends, with TLS if a certificate of ``sources/pem`` is named."""

    class Handler(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            self.do_GET()

        def do_GET(self) -> None:
            server.requests.append(f"{self.command} {self.path}")
            authorization = self.headers.get("Authorization", "")
            server.logins += [authorization] if authorization else []
            status, headers, body = server.answer(self.path, authorization)
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(body)

        def log_message(self, *words: Any) -> None:
            pass

    found = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.port = found.server_port
    if certificate:
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(PEM / certificate, PEM / "server.key")
        found.socket = tls.wrap_socket(found.socket, server_side=True)
    thread = Thread(target=found.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        found.shutdown()
        found.server_close()
        thread.join()
