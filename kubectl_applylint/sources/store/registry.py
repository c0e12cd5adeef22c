"""An OCI registry: tags, manifests and blobs, with the tokens that the registry asks for."""

import hashlib
import json
import os
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlencode, urljoin, urlsplit

from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import Json, items, mapping, text_at
from kubectl_applylint.sources.store.chart_archive import MEBIBYTE, MOST_PACKED
from kubectl_applylint.sources.store.download_errors import DownloadError
from kubectl_applylint.sources.store.http_client import WITH_LOGIN, WITHOUT_LOGIN, HttpClient, Reply
from kubectl_applylint.sources.store.logins import login_of

MANIFEST: Final = "application/vnd.oci.image.manifest.v1+json"
_MOST_MANIFEST: Final = 4 * MEBIBYTE
_MOST_TAGS: Final = 16 * MEBIBYTE
_MOST_PAGES: Final = 100
_OK, _UNAUTHORIZED, _FORBIDDEN, _NOT_FOUND = 200, 401, 403, 404
_PARAMETER: Final = regex(r'([A-Za-z_]+)="([^"]*)"')
_NEXT: Final = regex(r'<([^>]+)>\s*;\s*rel="?next"?')
_API: Final = "/v2"
_DOCKER_TOKENS: Final = ("registry-1.docker.io", "auth.docker.io")


class NotFoundError(DownloadError):
    """A registry answers that it has no such object."""


@dataclass(frozen=True, slots=True)
class Registry:
    """The repository of a chart in a registry."""

    client: HttpClient
    url: str
    """``https://HOST/REPOSITORY``, before mirrors."""
    deadline: float
    login: str = field(default="", repr=False)
    """The value of ``Authorization`` for the user's login, empty for none."""
    tokens: dict[str, str] = field(default_factory=dict, repr=False)
    """The values of ``Authorization`` that the server accepted, by server."""

    @property
    def is_private(self) -> bool:
        """Whether the login of the user was sent."""
        return bool(self.login and self.tokens)

    def tags(self) -> list[str]:
        """Return all tags; raises ``NotFoundError`` if the registry does not have the repository."""
        found: list[str] = []
        path = "/tags/list"
        for _ in range(_MOST_PAGES):
            reply = self._get(path, _MOST_TAGS)
            found += [tag for tag in items(mapping(_json(reply.body)).get("tags")) if isinstance(tag, str)]
            following = _NEXT.search(reply.headers.get("link", ""))
            query = urlsplit(urljoin("https://host/", following[1])).query if following else ""
            if not query:
                return found
            path = f"/tags/list?{query}"
        return found

    def manifest(self, reference: str) -> bytes:
        """Return the manifest of a tag or digest.

        Raises ``NotFoundError`` if the registry does not have it, ``DownloadError`` if it has another digest.
        """
        body = self._get(f"/manifests/{reference}", _MOST_MANIFEST, {"Accept": MANIFEST}).body
        return _require_digest(body, reference) if reference.startswith("sha256:") else body

    def layers(self, manifest: bytes) -> list[tuple[str, str]]:
        """Return the media types and the digests of the layers that a manifest lists."""
        listed = items(mapping(_json(manifest)).get("layers"))
        return [(text_at(one, "mediaType"), text_at(one, "digest")) for one in listed]

    def blob(self, digest: str) -> bytes:
        """Return a blob; raises ``DownloadError`` if it has another digest."""
        return _require_digest(self._get(f"/blobs/{digest}", MOST_PACKED).body, digest)

    def _get(self, path: str, most: int, headers: Mapping[str, str] | None = None) -> Reply:
        """Return a reply with status 200; raises ``DownloadError`` for others."""
        sent = {**(headers or {}), **({"Authorization": found} if (found := self.tokens.get(self.url)) else {})}
        reply = self.client.get(f"{self.url}{path}", most, self.deadline, sent, prefix=_API)
        if reply.status == _UNAUTHORIZED:
            self.tokens[self.url] = self._authorization(reply.headers.get("www-authenticate", ""))
            sent["Authorization"] = self.tokens[self.url]
            reply = self.client.get(f"{self.url}{path}", most, self.deadline, sent, prefix=_API)
        if reply.status == _NOT_FOUND:
            raise NotFoundError(self._status_reason(reply.status))
        if reply.status != _OK:
            raise DownloadError(self._status_reason(reply.status))
        return reply

    def _status_reason(self, status: int) -> str:
        host = urlsplit(self.url).netloc
        if status in (_UNAUTHORIZED, _FORBIDDEN):
            with_login = WITH_LOGIN if self.login else WITHOUT_LOGIN
            return f"{host} rejects the request {with_login} ({status})"
        return (
            f"{host} has no such chart, artifact or version"
            if status == _NOT_FOUND
            else f"{host} answers with {status}"
        )

    def _authorization(self, challenge: str) -> str:
        """Return the value of ``Authorization`` that a challenge asks for."""
        if challenge.lower().startswith("basic"):
            return self.login or self._reject()
        given = dict(_PARAMETER.findall(challenge))
        realm = given.get("realm", "")
        query = urlencode({name: given[name] for name in ("service", "scope") if name in given})
        headers = {"Authorization": self.login} if self.login and self._is_own(realm) else {}
        reply = self.client.get(f"{realm}?{query}", _MOST_MANIFEST, self.deadline, headers)
        token = mapping(_json(reply.body))
        word = text_at(token, "token") or text_at(token, "access_token")
        return f"Bearer {word}" if word and word.isascii() and word.isprintable() else self._reject()

    def _is_own(self, realm: str) -> bool:
        """Return whether the server of tokens belongs to the registry, so that it may see the login."""
        own = self.client.endpoint(self.url).place.host
        host = urlsplit(realm).hostname
        return host == own or (own, host) == _DOCKER_TOKENS

    def _reject(self) -> str:
        raise DownloadError(self._status_reason(_UNAUTHORIZED))


def registry(client: HttpClient, url: str, deadline: float) -> Registry:
    """Return the repository that an ``oci://`` URL names; raises ``DownloadError`` for an invalid one."""
    parts = urlsplit(url)
    place = f"https://{parts.netloc.rpartition('@')[2].lower()}{parts.path.rstrip('/')}"
    found = client.endpoint(place)
    return Registry(client, place, deadline, login_of(found.place.address, os.environ) if found.has_login else "")


def _require_digest(body: bytes, digest: str) -> bytes:
    if f"sha256:{hashlib.sha256(body).hexdigest()}" != digest:
        raise DownloadError(f"the digest differs from {digest}")
    return body


def _json(body: bytes) -> Json:
    try:
        found: Json = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return found
