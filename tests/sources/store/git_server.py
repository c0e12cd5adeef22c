"""A git server on the loopback device, by ``git http-backend``; ``special`` are answers by path that come before."""

import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from tests.sources.repositories import Repo, create


@dataclass
class GitServer:
    """Repositories below a folder, by their paths: ``org/repo``."""

    root: Path
    special: dict[str, tuple[int, Mapping[str, str], bytes]] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)
    logins: list[str] = field(default_factory=list)
    password: str = ""
    """The value of ``Authorization`` that the server asks for, empty for none."""
    port: int = 0

    def repository(self, name: str, files: Mapping[str, str]) -> Repo:
        """Create a repository with one commit."""
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        repo = create(self.root / name)
        repo.commit(dict(files))
        return repo

    def run(self, method: str, path: str, headers: Any, body: bytes) -> bytes:
        """Return the output of the CGI program of git."""
        place, _, query = path.partition("?")
        environment = {
            "PATH": os.environ["PATH"],
            "GIT_PROJECT_ROOT": str(self.root),
            "GIT_HTTP_EXPORT_ALL": "1",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_COUNT": "2",
            "GIT_CONFIG_KEY_0": "uploadpack.allowAnySHA1InWant",
            "GIT_CONFIG_VALUE_0": "true",
            "GIT_CONFIG_KEY_1": "safe.directory",
            "GIT_CONFIG_VALUE_1": "*",
            "REQUEST_METHOD": method,
            "PATH_INFO": place,
            "QUERY_STRING": query,
            "CONTENT_TYPE": headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(len(body)),
            "HTTP_CONTENT_ENCODING": headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": headers.get("Git-Protocol", ""),
        }
        return subprocess.run(["git", "http-backend"], input=body, env=environment, capture_output=True).stdout


@contextmanager
def serving_git(root: Path) -> Iterator[GitServer]:
    """Serve the repositories below a folder until the block ends."""
    server = GitServer(root)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            server.requests.append(f"{self.command} {self.path}")
            authorization = self.headers.get("Authorization", "")
            server.logins += [authorization] if authorization else []
            content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            if special := server.special.get(self.path.partition("?")[0]):
                self.reply(*special)
            elif server.password and authorization != server.password:
                self.reply(401, {"WWW-Authenticate": "Basic realm=x"}, b"")
            else:
                head, _, body = server.run(self.command, self.path, self.headers, content).partition(b"\r\n\r\n")
                lines = dict(line.split(": ", 1) for line in head.decode().split("\r\n") if line)
                self.reply(int(lines.pop("Status", "200").split()[0]), lines, body)

        do_POST = do_GET

        def reply(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *words: Any) -> None:
            pass

    found = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.port = found.server_port
    thread = Thread(target=found.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        found.shutdown()
        found.server_close()
        thread.join()
