"""Transport to a server: GET requests over pooled connections, each with a JSON answer or a classified failure."""

import time
from collections.abc import Mapping
from http.client import HTTPException
from typing import Final, TypeAlias
from urllib.parse import urlencode

from urllib3 import BaseHTTPResponse, HTTPHeaderDict, PoolManager, Timeout
from urllib3.exceptions import HTTPError, ProtocolError

from kubectl_applylint.core.gotext import decode
from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.values import Json
from kubectl_applylint.sources.cluster import http_errors
from kubectl_applylint.sources.cluster.bounded import TooLargeError, body_of, deadline, remaining
from kubectl_applylint.sources.cluster.http_result import JSON, Answer, FailedRequest
from kubectl_applylint.sources.cluster.target import ClusterTarget

_PATIENCE: Final = 10.0
_MOST_RETRIES: Final = 5
_BROKEN: Final = (ConnectionResetError, BrokenPipeError, ConnectionAbortedError)
_Reply: TypeAlias = tuple[BaseHTTPResponse, bytes]


@dataclass(frozen=True, slots=True)
class Transport:
    """A connection to a server, read-only: only GET requests are ever sent."""

    target: ClusterTarget
    pool: PoolManager = field(repr=False)
    headers: HTTPHeaderDict = field(repr=False)
    """Sent with every request: credentials, impersonation, accepted encodings."""

    def get(self, path: str, query: Mapping[str, str] | None = None, accept: str = JSON) -> Answer | FailedRequest:
        """Get ``path``; retries once after a broken connection, and when a busy server asks to, within 10 s.

        All retries share the timeout of a request, as in kubectl.
        """
        url = f"{self.target.server}{path}" + (f"?{urlencode(query)}" if query else "")
        limit = self.target.longest
        moment = None if limit is None else time.monotonic() + limit
        with deadline(moment):
            reply = self._get_with_retries(url, accept, moment)
        return reply if isinstance(reply, FailedRequest) else _answer(*reply, self.target)

    def close(self) -> None:
        """Close the idle connections."""
        self.pool.clear()

    def _get_with_retries(self, url: str, accept: str, moment: float | None) -> _Reply | FailedRequest:
        reply = self._get_once(url, accept, moment)
        waited = 0.0
        for _ in range(_MOST_RETRIES):
            delay = _delay(reply)
            is_late = delay is None or (moment is not None and time.monotonic() + delay > moment)
            if delay is None or is_late or waited + delay > _PATIENCE:
                break
            time.sleep(delay)
            waited += delay
            reply = self._get_once(url, accept, moment)
        return reply

    def _get_once(self, url: str, accept: str, moment: float | None) -> _Reply | FailedRequest:
        try:
            return self._send(url, accept, moment)
        except TooLargeError:
            return http_errors.too_large_failure(self.target)
        except (HTTPError, HTTPException, OSError, ValueError) as error:
            is_over = moment is not None and time.monotonic() >= moment
            return http_errors.failure_of_error(error, self.target, is_over=is_over)

    def _send(self, url: str, accept: str, moment: float | None, *, again: bool = True) -> _Reply:
        headers = self.headers.copy()
        headers["Accept"] = accept
        timeout = Timeout(total=remaining(moment), connect=self.target.timeout, read=self.target.timeout)
        try:
            response = self.pool.request(
                "GET", url, headers=headers, timeout=timeout, retries=False, redirect=False, preload_content=False
            )
            return response, body_of(response)
        except ProtocolError as error:
            # A server may close a pooled connection just when it is reused.
            if again and isinstance(error.args[-1], _BROKEN):
                return self._send(url, accept, moment, again=False)
            raise


def _delay(reply: _Reply | FailedRequest) -> float | None:
    """Return how many seconds a busy server asks to wait, or ``None``."""
    if isinstance(reply, FailedRequest) or not (reply[0].status == 429 or reply[0].status >= 500):
        return None
    seconds = reply[0].headers.get("Retry-After", "")
    return float(seconds) if seconds.isdecimal() else None


def _answer(response: BaseHTTPResponse, text: bytes, target: ClusterTarget) -> Answer | FailedRequest:
    content_type = response.headers.get("Content-Type", "")
    try:
        body = parse_json(text)
    except (ValueError, RecursionError):
        body = None
    readable = body if isinstance(body, dict) else None
    if response.status != 200:
        return http_errors.failure_of_status(response.status, response.reason or "", readable, target)
    if readable is None:
        return http_errors.not_json_failure(content_type, target)
    return Answer(readable, content_type)


def parse_json(text: bytes) -> Json:
    """Return the value of a JSON text as Kubernetes decodes it; raises ``ValueError`` for invalid JSON."""
    return decode(text.decode("utf-8", "surrogatepass"))
