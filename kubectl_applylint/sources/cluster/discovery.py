"""API discovery: the kinds that a cluster serves, aggregated or, for older servers, group by group."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final
from urllib.parse import quote

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.spelling import meant
from kubectl_applylint.core.values import Json, JsonObject, items, mapping, text_at, texts_at
from kubectl_applylint.schema.types import Gvk
from kubectl_applylint.sources.cluster.http_result import JSON, Answer, FailedRequest, FailureClass, Get
from kubectl_applylint.sources.system.workers import ask_all

_AGGREGATED: Final = "g=apidiscovery.k8s.io;v={};as=APIGroupDiscoveryList"
_ACCEPT: Final = ",".join((*(f"{JSON};{_AGGREGATED.format(version)}" for version in ("v2", "v2beta1")), JSON))


_UNQUOTED: Final = "!$&'()*+,;=:@"
_NO_SEGMENT: Final = ("", ".", "..")


def is_segment(name: str) -> bool:
    """Return whether a name is a valid path segment of a URL (``IsValidPathSegmentName`` of apimachinery)."""
    return name not in _NO_SEGMENT and not set(name) & {"/", "%"}


@dataclass(frozen=True, slots=True)
class ServedKind:
    """A kind in one version, as a cluster serves it."""

    api_version: str
    kind: str
    resource: str
    """Plural name for URLs."""
    namespaced: bool
    verbs: tuple[str, ...]
    preferred: bool
    """Whether the server prefers this version within its group."""
    names: tuple[str, ...] = ()
    """Other names that users may write: the singular and the short names."""

    @property
    def group(self) -> str:
        """The API group, empty for the core group."""
        return self.api_version.rpartition("/")[0]

    def __str__(self) -> str:
        return f"{self.resource}.{self.group}" if self.group else self.resource

    def path(self, namespace: str = "", name: str = "") -> str:
        """Return the URL path of a list, or of one object; both names must be valid path segments (``is_segment``)."""
        parts = [
            f"/apis/{self.api_version}" if self.group else f"/api/{self.api_version}",
            *(
                ["namespaces", quote(namespace, safe=_UNQUOTED, errors="replace")]
                if namespace and self.namespaced
                else []
            ),
            self.resource,
            *([quote(name, safe=_UNQUOTED, errors="replace")] if name else []),
        ]
        return "/".join(parts)


@dataclass(frozen=True, slots=True)
class Discovery:
    """All kinds of a cluster, and the group versions whose aggregated API server is not available."""

    kinds: Mapping[Gvk, ServedKind]
    stale: frozenset[str] = frozenset()


def discover(get: Get) -> Discovery | FailedRequest:
    """Discover the served kinds: two requests, plus one per group version for servers before 1.26."""
    parts: list[Discovery] = []
    for answer in ask_all(lambda path: get(path, accept=_ACCEPT), ["/api", "/apis"]):
        if isinstance(answer, FailedRequest):
            return answer
        if "as=APIGroupDiscoveryList" in answer.content_type.replace(" ", "") and _has_list(answer.body, "items"):
            parts.append(_parse_aggregated(answer.body))
        elif _has_list(answer.body, "versions") or _has_list(answer.body, "groups"):
            parts.append(_by_group(get, list(_group_versions(answer.body))))
        else:
            message = "the server did not return a list of its API groups"
            return FailedRequest(
                FailureClass.GARBLED, message, "check that this is the address of a Kubernetes API server"
            )
    return Discovery(
        {gvk: kind for part in parts for gvk, kind in part.kinds.items()},
        frozenset().union(*(part.stale for part in parts)),
    )


def _parse_aggregated(body: JsonObject) -> Discovery:
    kinds: dict[Gvk, ServedKind] = {}
    stale: set[str] = set()
    for group in _objects(body.get("items")):
        name = mapping(group.get("metadata")).get("name") or ""
        for index, version in enumerate(_objects(group.get("versions"))):
            api_version = f"{name}/{version.get('version')}" if name else str(version.get("version"))
            if version.get("freshness") == "Stale":
                stale.add(api_version)
            for resource in _objects(version.get("resources")):
                kind = _parse_resource(api_version, resource, preferred=index == 0)
                kinds[api_version, kind.kind] = kind
    return Discovery(kinds, frozenset(stale))


def _parse_resource(api_version: str, resource: JsonObject, *, preferred: bool) -> ServedKind:
    return ServedKind(
        api_version=api_version,
        kind=str(mapping(resource.get("responseKind")).get("kind", "")),
        resource=str(resource.get("resource", "")),
        namespaced=resource.get("scope") == "Namespaced",
        verbs=texts_at(resource, "verbs"),
        preferred=preferred,
        names=_names(resource, "singularResource"),
    )


def _names(resource: JsonObject, singular: str) -> tuple[str, ...]:
    return tuple(filter(None, [text_at(resource, singular)])) + texts_at(resource, "shortNames")


def _group_versions(body: JsonObject) -> Iterator[tuple[str, bool]]:
    """Yield each group version of an ``APIVersions`` or ``APIGroupList``, and whether it is preferred."""
    for index, version in enumerate(texts_at(body, "versions")):
        yield version, index == 0
    for group in _objects(body.get("groups")):
        preferred = mapping(group.get("preferredVersion")).get("groupVersion")
        for served in _objects(group.get("versions")):
            yield str(served.get("groupVersion", "")), served.get("groupVersion") == preferred


def _by_group(get: Get, versions: Sequence[tuple[str, bool]]) -> Discovery:
    kinds: dict[Gvk, ServedKind] = {}
    stale: set[str] = set()
    for (api_version, preferred), answer in zip(versions, ask_all(partial(_resources, get), versions), strict=True):
        match answer:
            case Answer(body=body) if _has_list(body, "resources"):
                for kind in _parse_resource_list(api_version, body, preferred=preferred):
                    kinds[api_version, kind.kind] = kind
            case _:
                stale.add(api_version)
    return Discovery(kinds, frozenset(stale))


def _resources(get: Get, version: tuple[str, bool]) -> Answer | FailedRequest:
    api_version = version[0]
    return get(f"/apis/{api_version}" if "/" in api_version else f"/api/{api_version}")


def _parse_resource_list(api_version: str, body: JsonObject, *, preferred: bool) -> Iterator[ServedKind]:
    for resource in _objects(body.get("resources")):
        name = str(resource.get("name", ""))
        if "/" in name:
            # A subresource such as deployments/scale.
            continue
        yield ServedKind(
            api_version=api_version,
            kind=str(resource.get("kind", "")),
            resource=name,
            namespaced=resource.get("namespaced") is True,
            verbs=texts_at(resource, "verbs"),
            preferred=preferred,
            names=_names(resource, "singularName"),
        )


def _has_list(body: JsonObject, field: str) -> bool:
    return isinstance(body.get(field), list)


def _objects(value: Json) -> list[JsonObject]:
    return [item for item in items(value) if isinstance(item, dict)]


def not_served_failure(api_version: str, kind: str) -> FailedRequest:
    """Return the failure of a kind that a cluster does not serve."""
    message = f"the cluster has no kind {kind} in {api_version}, so kubectl apply rejects it"
    return FailedRequest(
        FailureClass.UNSERVED, message, "install what defines it first, for example its CustomResourceDefinition"
    )


def advice_on(gvk: Gvk, served: Iterable[Gvk]) -> str:
    """Return advice for a kind that is not served: the intended version or kind, else what defines it."""
    versions = sorted({api_version for api_version, kind in served if kind == gvk[1]})
    if versions:
        return f"the cluster serves {gvk[1]} as {', '.join(versions)}"
    install = not_served_failure(*gvk).advice
    return meant(gvk[1], {kind for _, kind in served}, otherwise=install)


def not_discovered_failure(api_version: str) -> FailedRequest:
    """Return the failure of a group version whose discovery failed."""
    message = f"the server behind {api_version} does not answer, so its kinds are unknown"
    return FailedRequest(FailureClass.FAULTY, message, "list unavailable ones with: kubectl get apiservices")
