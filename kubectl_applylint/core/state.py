"""What is known of one object in the cluster, and of those around it: there, not there, or not known."""

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
"""The group in which an object is that another group served as well, by that group and the kind.

One object was stored, whichever group had written it: their storage was shared until the older group went with 1.16
(Ingress: 1.22).
"""
Identity: TypeAlias = tuple[str, str, str, str]
"""Group, kind, namespace and name of an object, whatever its version; of the groups that had it the present one."""


@lru_cache(maxsize=1024)
def _group(api_version: str) -> str:
    """Return the group of an API version; a run asks millions of times, of some dozens of versions."""
    return api_version.rpartition("/")[0]


@dataclass(frozen=True, slots=True, order=True)
class ObjectRef:
    """Names one object; ``namespace`` is empty for cluster-scoped kinds and where none is written."""

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
        """What tells the object from all others, in whatever version, and of whatever group, it is read."""
        group = self.group
        home = HOMES.get((group, self.kind), group) if group == "extensions" else group
        return (home, self.kind, self.namespace, self.name)

    def __str__(self) -> str:
        kind = self.kind.lower() + (f".{self.group}" if self.group else "")
        return f"{kind}/{self.name}"


def ref_of(manifest: JsonObject) -> ObjectRef:
    """Return the name of the object that ``manifest`` describes; what is absent or ill-typed becomes empty."""
    return ObjectRef(
        api_version=text_at(manifest, "apiVersion"),
        kind=text_at(manifest, "kind"),
        namespace=text_at(manifest, "metadata", "namespace"),
        name=text_at(manifest, "metadata", "name"),
    )


def annotations_of(manifest: Json | Missing) -> JsonObject:
    """Return the annotations of an object, none of what is no object."""
    return mapping(dig(manifest, "metadata", "annotations"))


def labels_of(manifest: Json | Missing) -> JsonObject:
    """Return the labels of an object, none of what is no object."""
    return mapping(dig(manifest, "metadata", "labels"))


@dataclass(frozen=True, slots=True)
class Present:
    """The object or value exists, and this is it."""

    object: JsonObject


@dataclass(frozen=True, slots=True)
class Absent:
    """It is known not to exist."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """Nobody looked, or only the server can know: ``reason`` says which, in words for people."""

    reason: str
    excluded: tuple[str, ...] = field(default=(), repr=False)
    """Values that it is known not to be."""
    written: str = field(default="", repr=False)
    """The placeholder that a manifest has in its place, empty for none."""


Knowledge: TypeAlias = Present | Absent | Unknown


def last_applied_text(live: Knowledge) -> str | None:
    """Return the text of the last-applied annotation, ``None`` where the object or the annotation is not there."""
    if not isinstance(live, Present):
        return None
    text = dig(live.object, "metadata", "annotations", LAST_APPLIED)
    return text if isinstance(text, str) else None


def last_applied(live: Knowledge) -> Knowledge:
    """Return the manifest of the last client-side apply, as the annotation keeps it.

    ``Absent`` where there is no object or no annotation; an empty annotation counts as none, as kubectl takes it.
    """
    if isinstance(live, Unknown):
        return live
    text = last_applied_text(live)
    return _kept(text) if text else Absent()


# Every rule that looks at an object asks for the same text again.
@lru_cache(maxsize=64)
def _kept(text: str) -> Knowledge:
    try:
        kept = gotext.decode(text)
    except (ValueError, RecursionError):
        return Unknown(f"the annotation {LAST_APPLIED} of the live object is not JSON")
    if kept is None:  # For kubectl the same as a manifest with nothing in it.
        return Present({})
    return (
        Present(kept)
        if isinstance(kept, dict)
        else Unknown(f"the annotation {LAST_APPLIED} does not contain an object")
    )


def present(known: Knowledge) -> JsonObject | Missing:
    """Return what is there, ``MISSING`` where nothing is and where nobody knows."""
    return known.object if isinstance(known, Present) else MISSING


Shelf: TypeAlias = tuple[str, str, str]
"""Group, kind and namespace (empty outside of namespaces) of objects that are listed together."""


@dataclass(frozen=True, slots=True)
class ClusterView:
    """What is known of other objects than the one that is applied: its namespace, quotas, policies, classes.

    Of an object that is not among ``objects`` nobody knows whether it exists, unless its shelf is one of ``whole``:
    such a shelf lacks what it does not hold.
    """

    objects: Mapping[Shelf, Mapping[str, JsonObject]] = field(default_factory=dict, repr=False)
    """What is there, by shelf and name."""
    whole: frozenset[Shelf] = frozenset()
    missing: frozenset[tuple[Shelf, str]] = frozenset()
    """What is known not to be there, by shelf and name."""

    def named(self, group: str, kind: str, name: str, namespace: str = "") -> Knowledge:
        """Return what is known of one object, whatever its version."""
        shelf = (group, kind, namespace)
        found = self.objects.get(shelf, {}).get(name)
        if found is not None:
            return Present(found)
        if shelf in self.whole or (shelf, name) in self.missing:
            return Absent()
        return Unknown(f"whether {kind} {name} exists was not checked")

    def known(self, group: str, kind: str, namespace: str = "") -> tuple[JsonObject, ...]:
        """Return the objects of a kind that are known to be there, by name; there may be more."""
        shelf = self.objects.get((group, kind, namespace), {})
        return tuple(shelf[name] for name in sorted(shelf))

    def every(self, group: str, kind: str, namespace: str = "") -> tuple[JsonObject, ...] | Unknown:
        """Return all objects of a kind by name, or that nobody knows whether there are more."""
        if (group, kind, namespace) in self.whole:
            return self.known(group, kind, namespace)
        return Unknown(f"the objects of kind {kind} were not read")

    def joined(self, objects: Iterable[JsonObject]) -> "ClusterView":
        """Return what is known once ``objects`` are there, too; they replace what has their name."""
        return self.changed({ref_of(item).identity: Present(item) for item in objects})

    def changed(self, known: Mapping[Identity, Knowledge]) -> "ClusterView":
        """Return what is known once this is known, too: what is there, and what is not there any more."""
        touched: dict[Shelf, dict[str, JsonObject]] = {}
        gone: set[tuple[Shelf, str]] = set()
        for (group, kind, namespace, name), found in known.items():
            shelf = (group, kind, namespace)
            if isinstance(found, Present):
                touched.setdefault(shelf, dict(self.objects.get(shelf, {})))[name] = found.object
            elif isinstance(found, Absent):
                touched.setdefault(shelf, dict(self.objects.get(shelf, {}))).pop(name, None)
                gone.add((shelf, name))
        return replace(self, objects={**self.objects, **touched}, missing=self.missing | gone) if touched else self


UNSEEN: Final = ClusterView()
"""Where nobody knows of any other object."""


def unseen() -> ClusterView:
    """Return that nobody knows of any other object."""
    return UNSEEN


@dataclass(frozen=True, slots=True)
class State:
    """The live object, and where that knowledge comes from.

    ``origin`` is shown to people ("snapshot prod.yaml", "cluster prod"); ``age_seconds`` is how old it is at most,
    ``None`` when nobody can tell. ``simulated`` says that nobody saw the object: it was predicted. ``cluster_view``
    gives what is known of other objects, and costs nothing until it is called.
    """

    live: Knowledge
    origin: str = ""
    age_seconds: int | None = None
    simulated: bool = False
    cluster_view: Callable[[], ClusterView] = field(default=unseen, repr=False, compare=False)
