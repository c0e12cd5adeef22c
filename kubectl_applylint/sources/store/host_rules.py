"""The rules for hosts: what downloads may contact, where mirrors lead to, and where a login may be sent."""

from collections.abc import Iterable
from typing import Final
from urllib.parse import SplitResult, unquote, urlsplit

from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.sources.store.hosts import DEFAULT_PORTS, HOST_PATH, HostPath, Mirror

_DOCKER: Final = "docker.io"
_DOCKER_REGISTRY: Final = "registry-1.docker.io"
"""The server of Docker Hub's registry."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The server and path that a URL leads to, after mirrors."""

    scheme: str
    place: HostPath
    is_trusted: bool = False
    """Whether the address may be private: a flag or the trusted configuration names the host."""
    has_login: bool = False
    """Whether a login of the user may be sent."""

    @property
    def url(self) -> str:
        """The URL after mirrors, without a query."""
        return f"{self.scheme}://{self.place.host}:{self.place.port}{self.place.path}"


@dataclass(frozen=True, slots=True)
class HostRules:
    """What downloads may contact."""

    trusted: tuple[HostPath, ...] = ()
    """Named by a flag or the trusted configuration."""
    earlier: tuple[HostPath, ...] = ()
    """Named by the earlier revision: the hosts are allowed, logins only for the same owner."""
    mirrors: tuple[Mirror, ...] = ()

    def endpoint(self, url: str) -> Endpoint | None:
        """Return where a URL leads to, or ``None`` for an invalid URL or a protocol that is not allowed.

        Whether the host is allowed is not examined: the result may be the target of a redirect.
        """
        parts = _split(url)
        place = _place(parts) if parts else None
        if parts is None or place is None:
            return None
        found = self._mirror_endpoint(place) or self._direct_endpoint(place, parts.scheme)
        is_folder = found is not None and found.place.path and parts.path.endswith("/")
        return replace(found, place=replace(found.place, path=f"{found.place.path}/")) if found and is_folder else found

    def mirror_of(self, url: str) -> str:
        """Return the host of the mirror that answers in place of the host of a URL, empty if none does."""
        parts = _split(url)
        place = _place(parts) if parts else None
        found = self._mirror_endpoint(place) if place else None
        return found.place.address if found else ""

    def _mirror_endpoint(self, place: HostPath) -> Endpoint | None:
        mirror = next((one for one in self._longest_first() if one.key.covers(place)), None)
        if mirror is None:
            return None
        path = f"{mirror.place.path}{place.path[len(mirror.key.path) :]}"
        return Endpoint(mirror.scheme, replace(mirror.place, path=path), is_trusted=True, has_login=True)

    def _direct_endpoint(self, place: HostPath, scheme: str) -> Endpoint | None:
        is_mirror = any(place.address == one.place.address and one.scheme == scheme for one in self.mirrors)
        if scheme == "http" and not is_mirror:
            return None
        is_named = any(one.covers(place) for one in self.trusted)
        has_login = is_named or any(one.owner.covers(place) for one in self.earlier)
        if place.host == _DOCKER:
            place = replace(place, host=_DOCKER_REGISTRY)
        own = "http" if scheme == "http" else "https"
        return Endpoint(own, place, is_trusted=is_mirror or is_named, has_login=has_login)

    def is_allowed(self, url: str) -> bool:
        """Return whether a URL of a manifest may be downloaded."""
        parts = _split(url)
        place = _place(parts) if parts else None
        if place is None:
            return False
        is_named = any(one.covers(place) for one in self.trusted)
        is_earlier = any(one.address == place.address for one in self.earlier)
        return is_named or is_earlier or any(one.key.covers(place) for one in self.mirrors)

    def _longest_first(self) -> list[Mirror]:
        return sorted(self.mirrors, key=lambda one: -len(one.key.path))


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        return parts if parts.scheme in DEFAULT_PORTS and parts.hostname and parts.port != 0 else None
    except ValueError:
        return None


def _place(parts: SplitResult) -> HostPath | None:
    found = HOST_PATH.fullmatch(parts.netloc.rpartition("@")[2].lower())
    # A server may resolve such a path to one of another owner.
    if found is None or {".", ".."} & {*unquote(parts.path).replace("\\", "/").split("/")}:
        return None
    return HostPath(found["host"].rstrip("."), parts.port or DEFAULT_PORTS[parts.scheme], parts.path.rstrip("/"))


def places(urls: Iterable[str]) -> tuple[HostPath, ...]:
    """Return the hosts and paths of URLs, without those that are not valid."""
    found = (_place(parts) for url in urls if (parts := _split(url)))
    return tuple(dict.fromkeys(filter(None, found)))
