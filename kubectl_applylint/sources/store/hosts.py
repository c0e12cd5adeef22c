"""Hosts with paths, and mirrors, as the configuration names them."""

from collections.abc import Mapping
from typing import Final

from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.regex import regex

HOST_PATH: Final = regex(
    r"(?P<host>[A-Za-z0-9_][A-Za-z0-9_.-]*|\[[0-9A-Fa-f:.]+\])"
    r"(?::(?P<port>[0-9]{1,5}))?(?P<path>(?:/[A-Za-z0-9._~+-]+)*)/?"
)
_SCHEMES: Final = ("https", "http")
_HTTPS: Final = 443
DEFAULT_PORTS: Final = {"https": _HTTPS, "oci": _HTTPS, "http": 80}
_MOST_PORT: Final = 65_535


@dataclass(frozen=True, slots=True)
class HostPath:
    """A host, and a path below which everything is meant; an empty path is the whole host."""

    host: str
    port: int = _HTTPS
    path: str = ""

    def covers(self, other: "HostPath") -> bool:
        """Return whether another path is on the same host, and is this path or below it."""
        is_same_host = (self.host, self.port) == (other.host, other.port)
        return is_same_host and f"{other.path}/".startswith(f"{self.path}/")

    @property
    def owner(self) -> "HostPath":
        """The host with the first part of the path, such as an organization in a registry."""
        return replace(self, path="/".join(self.path.split("/")[:2]))

    @property
    def address(self) -> str:
        """The host, with the port unless it is that of HTTPS."""
        return self.host if self.port == _HTTPS else f"{self.host}:{self.port}"

    def __str__(self) -> str:
        return f"{self.address}{self.path}"


@dataclass(frozen=True, slots=True)
class Mirror:
    """A replacement: requests for ``key`` are sent to ``place`` instead."""

    key: HostPath
    scheme: str
    place: HostPath


def host_path(text: str) -> HostPath:
    """Return the host and path of ``HOST[:PORT][/PATH]``; raises ``ValueError``."""
    found = HOST_PATH.fullmatch(text)
    port = int(found["port"] or _HTTPS) if found else 0
    if found is None or not 0 < port <= _MOST_PORT or ".." in found["path"].split("/"):
        raise ValueError(f"{text!r} is not a host such as ghcr.io or ghcr.io/owner")
    return HostPath(found["host"].lower().rstrip("."), port, found["path"])


def mirror(key: str, value: str) -> Mirror:
    """Return a mirror from its texts; raises ``ValueError``."""
    scheme, separator, rest = value.partition("://")
    if not separator:
        scheme, rest = "https", value
    if scheme not in _SCHEMES:
        raise ValueError(f"{value!r} is not a mirror such as mirror.example.com/proxy or http://localhost:5000")
    place = host_path(rest)
    has_port = regex(r"(?:\[[^\]]*\]|[^/:]*):[0-9]+.*").fullmatch(rest) is not None
    return Mirror(host_path(key), scheme, place if has_port else replace(place, port=DEFAULT_PORTS[scheme]))


def mirrors(texts: Mapping[str, str]) -> tuple[Mirror, ...]:
    """Return mirrors from their texts; raises ``ValueError``."""
    return tuple(mirror(key, value) for key, value in texts.items())
