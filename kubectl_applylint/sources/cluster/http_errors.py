"""Translates network exceptions and HTTP errors into failures with plain messages.

Texts of exceptions are not shown, as they may quote headers and addresses with passwords; of a body, only the message
of a Kubernetes Status is.
"""

import http.client
import socket
from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

from urllib3 import exceptions

from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import JsonObject, dig
from kubectl_applylint.sources.cluster.bounded import MAX_BYTES
from kubectl_applylint.sources.cluster.http_result import FailedRequest, FailureClass
from kubectl_applylint.sources.cluster.target import ClusterTarget

_LONGEST_MESSAGE: Final = 300
_TUNNEL = regex(r"Tunnel connection failed: (\d{3})")
_ADDRESS_ADVICE: Final = "check that the server is running and that the kubeconfig has its address"
_SLOW_ADVICE: Final = "increase the limit, such as --request-timeout=60s"
_TRUST_ADVICE: Final = "set the right one with --certificate-authority or in the kubeconfig"
_LOGIN_ADVICE: Final = "log in again; check the user with: kubectl auth whoami"

# Error codes of OpenSSL's certificate verification (x509_vfy.h).
_EXPIRED, _NOT_YET_VALID = 10, 9
_OTHER_NAME: Final = (62, 64)
_UNTRUSTED: Final = (2, 18, 19, 20, 21)


def failure_of_error(error: BaseException, target: ClusterTarget, *, is_over: bool = False) -> FailedRequest:
    """Return the failure for an exception that interrupted a request.

    ``is_over``: the deadline of the whole request has passed.
    """
    chain = list(_chain(error))
    if any(map(_is_timeout, chain)):
        return _timeout_failure(target, target.longest if is_over else target.timeout)
    if isinstance(error, exceptions.SSLError):
        return _tls_failure(chain, target)
    if isinstance(error, exceptions.ProtocolError | exceptions.DecodeError | http.client.HTTPException):
        return _interruption(chain, target)
    if isinstance(error, exceptions.ProxyError):
        message = f"the proxy for {target.server} {_cause(chain)}"
        return FailedRequest(FailureClass.UNREACHABLE, message, "check the proxy-url of the kubeconfig, or HTTPS_PROXY")
    return FailedRequest(FailureClass.UNREACHABLE, f"cannot reach {target.server}: it {_cause(chain)}", _ADDRESS_ADVICE)


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield an exception and those nested in it; urllib3 nests them in causes and in arguments."""
    yield error
    inner = [each for each in (error.__cause__, *error.args) if isinstance(each, BaseException)]
    for each in dict.fromkeys(inner):
        yield from _chain(each)


def _interruption(chain: list[BaseException], target: ClusterTarget) -> FailedRequest:
    if any(isinstance(each, ConnectionError) for each in chain):
        return FailedRequest(
            FailureClass.BROKEN, f"{target.server} closed the connection without an answer", "try again"
        )
    if any(_is_header_error(each) for each in chain):
        message = f"{target.server} sent too many or too long headers for an API server"
        return FailedRequest(FailureClass.GARBLED, message, _ADDRESS_ADVICE)
    if any(isinstance(each, http.client.BadStatusLine) for each in chain):
        return FailedRequest(FailureClass.GARBLED, f"{target.server} does not use HTTP", _ADDRESS_ADVICE)
    return FailedRequest(FailureClass.GARBLED, f"the response of {target.server} was truncated", "try again")


def _is_header_error(error: BaseException) -> bool:
    """Return whether the client rejected the headers; it raises an exception without a class of its own for that."""
    return isinstance(error, http.client.LineTooLong) or type(error) is http.client.HTTPException


def _is_timeout(error: BaseException) -> bool:
    """Return whether an exception is a timeout; urllib3 derives its connection errors from timeouts."""
    if isinstance(error, TimeoutError):
        return error.errno is None
    return isinstance(error, exceptions.TimeoutError) and not isinstance(error, exceptions.NewConnectionError)


def _timeout_failure(target: ClusterTarget, limit: float | None) -> FailedRequest:
    waited = "" if limit is None else f" within {limit:g} s"
    return FailedRequest(FailureClass.SLOW, f"{target.server} did not answer{waited}", _SLOW_ADVICE)


def _cause(chain: list[BaseException]) -> str:
    """Return the cause, as the end of a sentence about the server or the proxy."""
    for each in chain:
        if isinstance(each, socket.gaierror):
            return "has a host name that does not resolve"
        if isinstance(each, ConnectionRefusedError):
            return "refused the connection"
        if tunnel := _TUNNEL.match(str(each)):
            return f"answered {tunnel[1]}"
        if isinstance(each, OSError) and each.strerror and each.errno:
            return f"could not be connected to ({each.strerror.lower()})"
    return "could not be connected to"


def _tls_failure(chain: list[BaseException], target: ClusterTarget) -> FailedRequest:
    code = next(filter(None, (getattr(each, "verify_code", None) for each in chain)), None)
    reason = next(filter(None, (getattr(each, "reason", None) for each in chain)), "")
    message, advice = _verification(code, target) if code else _handshake(reason, target)
    return FailedRequest(FailureClass.TLS, message, advice)


def _verification(code: int, target: ClusterTarget) -> tuple[str, str]:
    whose = f"the certificate of {target.server}"
    if code in _OTHER_NAME:
        host = target.cluster.get("tls-server-name") or urlsplit(target.server).hostname
        return f"{whose} is not for {host}", "set its host name with --tls-server-name"
    if code in _UNTRUSTED:
        return f"{whose} is signed by an authority that is not trusted", _TRUST_ADVICE
    if code in (_EXPIRED, _NOT_YET_VALID):
        return f"{whose} {'has expired' if code == _EXPIRED else 'is not valid yet'}", "renew it, or set the clock"
    return f"{whose} cannot be verified (code {code})", _TRUST_ADVICE


def _handshake(reason: str, target: ClusterTarget) -> tuple[str, str]:
    if reason in ("WRONG_VERSION_NUMBER", "UNKNOWN_PROTOCOL", "HTTP_REQUEST"):
        return f"{target.server} does not use TLS", "use http:// or another port"
    if "CERTIFICATE" in reason:
        return f"{target.server} does not accept the client certificate", _LOGIN_ADVICE
    words = reason.replace("_", " ").lower() or "no reason given"
    return f"TLS connection with {target.server} failed: {words}", _ADDRESS_ADVICE


def failure_of_status(status: int, reason: str, body: JsonObject | None, target: ClusterTarget) -> FailedRequest:
    """Return the failure for an HTTP status other than 200; ``body`` is ``None`` if it is not a JSON object."""
    server_message = _server_message(body)
    answered = f"{target.server} answered {status}" + (f" {reason}" if reason else "")
    if status == 401:
        whose = f" of user {target.user_name!r}" if target.user_name else ""
        message = f"{target.server} does not accept the credentials{whose} (401): they have expired or are wrong"
        return FailedRequest(FailureClass.UNAUTHORIZED, message, _LOGIN_ADVICE)
    if status == 403 and body is not None:
        return FailedRequest(FailureClass.FORBIDDEN, server_message or answered)
    if status == 404:
        # Anything may answer 404; only a Status states that the object does not exist.
        is_status = (dig(body, "kind"), dig(body, "reason")) == ("Status", "NotFound")
        is_named = is_status and isinstance(dig(body, "details", "name"), str)
        return FailedRequest(FailureClass.MISSING if is_named else FailureClass.UNSERVED, server_message or answered)
    if status == 410:
        return FailedRequest(FailureClass.GONE, server_message or answered)
    if 300 <= status < 400:
        return FailedRequest(FailureClass.REFUSED, f"{answered}: it redirects to another address", _ADDRESS_ADVICE)
    trouble = FailureClass.FAULTY if status >= 500 or status == 429 else FailureClass.REFUSED
    return FailedRequest(trouble, f"{answered}: {server_message}" if server_message else answered)


def _server_message(body: JsonObject | None) -> str:
    """Return the message of a Status in one line."""
    message = dig(body, "message")
    return " ".join(message.split())[:_LONGEST_MESSAGE] if isinstance(message, str) else ""


def too_large_failure(target: ClusterTarget) -> FailedRequest:
    """Return the failure for an answer above the maximum size."""
    message = f"the response of {target.server} is larger than {MAX_BYTES // 1024**2} MiB"
    return FailedRequest(FailureClass.TOO_LARGE, message, "request less: one namespace with -n, or fewer files")


def not_json_failure(content_type: str, target: ClusterTarget) -> FailedRequest:
    """Return the failure for an answer that is not JSON."""
    form = content_type.partition(";")[0].strip() or "something"
    message = f"{target.server} answered with {form} that is not a JSON object"
    return FailedRequest(FailureClass.GARBLED, message, "check that this is the address of a Kubernetes API server")
