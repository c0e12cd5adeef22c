import base64
import http.server
import socket
import ssl
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.sources.cluster.client import connect
from kubectl_applylint.sources.cluster.http_result import Answer, FailedRequest, FailureClass, NoCluster
from kubectl_applylint.sources.cluster.target import ClusterTarget
from kubectl_applylint.sources.cluster.transport import Transport
from tests.sources.apiserver import ApiServer, Reply, Request, pem, serving

pytestmark = pytest.mark.slow

TRUSTED: JsonObject = {"certificate-authority": pem("authority.crt")}
CERTIFICATE: JsonObject = {"client-certificate": pem("client.crt"), "client-key": pem("client.key")}
HELLO = {"/version": Reply(200, {"gitVersion": "v1"})}


def target(
    url: str, cluster: JsonObject | None = None, user: JsonObject | None = None, proxy: str = ""
) -> ClusterTarget:
    return ClusterTarget(
        "cluster prod", "default", url, "jane", {"server": url, **(cluster or {})}, user or {}, proxy, 5.0
    )


@contextmanager
def open_transport(to: ClusterTarget) -> Iterator[Transport]:
    transport = connect(to)
    assert isinstance(transport, Transport), transport
    try:
        yield transport
    finally:
        transport.close()


def ask(to: ClusterTarget) -> Answer | FailedRequest:
    with open_transport(to) as transport:
        return transport.get("/version")


def request_of(server: ApiServer, to: ClusterTarget) -> Request:
    assert isinstance(ask(to), Answer)
    (request,) = server.requests
    return request


def inline(name: str) -> str:
    return base64.b64encode(Path(pem(name)).read_bytes()).decode()


@pytest.mark.parametrize(
    ("trust", "trouble"),
    [
        (TRUSTED, None),
        ({"certificate-authority-data": inline("authority.crt")}, None),
        ({"insecure-skip-tls-verify": True}, None),
        ({"certificate-authority": pem("other-authority.crt")}, FailureClass.TLS),
        ({}, FailureClass.TLS),
        ({**TRUSTED, "tls-server-name": "localhost"}, None),
        ({**TRUSTED, "tls-server-name": "kubernetes.example"}, FailureClass.TLS),
    ],
    ids=["file", "data", "insecure", "wrong", "system", "name", "wrong name"],
)
def test_servers_are_trusted_as_the_kubeconfig_says(trust: JsonObject, trouble: FailureClass | None) -> None:
    with serving(HELLO, "server") as server:
        answer = ask(target(server.url, trust))

    assert (answer.failure_class if isinstance(answer, FailedRequest) else None) == trouble


def test_a_server_for_another_host_is_trusted_by_its_name() -> None:
    with serving(HELLO, "elsewhere") as server:
        assert isinstance(ask(target(server.url, {**TRUSTED, "tls-server-name": "kubernetes.example"})), Answer)


def test_authorities_without_the_newest_extensions_are_good_enough() -> None:
    with open_transport(target("https://127.0.0.1", TRUSTED)) as transport:
        context = transport.pool.connection_pool_kw["ssl_context"]

    assert not context.verify_flags & ssl.VERIFY_X509_STRICT


@pytest.mark.parametrize(
    "user",
    [CERTIFICATE, {"client-certificate-data": inline("client.crt"), "client-key-data": inline("client.key")}],
    ids=["files", "data"],
)
def test_client_certificates_are_shown(user: JsonObject) -> None:
    with serving(HELLO, "server", wants_client=True) as server:
        assert isinstance(ask(target(server.url, TRUSTED, user)), Answer)


@pytest.mark.parametrize(
    ("user", "authorization"),
    [
        ({"token": "t0ken"}, ["Bearer t0ken"]),
        ({"username": "jane", "password": "pw"}, ["Basic " + base64.b64encode(b"jane:pw").decode()]),
        ({}, []),
    ],
    ids=["token", "password", "nobody"],
)
def test_credentials_are_sent(user: JsonObject, authorization: list[str]) -> None:
    with serving(HELLO, "server") as server:
        request = request_of(server, target(server.url, TRUSTED, user))

    assert request.header("Authorization") == authorization


def test_without_tls_no_credentials_are_sent() -> None:
    with serving(HELLO) as server:
        request = request_of(server, target(server.url, user={"token": "t", "as": "jane"}))

    assert (request.header("Authorization"), request.header("Impersonate-User")) == ([], ["jane"])


def test_the_user_to_act_as_is_sent_with_all_groups() -> None:
    user = {"as": "jäne", "as-uid": "7", "as-groups": ["g", "h"], "as-user-extra": {"acme.com/project": ["a", "b"]}}
    with serving(HELLO, "server") as server:
        request = request_of(server, target(server.url, TRUSTED, user))

    assert request.header("Impersonate-User")[0].encode("latin-1").decode() == "jäne"
    assert request.header("Impersonate-Uid") == ["7"]
    assert request.header("Impersonate-Group") == ["g", "h"]
    assert request.header("Impersonate-Extra-acme.com%2Fproject") == ["a", "b"]


def test_requests_say_who_we_are_and_take_compressed_answers() -> None:
    with serving(HELLO) as server:
        request = request_of(server, target(server.url))
        plain = target(server.url, {"disable-compression": True})
        server.requests.clear()
        second = request_of(server, plain)

    assert request.header("User-Agent")[0].startswith("kubectl-applylint/")
    assert (request.header("Accept-Encoding"), second.header("Accept-Encoding")) == (["gzip"], ["identity"])


def test_a_proxy_is_asked_for_the_server() -> None:
    with serving(HELLO) as proxy:
        to = target("http://api.example", proxy=proxy.url.replace("//", "//me:p%40ss@"))
        request = request_of(proxy, to)

    assert request.header("Host") == ["api.example"]
    assert request.header("Proxy-Authorization") == ["Basic " + base64.b64encode(b"me:p@ss").decode()]


def test_tls_goes_through_a_proxy() -> None:
    with serving(HELLO, "server") as server, tunnelling() as (proxy, asked):
        request = request_of(server, target(server.url, TRUSTED, {"token": "t"}, proxy=proxy))
        wrong = ask(target(server.url, {}, proxy=proxy))

    assert request.header("Authorization") == ["Bearer t"]
    assert isinstance(wrong, FailedRequest)
    assert wrong.failure_class is FailureClass.TLS
    assert asked == [server.url.removeprefix("https://")] * 2


@contextmanager
def tunnelling() -> Iterator[tuple[str, list[str]]]:
    """Run a proxy that lets everything through; gives its URL and the hosts that were asked for."""
    asked: list[str] = []

    class Tunnel(http.server.BaseHTTPRequestHandler):
        def do_CONNECT(self) -> None:
            asked.append(self.path)
            host, port = self.path.split(":")
            with socket.create_connection((host, int(port)), 5) as far:
                self.send_response(200)
                self.end_headers()
                back = threading.Thread(target=copy, args=(far, self.connection), daemon=True)
                back.start()
                copy(self.connection, far)
                back.join(5)
            self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    proxy = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Tunnel)
    proxy.daemon_threads = True
    thread = threading.Thread(target=proxy.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{proxy.server_port}", asked
    finally:
        proxy.shutdown()
        proxy.server_close()
        thread.join()


def copy(source: socket.socket, target: socket.socket) -> None:
    """Pass on what comes until the end, and the end."""
    try:
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        return


def test_inline_keys_do_not_stay_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    user = {"client-certificate-data": inline("client.crt"), "client-key-data": inline("client.key")}

    with serving(HELLO, "server", wants_client=True) as server:
        for _ in range(2):
            assert isinstance(ask(target(server.url, TRUSTED, user)), Answer)
            assert list(tmp_path.iterdir()) == []


def test_a_machine_without_room_for_temporary_files_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))

    refused = connect(target("https://127.0.0.1", {"certificate-authority-data": inline("authority.crt")}))

    assert isinstance(refused, NoCluster)
    assert refused.problem.message.endswith("in the kubeconfig: no such file or directory")
    assert isinstance(connect(target("https://127.0.0.1", TRUSTED)), Transport)


def test_only_the_target_says_whether_there_is_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("NO_PROXY", "api.example")
    with serving(HELLO) as server:
        assert isinstance(ask(target(server.url)), Answer)
        assert isinstance(ask(target("http://api.example", proxy=server.url)), Answer)


@contextmanager
def socks(server: ApiServer) -> Iterator[tuple[str, list[bytes]]]:
    """Run a SOCKS5 proxy for one connection, which leads to the server; gives its URL and what it was asked for."""
    asked: list[bytes] = []

    def lead(listener: socket.socket) -> None:
        client, _ = listener.accept()
        with client, socket.create_connection(("127.0.0.1", int(server.url.rpartition(":")[2]))) as onward:
            client.recv(3)
            client.sendall(b"\x05\x00")
            asked.append(client.recv(1024))
            client.sendall(b"\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00")
            onward.sendall(client.recv(65536))
            while piece := onward.recv(65536):
                client.sendall(piece)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=lead, args=(listener,), daemon=True).start()
        yield f"socks5://127.0.0.1:{listener.getsockname()[1]}", asked


def test_a_socks_proxy_looks_the_name_up_itself() -> None:
    pytest.importorskip("socks")
    with serving(HELLO) as server, socks(server) as (proxy, asked):
        assert isinstance(ask(target("http://api.example:8080", proxy=proxy)), Answer)

    assert asked == [b"\x05\x01\x00\x03\x0bapi.example\x1f\x90"]


def test_without_the_library_a_socks_proxy_is_reported_and_not_bypassed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "socks", None)

    refused = connect(target("http://127.0.0.1:9", proxy="socks5://127.0.0.1:9"))

    assert isinstance(refused, NoCluster)
    assert refused.problem.message == "a socks5:// proxy requires the library PySocks, which is not installed"


@pytest.mark.parametrize(
    ("trust", "user", "proxy", "message"),
    [
        ({"certificate-authority": pem("server.key")}, {}, "", "the certificate authority of the cluster is not"),
        (
            {"certificate-authority-data": "s3cret"},
            {},
            "",
            "certificate-authority-data in the kubeconfig is not base64",
        ),
        ({"certificate-authority-data": "czNjcmV0"}, {}, "", "the certificate authority of the cluster is not"),
        ({}, {"client-certificate": "/nowhere", "client-key": "/nowhere"}, "", "cannot read the certificates or keys"),
        ({}, {**CERTIFICATE, "client-key": pem("server.key")}, "", "the client certificate or its key is not valid"),
        ({}, {**CERTIFICATE, "client-key": pem("client.crt")}, "", "the client certificate or its key is not valid"),
        (
            {},
            {"token": "s3cret\r\nX: y"},
            "",
            "the credentials in the kubeconfig contain characters that are not allowed in HTTP headers",
        ),
        (
            {},
            {"as": "s3cret\n"},
            "",
            "the impersonation settings in the kubeconfig contain characters that are not allowed in HTTP headers",
        ),
        ({}, {}, "nonsense://u:s3cret@x", "the proxy address is not valid"),
    ],
    ids=["no CA", "no base64", "no PEM", "no file", "other key", "no key", "token", "as", "proxy"],
)
def test_unusable_settings_are_reported_before_any_request(
    trust: JsonObject, user: JsonObject, proxy: str, message: str
) -> None:
    refused = connect(target("https://127.0.0.1", trust, user, proxy))

    assert isinstance(refused, NoCluster)
    assert refused.problem.message.startswith(message)
    assert "s3cret" not in repr(refused)


def test_a_failed_plugin_opens_nothing() -> None:
    assert isinstance(connect(target("https://127.0.0.1", {}, {"exec": {"command": "no-such-login"}})), NoCluster)
