import gzip
import socket
import threading
import time
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace

import pytest
from urllib3 import HTTPHeaderDict, PoolManager

from kubectl_applylint.core.values import Json, equal
from kubectl_applylint.sources.cluster.client import connect
from kubectl_applylint.sources.cluster.http_result import Answer, FailedRequest, FailureClass
from kubectl_applylint.sources.cluster.target import ClusterTarget
from kubectl_applylint.sources.cluster.transport import Transport, parse_json
from tests.sources.apiserver import Answering, ApiServer, Reply, Request, forbidden, not_found, pem, serving, status

pytestmark = pytest.mark.slow


def transport_to(url: str, seconds: float = 5.0) -> Transport:
    transport = connect(
        ClusterTarget("cluster prod", "default", url, "jane", {"certificate-authority": pem("authority.crt")}, {})
    )
    assert isinstance(transport, Transport)
    return replace(transport, target=replace(transport.target, timeout=seconds, longest=seconds))


@contextmanager
def asking(reply: Answering, certificate: str = "", seconds: float = 5.0) -> Iterator[tuple[Transport, ApiServer]]:
    with serving({"/x": reply}, certificate) as server:
        transport = transport_to(server.url, seconds)
        try:
            yield transport, server
        finally:
            transport.close()


def failure(reply: Answering, certificate: str = "", seconds: float = 5.0) -> FailedRequest:
    with asking(reply, certificate, seconds) as (transport, server):
        found = transport.get("/x")
    assert isinstance(found, FailedRequest), found
    return replace(found, message=found.message.replace(server.url, "SERVER"))


def unreachable(url: str) -> FailedRequest:
    found = transport_to(url).get("/x")
    assert isinstance(found, FailedRequest)
    return found


def unused_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def test_an_answer_is_a_json_object_with_its_form() -> None:
    with asking(Reply(200, {"a": 1}, {"Content-Type": "application/json;as=X"})) as (transport, server):
        assert transport.get("/x", {"limit": "5", "continue": "a b/c="}) == Answer({"a": 1}, "application/json;as=X")

    assert server.requests[0].query == {"limit": "5", "continue": "a b/c="}
    assert server.requests[0].header("Accept") == ["application/json"]


def test_compressed_answers_are_read() -> None:
    body = gzip.compress(b'{"a": 1}')
    with asking(Reply(200, body, {"Content-Encoding": "gzip"})) as (transport, _):
        assert transport.get("/x") == Answer({"a": 1}, "application/json")


def test_connections_are_reused() -> None:
    with asking(Reply(200, {}), "server") as (transport, server):
        for _ in range(3):
            assert isinstance(transport.get("/x"), Answer)
        host = server.url.removeprefix("https://127.0.0.1:")
        pool = transport.pool.connection_from_host("127.0.0.1", int(host), "https")

    assert getattr(pool, "num_connections", None) == 1


def test_there_is_no_way_to_send_anything_but_get() -> None:
    public = {name for name in dir(Transport) if not name.startswith("_")}

    assert public == {"close", "get", "headers", "pool", "target"}


@pytest.mark.parametrize(
    ("reply", "trouble", "message"),
    [
        (
            status(401, "Unauthorized", "Unauthorized"),
            FailureClass.UNAUTHORIZED,
            "SERVER does not accept the credentials of user 'jane' (401): they have expired or are wrong",
        ),
        (
            forbidden("jane", "get", "pods", "shop"),
            FailureClass.FORBIDDEN,
            'pods is forbidden: User "jane" cannot get resource "pods" in API group "" in the namespace "shop"',
        ),
        (Reply(403, b"<html>s3cret</html>"), FailureClass.REFUSED, "SERVER answered 403 Forbidden"),
        (not_found("pods", "web"), FailureClass.MISSING, 'pods "web" not found'),
        (Reply(404, b"404 page not found\n"), FailureClass.UNSERVED, "SERVER answered 404 Not Found"),
        (status(410, "Expired", "too old"), FailureClass.GONE, "too old"),
        (
            status(400, "BadRequest", "a\nb"),
            FailureClass.REFUSED,
            "SERVER answered 400 Bad Request: a b",
        ),
        (
            Reply(302, b"", {"Location": "https://login/?s3cret"}),
            FailureClass.REFUSED,
            "SERVER answered 302 Found: it redirects to another address",
        ),
        (
            status(500, "InternalError", "etcd is away " + "x" * 400),
            FailureClass.FAULTY,
            f"SERVER answered 500 Internal Server Error: etcd is away {'x' * 287}",
        ),
        (Reply(503, b"s3cret"), FailureClass.FAULTY, "SERVER answered 503 Service Unavailable"),
        (
            Reply(200, b"<html>s3cret</html>", {"Content-Type": "text/html; charset=utf-8"}),
            FailureClass.GARBLED,
            "SERVER answered with text/html that is not a JSON object",
        ),
        (Reply(200, b"[1]"), FailureClass.GARBLED, "SERVER answered with application/json that is not a JSON object"),
        (
            Reply(200, b"[" * 99999),
            FailureClass.GARBLED,
            "SERVER answered with application/json that is not a JSON object",
        ),
        (Reply(200, b'{"a": "s3cret"}', cut=4), FailureClass.GARBLED, "the response of SERVER was truncated"),
        (
            Reply(200, b"4\r\n{s3c", {"Transfer-Encoding": "chunked", "Connection": "close", "Content-Length": ""}),
            FailureClass.GARBLED,
            "the response of SERVER was truncated",
        ),
        (
            Reply(200, b"s3cret", {"Content-Encoding": "gzip"}),
            FailureClass.GARBLED,
            "the response of SERVER was truncated",
        ),
        (Reply(drops=True), FailureClass.BROKEN, "SERVER closed the connection without an answer"),
    ],
    ids=lambda value: value.value if isinstance(value, FailureClass) else "",
)
def test_failures_are_distinguished(reply: Reply, trouble: FailureClass, message: str) -> None:
    found = failure(reply)

    assert (found.failure_class, found.message) == (trouble, message)
    assert "s3cret" not in repr(found)


def test_a_server_that_hangs_is_left_after_the_time_that_it_has() -> None:
    start = time.monotonic()
    found = failure(Reply(hangs=True), seconds=0.2)

    assert (found.failure_class, found.message) == (FailureClass.SLOW, "SERVER did not answer within 0.2 s")
    assert time.monotonic() - start < 2


def dripping(listener: socket.socket, greeting: bytes) -> None:
    client, _ = listener.accept()
    with client, suppress(OSError):
        client.recv(1024)
        client.sendall(greeting)
        while True:
            client.sendall(b" ")
            time.sleep(0.05)


@pytest.mark.slow
@pytest.mark.parametrize(
    "greeting",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 9999999\r\n\r\n{",
        b"HTTP/1.1 200 OK\r\nX: ",
        b"HTTP/1.1 ",
        b"HTTP/1.1 100 Continue\r\nX:",
    ],
    ids=["body", "header", "status", "interim"],
)
def test_a_server_that_drips_is_left_after_the_time_of_the_whole_request(greeting: bytes) -> None:
    start = time.monotonic()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        threading.Thread(target=dripping, args=(listener, greeting), daemon=True).start()
        transport = transport_to(url)
        found = replace(transport, target=replace(transport.target, timeout=5.0, longest=0.4)).get("/x")

    assert isinstance(found, FailedRequest)
    assert (found.failure_class, found.message) == (FailureClass.SLOW, f"{url} did not answer within 0.4 s")
    assert time.monotonic() - start < 2


@pytest.mark.slow
def test_a_compressed_answer_that_expands_too_much_is_rejected() -> None:
    bomb = gzip.compress(b" " * 100_000_000)
    tracemalloc.start()
    with asking(Reply(200, bomb, {"Content-Encoding": "gzip"})) as (transport, server):
        found = transport.get("/x")
        server.replies["/x"] = Reply(200, {"n": 2})
        after = transport.get("/x")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert found == FailedRequest(
        FailureClass.TOO_LARGE,
        f"the response of {server.url} is larger than 64 MiB",
        "request less: one namespace with -n, or fewer files",
    )
    assert after == Answer({"n": 2}, "application/json")
    assert peak < 160_000_000


def test_a_compressed_answer_that_ends_early_is_cut_short() -> None:
    found = failure(Reply(200, gzip.compress(b"{}")[:-4], {"Content-Encoding": "gzip"}))

    assert (found.failure_class, found.message) == (FailureClass.GARBLED, "the response of SERVER was truncated")


@pytest.mark.parametrize(
    "headers", [{f"X-{number}": "x" for number in range(200)}, {"X": "x" * 99_999}], ids=["many", "long"]
)
def test_header_lines_without_end_are_rejected(headers: dict[str, str]) -> None:
    found = failure(Reply(200, {}, headers))

    assert found.failure_class is FailureClass.GARBLED
    assert found.message == "SERVER sent too many or too long headers for an API server"


def test_a_redirect_is_not_followed() -> None:
    with serving({"/x": Reply(200, {})}) as other:
        found = failure(Reply(302, b"", {"Location": f"{other.url}/x"}))

    assert (found.failure_class, other.requests) == (FailureClass.REFUSED, [])


def test_a_server_that_never_shakes_hands_is_slow() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"https://127.0.0.1:{silent.getsockname()[1]}"
        found = transport_to(url, 0.2).get("/x")

    assert found == FailedRequest(
        FailureClass.SLOW, f"{url} did not answer within 0.2 s", "increase the limit, such as --request-timeout=60s"
    )


@pytest.mark.parametrize(
    ("certificate", "message"),
    [
        ("elsewhere", "the certificate of SERVER is not for 127.0.0.1"),
        ("expired", "the certificate of SERVER has expired"),
    ],
)
def test_certificates_that_do_not_fit(certificate: str, message: str) -> None:
    found = failure(Reply(200, {}), certificate)

    assert (found.failure_class, found.message) == (FailureClass.TLS, message)


def test_an_unknown_authority_is_reported() -> None:
    with serving({}, "server") as server:
        transport = connect(ClusterTarget("cluster prod", "default", server.url, "", {}, {}))
        assert isinstance(transport, Transport)
        found = transport.get("/x")

    assert isinstance(found, FailedRequest)
    assert found.message == f"the certificate of {server.url} is signed by an authority that is not trusted"


def test_a_missing_client_certificate_is_reported() -> None:
    with serving({"/x": Reply(200, {})}, "server", wants_client=True) as server:
        found = transport_to(server.url).get("/x")

    assert isinstance(found, FailedRequest)
    assert found.failure_class in (FailureClass.TLS, FailureClass.BROKEN)


def test_a_server_without_tls_is_reported() -> None:
    with serving({}) as server:
        found = unreachable(server.url.replace("http:", "https:"))

    assert (found.failure_class, found.message[-16:]) == (FailureClass.TLS, "does not use TLS")


def test_a_refused_connection_is_reported() -> None:
    url = f"https://127.0.0.1:{unused_port()}"

    assert unreachable(url) == FailedRequest(
        FailureClass.UNREACHABLE,
        f"cannot reach {url}: it refused the connection",
        "check that the server is running and that the kubeconfig has its address",
    )


def test_an_unknown_name_is_reported() -> None:
    found = unreachable("https://no-such-host.invalid")

    assert found.failure_class is FailureClass.UNREACHABLE
    assert found.message == "cannot reach https://no-such-host.invalid: it has a host name that does not resolve"


def test_an_invalid_address_is_reported() -> None:
    assert unreachable("https://a b").message == "cannot reach https://a b: it could not be connected to"


@pytest.mark.parametrize("server", ["https://host", "http://host"])
def test_an_unreachable_proxy_is_reported(server: str) -> None:
    proxy = f"http://me:s3cret@127.0.0.1:{unused_port()}"
    transport = connect(ClusterTarget("cluster prod", "default", server, "", {}, {}, proxy))
    assert isinstance(transport, Transport)

    found = transport.get("/x")

    assert isinstance(found, FailedRequest)
    assert found.message == f"the proxy for {server} refused the connection"
    assert "s3cret" not in repr((found, transport))


def test_a_proxy_that_wants_a_password_is_reported() -> None:
    with serving({}) as proxy:
        proxy.replies["443"] = Reply(407, {})
        transport = connect(ClusterTarget("cluster prod", "default", "https://host", "", {}, {}, proxy.url))
        assert isinstance(transport, Transport)
        found = transport.get("/x")

    assert isinstance(found, FailedRequest)
    assert found.message == "the proxy for https://host answered 407"


@pytest.mark.parametrize("greeting", [b"SSH-2.0-OpenSSH_9.6\r\n", b"HTTP/1.1 OK\r\n\r\n"], ids=["ssh", "no status"])
def test_a_server_of_another_kind_is_reported(greeting: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        url = f"http://127.0.0.1:{other.getsockname()[1]}"
        threading.Thread(target=greet, args=(other, greeting), daemon=True).start()
        found = transport_to(url).get("/x")

    assert isinstance(found, FailedRequest)
    assert (found.failure_class, found.message) == (FailureClass.GARBLED, f"{url} does not use HTTP")


def greet(listener: socket.socket, greeting: bytes) -> None:
    client, _ = listener.accept()
    with client:
        client.recv(1024)
        client.sendall(greeting)


def answering_in_turn(*replies: Reply) -> Answering:
    turns = iter(replies)
    return lambda request: next(turns)


def test_a_broken_connection_is_tried_once_more() -> None:
    with asking(answering_in_turn(Reply(200, {"n": 1}), Reply(drops=True), Reply(200, {"n": 2}))) as (transport, _):
        answers = [transport.get("/x"), transport.get("/x")]

    assert answers == [Answer({"n": 1}, "application/json"), Answer({"n": 2}, "application/json")]


@pytest.mark.parametrize("code", [429, 503])
def test_a_busy_server_is_asked_again_when_it_says(code: int) -> None:
    busy = Reply(code, {}, {"Retry-After": "0"})
    with asking(answering_in_turn(busy, busy, Reply(200, {}))) as (transport, server):
        assert isinstance(transport.get("/x"), Answer)

    assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("delay", "requests"), [("0", 6), ("600", 1), ("Wed, 21 Oct 2026 07:28:00 GMT", 1)], ids=["now", "late", "date"]
)
def test_waiting_for_a_busy_server_ends(delay: str, requests: int) -> None:
    with asking(status(429, "TooManyRequests", "later")) as (transport, server):
        server.replies["/x"] = replace(status(429, "TooManyRequests", "later"), headers={"Retry-After": delay})
        found = transport.get("/x")

    assert isinstance(found, FailedRequest)
    assert (found.failure_class, len(server.requests)) == (FailureClass.FAULTY, requests)


def test_credentials_are_not_in_the_repr() -> None:
    target = ClusterTarget("cluster prod", "default", "https://x", "jane", {}, {"token": "s3cret"})

    assert "s3cret" not in repr(Transport(target, PoolManager(), HTTPHeaderDict({"Authorization": "s3cret"})))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("9223372036854775807", 9223372036854775807),
        ("-9223372036854775808", -9223372036854775808),
        ("9223372036854775808", 9223372036854775808.0),
        ("1" + "0" * 30, 1e30),
        ("1.0", 1.0),
        ("1e3", 1000.0),
        ("-0", 0),
        ('{"a": [true, null]}', {"a": [True, None]}),
    ],
)
def test_numbers_are_read_as_kubernetes_does(text: str, value: Json) -> None:
    assert equal(parse_json(text.encode()), value)


@pytest.mark.parametrize("text", ["NaN", "[Infinity]", "{", ""])
def test_invalid_json_is_rejected(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_json(text.encode())


def request_method(request: Request) -> Reply:
    return Reply(200, {"method": request.method})


def test_every_request_is_a_get() -> None:
    with asking(request_method) as (transport, _):
        assert transport.get("/x") == Answer({"method": "GET"}, "application/json")
