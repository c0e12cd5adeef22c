"""The result of a request to a cluster: an answer, or a failure of some class."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, Protocol

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.values import JsonObject

JSON: Final = "application/json"


class FailureClass(StrEnum):
    """The classes of failure; each requires another action of the user."""

    UNREACHABLE = "unreachable"
    """No connection: connection refused, unknown host, no route, or proxy failure."""
    BROKEN = "broken"
    """The connection was closed before an answer arrived."""
    TLS = "tls"
    """The certificate of the server or of the client is rejected."""
    SLOW = "slow"
    """No answer before the timeout."""
    UNAUTHORIZED = "unauthorized"
    """401: no valid credentials."""
    FORBIDDEN = "forbidden"
    """403: valid credentials without permission."""
    MISSING = "missing"
    """404 for an object."""
    UNSERVED = "unserved"
    """404 for a path: the server does not serve the kind."""
    GONE = "gone"
    """410: a list cannot be continued."""
    REFUSED = "refused"
    """Any other client error."""
    FAULTY = "faulty"
    """5xx: the server failed."""
    GARBLED = "garbled"
    """An answer that is truncated, is not JSON, or has an unexpected form."""
    TOO_LARGE = "too large"
    """An answer above the maximum size."""

    @property
    def ends_all(self) -> bool:
        """Whether every further request would fail in the same way."""
        return self in (FailureClass.UNREACHABLE, FailureClass.TLS, FailureClass.UNAUTHORIZED)


@dataclass(frozen=True, slots=True)
class FailedRequest:
    """A failed request. ``message`` contains no credentials, and nothing of a body except Status messages."""

    failure_class: FailureClass
    message: str
    advice: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """A server's answer with status 200: a JSON object, and its content type."""

    body: JsonObject
    content_type: str


class Get(Protocol):
    """Sends a GET request to a server; there are no other requests."""

    def __call__(self, path: str, query: Mapping[str, str] | None = None, accept: str = JSON) -> Answer | FailedRequest:
        """Return the resource at ``path``, with the parameters of ``query``, in the form that ``accept`` names."""


@dataclass(frozen=True, slots=True)
class NoCluster:
    """No cluster can be contacted. ``is_usage_error`` marks an invalid flag (exit code 2, otherwise 3)."""

    problem: Problem
    is_usage_error: bool = False
