"""The known state of an object in the cluster and of those around it: present, absent or unknown."""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Final, TypeAlias

from kubectl_applylint.core import gotext
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.values import MISSING, Json, JsonObject, Missing, dig, mapping, text_at

LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
"""The annotation in which kubectl keeps the manifest of the last client-side apply."""
NO_CLUSTER: Final = "no cluster was read"
"""The reason why the state of objects is unknown in a run without a cluster and a snapshot."""

HOMES: Final[Mapping[tuple[str, str], str]] = {
    ("extensions", "DaemonSet"): "apps",
    ("extensions", "Deployment"): "apps",
    ("extensions", "Ingress"): "networking.k8s.io",
    ("extensions", "NetworkPolicy"): "networking.k8s.io",
    ("extensions", "PodSecurityPolicy"): "policy",
    ("extensions", "ReplicaSet"): "apps",
}
"""The present group of kinds that another group served as well, by the older group and the kind.

Both groups shared one storage, so an object written in one was readable in the other, until the older group was removed
in 1.16 (Ingress: 1.22).
"""
Identity: TypeAlias = tuple[str, str, str, str]
"""Group, kind, namespace and name of an object, without the version; for kinds that moved, the present group."""


@lru_cache(maxsize=1024)
def _group(api_version: str) -> str:
    """Return the group of an API version. A run calls this millions of times, for a few dozen versions."""
    return api_version.rpartition("/")[0]


@dataclass(frozen=True, slots=True, order=True)
class ObjectRef:
    """Identifies one object; ``namespace`` is empty for cluster-scoped kinds and if none is written."""

    api_version: str
    kind: str
    namespace: str
    name: str

    @property
    def group(self) -> str:
        """The API group, empty for the core group."""
        return _group(self.api_version)

    @property
    def identity(self) -> Identity:
        """The identity of the object, the same for every version and group in which it is read."""
        group = self.group
        home = HOMES.get((group, self.kind), group) if group == "extensions" else group
        return (home, self.kind, self.namespace, self.name)

    @property
    def namespaced_name(self) -> str:
        """The name after the namespace and a slash, alone if no namespace is written."""
        return namespaced_name(self.namespace, self.name)

    def __str__(self) -> str:
        kind = self.kind.lower() + (f".{self.group}" if self.group else "")
        return f"{kind}/{self.name}"


def namespaced_name(namespace: str, name: str) -> str:
    """Return a name after its namespace and a slash, alone without a namespace."""
    return f"{namespace}/{name}" if namespace else name


def ref_of(manifest: JsonObject) -> ObjectRef:
    """Return the reference of the object that ``manifest`` describes; absent and ill-typed parts become empty."""
    return ObjectRef(
        api_version=text_at(manifest, "apiVersion"),
        kind=text_at(manifest, "kind"),
        namespace=text_at(manifest, "metadata", "namespace"),
        name=text_at(manifest, "metadata", "name"),
    )


def annotations_of(manifest: Json | Missing) -> JsonObject:
    """Return the annotations of an object, empty for other values."""
    return mapping(dig(manifest, "metadata", "annotations"))


def labels_of(manifest: Json | Missing) -> JsonObject:
    """Return the labels of an object, empty for other values."""
    return mapping(dig(manifest, "metadata", "labels"))


@dataclass(frozen=True, slots=True)
class Present:
    """The object or value exists and is known."""

    object: JsonObject
    converted_from: str = ""
    """The version that it was converted from without its definition, empty for none."""


@dataclass(frozen=True, slots=True)
class Absent:
    """The object or value is known not to exist."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """The state was not read, or only the server knows it; ``reason`` is the explanation for users."""

    reason: str
    excluded: tuple[str, ...] = field(default=(), repr=False)
    """Values that it is known not to have."""
    written: str = field(default="", repr=False)
    """The placeholder in the manifest, empty for none."""

    def __str__(self) -> str:
        """Return words for a message in which a value is expected."""
        return self.written or "an unknown value"


Knowledge: TypeAlias = Present | Absent | Unknown


def last_applied_text(live: Knowledge) -> str | None:
    """Return the text of the last-applied annotation, ``None`` if the object or the annotation is absent."""
    if not isinstance(live, Present):
        return None
    text = dig(live.object, "metadata", "annotations", LAST_APPLIED)
    return text if isinstance(text, str) else None


def last_applied(live: Knowledge) -> Knowledge:
    """Return the manifest of the last client-side apply, from the annotation.

    ``Absent`` if there is no object or no annotation; an empty annotation counts as none, as in kubectl.
    """
    if isinstance(live, Unknown):
        return live
    text = last_applied_text(live)
    return _parse_last_applied(text) if text else Absent()


# Every rule that examines an object asks for the same text again.
@lru_cache(maxsize=64)
def _parse_last_applied(text: str) -> Knowledge:
    """Return the manifest in the text of the annotation."""
    try:
        kept = gotext.decode(text)
    except (ValueError, RecursionError):
        return Unknown(f"the annotation {LAST_APPLIED} of the live object is not JSON")
    if kept is None:  # kubectl treats it as a manifest without fields.
        return Present({})
    return (
        Present(kept)
        if isinstance(kept, dict)
        else Unknown(f"the annotation {LAST_APPLIED} does not contain an object")
    )


def live_object(known: Knowledge) -> JsonObject | Missing:
    """Return the object if it is present, or else ``MISSING``."""
    return known.object if isinstance(known, Present) else MISSING


ListScope: TypeAlias = tuple[str, str, str]
"""Group, kind and namespace (empty for cluster-scoped kinds) of objects that one list request returns."""


@dataclass(frozen=True, slots=True)
class ClusterView:
    """The known state of objects other than the applied one: its namespace, quotas, policies, classes.

    An object that is not in ``objects`` is absent if its scope is in ``whole`` (all objects of the scope are known),
    and unknown otherwise.
    """

    objects: Mapping[ListScope, Mapping[str, JsonObject]] = field(default_factory=dict, repr=False)
    """The known objects, by scope and name."""
    whole: frozenset[ListScope] = frozenset()
    missing: frozenset[tuple[ListScope, str]] = frozenset()
    """Objects that are known not to exist, by scope and name."""

    def lookup(self, group: str, kind: str, name: str, namespace: str = "") -> Knowledge:
        """Return the known state of one object, whatever its version."""
        shelf = (group, kind, namespace)
        found = self.objects.get(shelf, {}).get(name)
        if found is not None:
            return Present(found)
        if shelf in self.whole or (shelf, name) in self.missing:
            return Absent()
        return Unknown(f"whether {kind} {name} exists was not checked")

    def known_objects(self, group: str, kind: str, namespace: str = "") -> tuple[JsonObject, ...]:
        """Return the known objects of a kind by name; there may be more."""
        shelf = self.objects.get((group, kind, namespace), {})
        return tuple(shelf[name] for name in sorted(shelf))

    def all_objects(self, group: str, kind: str, namespace: str = "") -> tuple[JsonObject, ...] | Unknown:
        """Return all objects of a kind by name, or ``Unknown`` if there may be more."""
        if (group, kind, namespace) in self.whole:
            return self.known_objects(group, kind, namespace)
        return Unknown(f"the objects of kind {kind} were not read")

    def with_objects(self, objects: Iterable[JsonObject]) -> "ClusterView":
        """Return the view with ``objects`` added; they replace objects with the same identity."""
        return self.with_knowledge({ref_of(item).identity: Present(item) for item in objects})

    def with_knowledge(self, known: Mapping[Identity, Knowledge]) -> "ClusterView":
        """Return the view after objects become present or absent; ``Unknown`` changes nothing."""
        touched: dict[ListScope, dict[str, JsonObject]] = {}
        gone: set[tuple[ListScope, str]] = set()
        for (group, kind, namespace, name), found in known.items():
            shelf = (group, kind, namespace)
            if isinstance(found, Present):
                touched.setdefault(shelf, dict(self.objects.get(shelf, {})))[name] = found.object
            elif isinstance(found, Absent):
                touched.setdefault(shelf, dict(self.objects.get(shelf, {}))).pop(name, None)
                gone.add((shelf, name))
        return replace(self, objects={**self.objects, **touched}, missing=self.missing | gone) if touched else self


UNSEEN: Final = ClusterView()
"""The view in which no other object is known."""


def unknown_cluster() -> ClusterView:
    """Return the view in which no other object is known."""
    return UNSEEN


@dataclass(frozen=True, slots=True)
class State:
    """The live object, and the source of that knowledge.

    ``origin`` is shown to users ("snapshot prod.yaml", "cluster prod"); ``age_seconds`` is its maximum age, ``None`` if
    unknown. ``simulated`` is true if the object was predicted and not read. ``cluster_view`` returns the known state of
    other objects, and costs nothing until it is called.
    """

    live: Knowledge
    origin: str = ""
    age_seconds: int | None = None
    simulated: bool = False
    cluster_view: Callable[[], ClusterView] = field(default=unknown_cluster, repr=False, compare=False)
