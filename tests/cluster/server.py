"""Starts a kube-apiserver of our own in a temporary folder and stops it again, whatever happens in between."""

import os
import random
import secrets
import socket
import ssl
import subprocess
import textwrap
import time
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path

from tests.cluster import audit
from tests.cluster.api import Api
from tests.cluster.build import Programs

READY_SECONDS = 60
STOP_SECONDS = 10
WITHOUT = ("ServiceAccount",)
"""The admission plugins that are off unless a test asks for them: nothing here makes the accounts that pods need."""


@dataclass(frozen=True, slots=True)
class Server:
    """A running API server and what its administrator needs."""

    api: Api
    authority: Path
    """The certificate authority that the server's certificate is its own of."""
    log: Path
    audit: Path
    """The requests that the server received, by program and user."""
    process: subprocess.Popen[bytes] = field(repr=False)


@contextmanager
def running(programs: Programs, folder: Path, *, disabled: Sequence[str] = WITHOUT) -> Iterator[Server]:
    """Run an API server with an empty etcd in ``folder``; there are no controllers, no scheduler and no kubelet.

    ``disabled`` names the admission plugins that it does without.
    """
    with ExitStack() as stack:
        etcd_port, port = free_ports(2)
        _prepare(folder, token := secrets.token_urlsafe())
        log = stack.enter_context((folder / "server.log").open("wb"))
        if programs.etcd:
            stack.enter_context(_process(etcd_command(programs.etcd, folder, etcd_port), log.fileno()))
        command = [*server_command(programs, folder, port, etcd_port), *_disabling(disabled)]
        process = stack.enter_context(_process(command, log.fileno()))
        authority = folder / "certificates" / "apiserver.crt"
        _wait(lambda: holds_certificate(authority), process, folder / "server.log")
        api = Api(f"https://127.0.0.1:{port}", token, ssl.create_default_context(cafile=str(authority)))
        _wait(lambda: is_ready(api), process, folder / "server.log")
        yield Server(api, authority, folder / "server.log", audit.log_in(folder), process)


def free_ports(count: int) -> list[int]:
    """Return ports of the loopback device that are free right now.

    They are outside of the range that Linux assigns to connections, so that no connection takes them meanwhile.
    """
    with ExitStack() as stack:
        found: list[int] = []
        while len(found) < count:
            port = random.randrange(20000, 32768)
            with suppress(OSError):
                stack.enter_context(socket.socket()).bind(("127.0.0.1", port))
                found.append(port)
        return found


def etcd_command(etcd: Path, folder: Path, port: int) -> list[str]:
    """Return how a ready-made etcd is started; what it holds need not survive a crash."""
    client, peer = f"http://127.0.0.1:{port}", f"http://127.0.0.1:{free_ports(1)[0]}"
    return [
        str(etcd),
        f"--data-dir={folder / 'etcd'}",
        "--unsafe-no-fsync",
        f"--listen-client-urls={client}",
        f"--advertise-client-urls={client}",
        f"--listen-peer-urls={peer}",
        f"--initial-advertise-peer-urls={peer}",
        f"--initial-cluster=default={peer}",
    ]


def server_command(programs: Programs, folder: Path, port: int, etcd_port: int) -> list[str]:
    """Return how the API server is started, with all admission plugins that are on by default."""
    inside = [f"--etcd-dir={folder / 'etcd'}", f"--etcd-port={etcd_port}", "--stop-on-eof"]
    return [
        str(programs.apiserver),
        *([f"--etcd-servers=http://127.0.0.1:{etcd_port}"] if programs.etcd else inside),
        "--bind-address=127.0.0.1",
        f"--secure-port={port}",
        f"--cert-dir={folder / 'certificates'}",
        f"--token-auth-file={folder / 'tokens.csv'}",
        "--authorization-mode=RBAC",
        "--service-account-issuer=https://applylint.test",
        f"--service-account-key-file={folder / 'service-accounts.key'}",
        f"--service-account-signing-key-file={folder / 'service-accounts.key'}",
        "--service-cluster-ip-range=10.0.0.0/16",
        "--allow-privileged=true",
        "--enable-priority-and-fairness=false",
        *audit.flags(folder),
    ]


def _disabling(plugins: Sequence[str]) -> list[str]:
    return [f"--disable-admission-plugins={','.join(plugins)}"] if plugins else []


def _prepare(folder: Path, token: str) -> None:
    (folder / "tokens.csv").write_text(f'{token},admin,admin,"system:masters"\n')
    (folder / "service-accounts.key").write_text(private_key(secrets.token_bytes(32)))


def private_key(scalar: bytes) -> str:
    """Return the P-256 key with this private scalar as PEM (RFC 5915), so that no other program has to make one.

    The highest bit is cleared: every scalar is then below the order of the group.
    """
    number = bytes([scalar[0] & 0x7F]) + scalar[1:]
    curve = bytes.fromhex("a00a06082a8648ce3d030107")
    text = b64encode(bytes.fromhex("30310201010420") + number + curve).decode()
    return "\n".join(["-----BEGIN EC PRIVATE KEY-----", *textwrap.wrap(text, 64), "-----END EC PRIVATE KEY-----", ""])


@contextmanager
def _process(command: Sequence[str], log: int) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program until the block ends.

    In a session of its own, so that an interrupt at the keyboard reaches it through us alone; the open pipe to its
    standard input shows it that we are alive.
    """
    # A server runs as long as the tests: it collects garbage as often as it does elsewhere.
    environment = {**os.environ, "GOGC": "100"}
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=log, stderr=log, start_new_session=True, env=environment
    )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdin:
            process.stdin.close()


def holds_certificate(file: Path) -> bool:
    """Return whether ``file`` has a whole certificate: the server creates the file before it writes to it."""
    try:
        ssl.create_default_context(cafile=str(file))
    except (ssl.SSLError, FileNotFoundError):
        return False
    return True


def is_ready(api: Api) -> bool:
    """Return whether the server answers and has made the default namespace; readyz comes earlier."""
    try:
        replies = (api.call("GET", path) for path in ("/readyz", "/api/v1/namespaces/default"))
        return all(reply.status == HTTPStatus.OK for reply in replies)
    except OSError:
        return False


def _wait(condition: Callable[[], bool], process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + READY_SECONDS
    while not condition():
        if process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"the API server did not become ready: {log.read_text(errors='replace')[-2000:]}")
        time.sleep(0.05)
