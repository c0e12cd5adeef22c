"""The Kubernetes API as the tests and the recorder speak it: plain requests, and where each kind lives."""

import http.client
import json
import ssl
import urllib.parse
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import Json, JsonObject
from tests.cases.case_steps import PatchType

SECONDS = 30
"""How long one request may take."""
MERGE_PATCH = "application/merge-patch+json"
STRATEGIC_PATCH = "application/strategic-merge-patch+json"
JSON_PATCH = "application/json-patch+json"
APPLY_PATCH = "application/apply-patch+yaml"
DISCOVERY = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
CONTENT_TYPES: Mapping[PatchType, str] = {
    PatchType.MERGE: MERGE_PATCH,
    PatchType.STRATEGIC: STRATEGIC_PATCH,
    PatchType.JSON: JSON_PATCH,
}


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer of the server; ``json`` is the text itself if it is not JSON."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes = field(repr=False)

    @property
    def ok(self) -> bool:
        """Whether the request was granted."""
        return self.status < 300

    @property
    def json(self) -> Json:
        """The body as JSON, as text where it is none."""
        try:
            return json.loads(self.body)
        except ValueError:
            return self.body.decode(errors="replace")


@dataclass(frozen=True, slots=True)
class Api:
    """One API server as one user sees it. ``token`` is empty where the TLS context identifies the user."""

    url: str
    token: str = field(default="", repr=False)
    tls: ssl.SSLContext | None = field(default=None, repr=False)

    def send(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Reply:
        """Send one request and return the answer, whatever its status; ``OSError`` if there is none."""
        connection = self._connect()
        own = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        try:
            connection.request(
                method, path, body=body, headers={"Accept": "application/json", **(headers or {}), **own}
            )
            response = connection.getresponse()
            return Reply(response.status, tuple(response.getheaders()), response.read())
        finally:
            connection.close()

    def call(self, method: str, path: str, body: Json | None = None, content_type: str = "application/json") -> Reply:
        """Send ``body`` as JSON under ``content_type``."""
        if body is None:
            return self.send(method, path)
        return self.send(method, path, json.dumps(body).encode(), {"Content-Type": content_type})

    def _connect(self) -> http.client.HTTPConnection:
        host = urllib.parse.urlsplit(self.url).netloc
        if self.tls is None:
            return http.client.HTTPConnection(host, timeout=SECONDS)
        return http.client.HTTPSConnection(host, timeout=SECONDS, context=self.tls)


@dataclass(frozen=True, slots=True)
class Resource:
    """The path of the objects of one kind."""

    prefix: str
    """``/api/v1`` or ``/apis/<group>/<version>``."""
    plural: str
    namespaced: bool


Resources: TypeAlias = Mapping[tuple[str, str], Resource]
"""The resources by apiVersion and kind."""


def discover(api: Api) -> Resources:
    """Return all kinds that the server knows now, by its aggregated discovery; subresources are left out."""
    return {
        (_version(group, version), item["responseKind"]["kind"]): Resource(
            f"{root}/{_version(group, version)}", item["resource"], item["scope"] == "Namespaced"
        )
        for root in ("/api", "/apis")
        for group in api.send("GET", root, headers={"Accept": DISCOVERY}).json["items"]
        for version in group["versions"]
        for item in version["resources"]
    }


def _version(group: JsonObject, version: JsonObject) -> str:
    return "/".join(filter(None, (group["metadata"].get("name"), version["version"])))


def is_namespaced(resources: Resources, manifest: JsonObject) -> bool:
    """Whether objects of this kind live in namespaces."""
    return resources[manifest["apiVersion"], manifest["kind"]].namespaced


def collection_path(resources: Resources, ref: ObjectRef) -> str:
    """Return where objects like ``ref`` are created; ``KeyError`` for a kind that the server does not know."""
    resource = resources[ref.api_version, ref.kind]
    namespace = f"/namespaces/{ref.namespace or 'default'}" if resource.namespaced else ""
    return f"{resource.prefix}{namespace}/{resource.plural}"


def object_path(resources: Resources, ref: ObjectRef) -> str:
    """Return where the object ``ref`` itself is."""
    return f"{collection_path(resources, ref)}/{ref.name}"


def kubeconfig(url: str, token: str = "", authority: str = "", namespace: str = "default") -> JsonObject:
    """Return a kubeconfig for one server and one user.

    ``authority`` is the file of the certificate authority, ``namespace`` where objects go that name none.
    """
    context = {"cluster": "test", "user": "test", "namespace": namespace}
    cluster = {"server": url, **({"certificate-authority": authority} if authority else {})}
    return {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "test", "cluster": cluster}],
        "users": [{"name": "test", "user": {"token": token} if token else {}}],
        "contexts": [{"name": "test", "context": context}],
        "current-context": "test",
    }
