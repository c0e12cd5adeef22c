"""What comes back from a cluster: an answer, or what went wrong, told apart."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, Protocol

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.values import JsonObject

JSON: Final = "application/json"


class Trouble(StrEnum):
    """The classes of failure; each asks for another deed of the user."""

    UNREACHABLE = "unreachable"
    """No connection: refused, no such host, no route, proxy."""
    BROKEN = "broken"
    """The connection was closed before there was an answer."""
    TLS = "tls"
    """The server's certificate, or ours, is not accepted."""
    SLOW = "slow"
    """No answer within the time that a request may take."""
    UNAUTHORIZED = "unauthorized"
    """401: no valid credentials."""
    FORBIDDEN = "forbidden"
    """403: valid credentials without the right."""
    MISSING = "missing"
    """404 for an object."""
    UNSERVED = "unserved"
    """404 for a path: the server does not know the kind."""
    GONE = "gone"
    """410: a list cannot be continued."""
    REFUSED = "refused"
    """Any other answer that blames the request."""
    FAULTY = "faulty"
    """5xx: the server failed."""
    GARBLED = "garbled"
    """An answer that is cut short, is not JSON, or has another form than what was asked for."""
    TOO_LARGE = "too large"
    """An answer of more bytes than are read."""

    @property
    def ends_all(self) -> bool:
        """Whether every further request would meet the same fate."""
        return self in (Trouble.UNREACHABLE, Trouble.TLS, Trouble.UNAUTHORIZED)


@dataclass(frozen=True, slots=True)
class FailedRequest:
    """A request without a useful answer. ``message`` holds no credentials and nothing of a body but Status messages."""

    trouble: Trouble
    message: str
    advice: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server answered with 200: a JSON object, and the content type that says which form it has."""

    body: JsonObject
    content_type: str


class Get(Protocol):
    """Asks a server for a path; the only thing that anybody can ask of one."""

    def __call__(self, path: str, query: Mapping[str, str] | None = None, accept: str = JSON) -> Answer | FailedRequest:
        """Return what stands at ``path``, with the parameters of ``query``, in the form that ``accept`` names."""


@dataclass(frozen=True, slots=True)
class NoCluster:
    """No cluster can be asked at all. ``wrong_use`` tells that a flag is at fault (exit code 2, otherwise 3)."""

    problem: Problem
    wrong_use: bool = False
