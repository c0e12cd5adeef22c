"""Relations between objects: by name, as from a Pod to a ConfigMap, or by labels, as from a Service to pods."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, TypeAlias

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.encrypted_text import may_have_encrypted
from kubectl_applylint.core.paths import Field, Index, Path, fields
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.values import Json, JsonObject, dig, items, mapping, text_at

TEMPLATE: Final = ("spec", "template")
_JOB_TEMPLATE: Final = ("spec", "jobTemplate", "spec", "template")
WORKLOADS: Final = (
    "Deployment.apps",
    "StatefulSet.apps",
    "DaemonSet.apps",
    "ReplicaSet.apps",
    "ReplicationController.",
)
"""The kinds that keep pods running."""
POD_SPECS: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys((*WORKLOADS, "Job.batch"), (*TEMPLATE, "spec")),
    "CronJob.batch": (*_JOB_TEMPLATE, "spec"),
    "Pod.": ("spec",),
}
"""The path of the pod spec in kinds that run pods."""
SELECTORS: Final[Mapping[str, tuple[str, ...]]] = {
    "Service.": ("spec", "selector"),
    "NetworkPolicy.networking.k8s.io": ("spec", "podSelector"),
    "PodDisruptionBudget.policy": ("spec", "selector"),
}
"""The path of the selector in kinds that select pods by label."""
SCALERS: Final[Mapping[str, Mapping[str, str]]] = {
    "HorizontalPodAutoscaler.autoscaling": {},
    "ScaledObject.keda.sh": {"apiVersion": "apps/v1", "kind": "Deployment"},
}
"""The kinds that scale others, with the defaults for version and kind of their target."""
_HOOKS: Final = (
    "ValidatingWebhookConfiguration.admissionregistration.k8s.io",
    "MutatingWebhookConfiguration.admissionregistration.k8s.io",
)
_BINDINGS: Final = ("RoleBinding.rbac.authorization.k8s.io", "ClusterRoleBinding.rbac.authorization.k8s.io")
_PODS: Final = tuple(POD_SPECS)

IndexQuery: TypeAlias = Mapping[str, frozenset[str]]
"""Words by kind (``Kind.group``): an object of that kind is relevant only if it contains one of them."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A field of an object that names another object.

    ``kind`` is ``Kind.group``. ``namespace`` is empty if the other object is in the same one or has none. ``key`` is
    the
    required entry of a ConfigMap or Secret, empty for the whole object.
    """

    kind: str
    name: str
    path: Path
    namespace: str = ""
    key: str = ""
    is_optional: bool = False


def kind_of(document: Document) -> str:
    """Return the kind of an object as ``Kind.group``."""
    return f"{document.ref.kind}.{document.ref.group}"


def references(kind: str, manifest: JsonObject) -> Iterator[Reference]:
    """Yield the references in an object of ``Kind.group``; values of a wrong type, or encrypted, are no references."""
    named = _all_references(kind, manifest)
    known = (one for one in named if isinstance(one.name, str) and one.name and isinstance(one.key, str))
    return (one for one in known if not may_have_encrypted(f"{one.name} {one.key}"))


def _all_references(kind: str, manifest: JsonObject) -> Iterator[Reference]:
    """Yield the references of an object, values of a wrong type included."""
    if kind in POD_SPECS:
        where = POD_SPECS[kind]
        yield from _pod_references(mapping(dig(manifest, *where)), fields(*where))
    if kind in _OTHERS:
        yield from _OTHERS[kind](manifest)


def _pod_references(spec: JsonObject, path: Path) -> Iterator[Reference]:
    """Yield the references of a pod spec at ``path``."""
    for name in ("initContainers", "containers"):
        for where, container in _items(spec, path, name):
            yield from _container_references(container, where)
            yield from _mount_references(container, where, spec)
    for where, volume in _items(spec, path, "volumes"):
        yield from _volume_references(volume, where)
    for where, secret in _items(spec, path, "imagePullSecrets"):
        yield Reference("Secret.", secret.get("name", ""), where)
    yield Reference("ServiceAccount.", spec.get("serviceAccountName", ""), (*path, Field("serviceAccountName")))


_SOURCES: Final = {"configMap": "ConfigMap.", "secret": "Secret."}


def _container_references(container: JsonObject, path: Path) -> Iterator[Reference]:
    """Yield the ConfigMaps and Secrets of a container's environment."""
    for where, item in _items(container, path, "envFrom"):
        for word, kind in _SOURCES.items():
            yield _reference(kind, mapping(item.get(f"{word}Ref")), (*where, *fields(f"{word}Ref")))
    for where, item in _items(container, path, "env"):
        for word, kind in _SOURCES.items():
            source = mapping(dig(item, "valueFrom", f"{word}KeyRef"))
            yield _reference(kind, source, (*where, *fields("valueFrom", f"{word}KeyRef")), source.get("key", ""))


def _volume_references(volume: JsonObject, path: Path) -> Iterator[Reference]:
    """Yield the ConfigMaps, Secrets and claims of a volume."""
    yield from _source_references(volume, path)
    claim = mapping(volume.get("persistentVolumeClaim"))
    yield Reference("PersistentVolumeClaim.", claim.get("claimName", ""), (*path, *fields("persistentVolumeClaim")))
    for where, source in _items(mapping(volume.get("projected")), (*path, Field("projected")), "sources"):
        yield from _source_references(source, where)


def _source_references(volume: JsonObject, path: Path) -> Iterator[Reference]:
    """Yield the ConfigMap or Secret of a volume, and each of its entries that the volume requires."""
    for word, kind in _SOURCES.items():
        source, where = mapping(volume.get(word)), (*path, Field(word))
        named = {**source, "name": source.get("name", source.get("secretName", ""))}
        yield _reference(kind, named, where)
        for place, item in _items(source, where, "items"):
            yield _reference(kind, named, place, item.get("key", ""))


def _mount_references(container: JsonObject, path: Path, spec: JsonObject) -> Iterator[Reference]:
    """Yield the entries that are mounted as single files.

    A volume that lists its items renames them, so it is left out.
    """
    volumes = {text_at(volume, "name"): volume for _, volume in _items(spec, (), "volumes")}
    for where, mount in _items(container, path, "volumeMounts"):
        volume, entry = mapping(volumes.get(text_at(mount, "name"))), text_at(mount, "subPath")
        for word, kind in _SOURCES.items():
            source = mapping(volume.get(word))
            if entry and "/" not in entry and "items" not in source:
                name = source.get("name", source.get("secretName", ""))
                yield _reference(kind, {**source, "name": name}, (*where, Field("subPath")), entry)


def _reference(kind: str, source: JsonObject, path: Path, key: Json = "") -> Reference:
    """Return the reference of an object such as ``configMapKeyRef``."""
    return Reference(kind, source.get("name", ""), path, key=key, is_optional=source.get("optional") is True)


def _scaler_references(defaults: Mapping[str, str]) -> Callable[[JsonObject], Iterator[Reference]]:
    """Return a function that yields the scale target of an object, completed by ``defaults``."""

    def references_of(manifest: JsonObject) -> Iterator[Reference]:
        target = {**defaults, **mapping(dig(manifest, "spec", "scaleTargetRef"))}
        kind = f"{target.get('kind', '')}.{text_at(target, 'apiVersion').rpartition('/')[0]}"
        yield Reference(kind, target.get("name", ""), fields("spec", "scaleTargetRef"))

    return references_of


def _ingress_references(manifest: JsonObject) -> Iterator[Reference]:
    """Yield the backend Services of an Ingress."""
    spec, path = mapping(manifest.get("spec")), fields("spec")
    yield _backend(mapping(spec.get("defaultBackend")), (*path, Field("defaultBackend")))
    for where, rule in _items(spec, path, "rules"):
        for place, one in _items(mapping(rule.get("http")), (*where, Field("http")), "paths"):
            yield _backend(mapping(one.get("backend")), (*place, Field("backend")))


def _backend(backend: JsonObject, path: Path) -> Reference:
    """Return the Service of an Ingress backend."""
    return Reference("Service.", mapping(backend.get("service")).get("name", ""), (*path, Field("service")))


def _stateful_set_references(manifest: JsonObject) -> Iterator[Reference]:
    """Yield the governing Service of a StatefulSet."""
    yield Reference("Service.", mapping(manifest.get("spec")).get("serviceName", ""), fields("spec", "serviceName"))


def _binding_references(manifest: JsonObject) -> Iterator[Reference]:
    """Yield the role and the service accounts of a binding."""
    role = mapping(manifest.get("roleRef"))
    yield Reference(f"{role.get('kind', '')}.rbac.authorization.k8s.io", role.get("name", ""), fields("roleRef"))
    for where, one in _items(manifest, (), "subjects"):
        if one.get("kind") == "ServiceAccount":
            yield Reference("ServiceAccount.", one.get("name", ""), where, text_at(one, "namespace"))


def _webhook_references(manifest: JsonObject) -> Iterator[Reference]:
    """Yield the Services of a webhook configuration."""
    for where, hook in _items(manifest, (), "webhooks"):
        service = mapping(dig(hook, "clientConfig", "service"))
        place = (*where, *fields("clientConfig", "service"))
        yield Reference("Service.", service.get("name", ""), place, text_at(service, "namespace"))


_OTHERS: Final[Mapping[str, Callable[[JsonObject], Iterator[Reference]]]] = {
    **{kind: _scaler_references(defaults) for kind, defaults in SCALERS.items()},
    **dict.fromkeys(_HOOKS, _webhook_references),
    **dict.fromkeys(_BINDINGS, _binding_references),
    "Ingress.networking.k8s.io": _ingress_references,
    "StatefulSet.apps": _stateful_set_references,
}
_REFERRERS: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(("ConfigMap.", "Secret.", "PersistentVolumeClaim."), _PODS),
    **dict.fromkeys(WORKLOADS, tuple(SCALERS)),
    **dict.fromkeys(("Role.rbac.authorization.k8s.io", "ClusterRole.rbac.authorization.k8s.io"), _BINDINGS),
    "ServiceAccount.": (*_PODS, *_BINDINGS),
    "Service.": (
        "Ingress.networking.k8s.io",
        "StatefulSet.apps",
        *_HOOKS,
        "Endpoints.",
        "EndpointSlice.discovery.k8s.io",
    ),
}
"""The kinds that may refer to objects of a kind."""


def referrers(kind: str) -> tuple[str, ...]:
    """Return the kinds that may refer to objects of ``Kind.group``."""
    return _REFERRERS.get(kind, ())


def index_query(documents: Iterable[Document]) -> IndexQuery:
    """Return the words that objects related to these documents, or equal in identity, must contain."""
    words: dict[str, set[str]] = {}
    for document in documents:
        for kind, word in _index_words(document):
            words.setdefault(kind, set()).add(word)
    return {kind: frozenset(found - {""}) for kind, found in words.items()}


def _index_words(document: Document) -> Iterator[tuple[str, str]]:
    """Yield pairs of a kind and a word that objects related to the document contain."""
    kind, manifest = kind_of(document), document.object
    yield from ((other, document.ref.name) for other in (kind, *referrers(kind)))
    yield from ((one.kind, one.name) for one in references(kind, manifest))
    if kind in POD_SPECS:
        labels = mapping(dig(manifest, *POD_SPECS[kind][:-1], "metadata", "labels"))
        yield from ((other, text_at(value)) for other in SELECTORS for value in labels.values())
    if kind in SELECTORS:
        selector = mapping(dig(manifest, *SELECTORS[kind]))
        wanted = {**selector, **mapping(selector.get("matchLabels"))}
        yield from ((other, text_at(value)) for other in WORKLOADS for value in wanted.values())


def _items(value: JsonObject, path: Path, name: str) -> Iterator[tuple[Path, JsonObject]]:
    """Yield the objects of a list with the paths that lead to them."""
    for position, item in enumerate(items(value.get(name))):
        if isinstance(item, dict):
            yield (*path, Field(name), Index(position)), item
