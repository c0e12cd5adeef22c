"""What is known of a cluster, whoever tells: nobody, a snapshot, or the cluster itself."""

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.appliers.kubectl_client import was_applied
from kubectl_applylint.base import Base
from kubectl_applylint.departures import live_document
from kubectl_applylint.model import Document, Problem
from kubectl_applylint.relations import Sought
from kubectl_applylint.schema import tables
from kubectl_applylint.schema.load import load
from kubectl_applylint.schema.names import Spelled, means, names_of
from kubectl_applylint.schema.types import Gvk, Kind
from kubectl_applylint.selector import Selector, parse, selects
from kubectl_applylint.sources import neighbours, snapshot
from kubectl_applylint.sources.answer import Objects, States
from kubectl_applylint.sources.neighbours import Neighbours
from kubectl_applylint.sources.snapshot import Snapshot
from kubectl_applylint.state import Absent, Knowledge, ObjectRef, State, Unknown
from kubectl_applylint.values import JsonObject, mapping

if TYPE_CHECKING:
    # It takes 80 ms to import, and a run that asks no cluster does without.
    from kubectl_applylint.sources.cluster import Cluster

DEFAULT_NAMESPACE: Final = "default"
_MADE: Final = ("Endpoints", "EndpointSlice")
"""Kinds of which controllers make objects without always saying of what."""
SECONDS_A_DAY: Final = 24 * 60 * 60

Definitions = Callable[[Collection[Gvk]], Objects]
"""Gives the CustomResourceDefinitions of kinds, as far as there are any."""
StatesOf = Callable[[Collection[ObjectRef], Collection[Gvk]], States]
"""Gives the live objects of these names; custom resources of these kinds may be defined by the run itself."""
Named = Callable[[Spelled, str], Objects]
"""Gives the live object that somebody spelled, of a namespace if its kind has any; none where there is none."""
Applied = Callable[[str, str], Objects]
"""Gives the live objects of a namespace (empty: all) and a label selector that client-side apply has written."""

OfKinds = Callable[[Collection[str], Collection[str]], Objects]
"""Gives the live objects of kinds, as somebody spells them, in some namespaces."""

Around = Callable[[Mapping[ObjectRef, Knowledge]], Neighbours]
"""Gives what is known of the objects that decide about these, of which the states are known."""

Near = Callable[[Sought], Iterable[Document]]
"""Gives objects that are there and that the run does not apply: at least those of a kind that have one of its words."""


def _nothing(sought: Sought) -> Iterable[Document]:
    return ()


@dataclass(frozen=True, slots=True)
class Known:
    """One source of live state."""

    origin: str
    """What people are told that it is, ``cluster prod``; empty where nobody looked."""
    details: str
    """More about it, in parentheses: version, age."""
    definitions: Definitions
    states: StatesOf
    applied: Applied
    named: Named
    around: Around
    of_kinds: OfKinds
    version: str = ""
    """Kubernetes version as the server spells it, empty where it is not told."""
    namespace: str = DEFAULT_NAMESPACE
    """Of objects that name none."""
    age_seconds: int | None = None
    problems: tuple[Problem, ...] = ()
    """What went wrong before any question."""
    base: Base | None = None
    """The earlier manifests, where they are all that is known."""
    near: Near = _nothing
    recalls: bool = False
    """Whether what was last applied is to stand for the earlier manifests."""

    def __str__(self) -> str:
        return f"{self.origin} ({self.details})" if self.details else self.origin

    def state(self, live: Knowledge) -> State:
        """Return what is known of one object together with where that comes from."""
        return State(live, self.origin, self.age_seconds)


def nobody(reason: str = "no cluster was looked at", problem: Problem | None = None) -> Known:
    """Return the source that knows nothing, for ``reason``, which is a ``problem`` where it was meant to be one."""
    return Known(
        origin="",
        details="",
        definitions=lambda kinds: Objects((), ()),
        states=lambda refs, defined: States(dict.fromkeys(refs, Unknown(reason)), ()),
        applied=lambda namespace, selector: Objects((), ()),
        named=lambda spelled, namespace: Objects((), ()),
        around=lambda states: Neighbours(),
        of_kinds=lambda words, namespaces: Objects((), ()),
        problems=(problem,) if problem else (),
    )


def earlier(base: Base | Problem) -> Known:
    """Return what is known of a cluster to which these manifests were applied; nothing where they cannot be read."""
    if isinstance(base, Problem):
        return nobody("what to compare with could not be read", base)
    return replace(
        nobody(),
        origin=base.origin,
        base=base,
        definitions=lambda kinds: Objects(tuple(base.definitions()), ()),
        near=lambda sought: base.near(sought).documents,
    )


def in_snapshot(file: str) -> Known:
    """Return what a file with the output of ``kubectl get`` knows; nothing where it cannot be read."""
    found = snapshot.read(file, now=time.time())
    if isinstance(found, Problem):
        return nobody("the snapshot could not be read", found)
    return Known(
        origin=found.origin,
        details=age(found.age_seconds),
        definitions=lambda kinds: Objects(found.crds, ()),
        states=lambda refs, defined: States({ref: found.live(ref) for ref in refs}, ()),
        applied=partial(_applied_in_snapshot, found),
        named=partial(_named_in_snapshot, found),
        around=partial(neighbours.in_snapshot, found),
        near=partial(_near_in_snapshot, found),
        of_kinds=lambda words, namespaces: Objects(tuple(found.objects.values()), ()),
        age_seconds=found.age_seconds,
    )


def _near_in_snapshot(found: Snapshot, sought: Sought) -> Iterator[Document]:
    """Yield the objects of kinds that are looked for, without what controllers have made of others."""
    for ref, item in found.objects.items():
        metadata = mapping(item.get("metadata"))
        is_made = bool(metadata.get("ownerReferences")) or ref.kind in _MADE
        if f"{ref.kind}.{ref.group}" in sought and not is_made and "deletionTimestamp" not in metadata:
            yield live_document(ref, item, has_manifest=True)


def age(seconds: int) -> str:
    """Return how old something is, in days."""
    days = seconds // SECONDS_A_DAY
    return "of today" if days == 0 else f"{days} day{'s' * (days > 1)} old"


def _applied_in_snapshot(found: Snapshot, namespace: str, selector: str) -> Objects:
    terms = parse(selector)
    return Objects(tuple(_chosen(found.objects, namespace, terms)), ())


def _chosen(objects: Mapping[ObjectRef, JsonObject], namespace: str, selector: Selector) -> Iterator[JsonObject]:
    for ref in sorted(objects, key=lambda ref: (ref.namespace, ref.kind, ref.group, ref.name)):
        item = objects[ref]
        if namespace in ("", ref.namespace) and was_applied(item) and selects(selector, item):
            yield item


def _named_in_snapshot(found: Snapshot, spelled: Spelled, namespace: str) -> Objects:
    schema = load(f"1.{tables.NEWEST}", crds=found.crds)
    places = ("", namespace)
    refs = [ref for ref in found.objects if ref.name == spelled.name and ref.namespace in places]
    meant = [ref for ref in refs if _is_meant(spelled.word, ref, schema.kind(ref.api_version, ref.kind))]
    # Where kinds of two groups share a name, kubectl takes the core group.
    return Objects(tuple(found.objects[ref] for ref in sorted(meant, key=lambda ref: ref.group != "")[:1]), ())


def _is_meant(word: str, ref: ObjectRef, kind: Kind | None) -> bool:
    return means(word, ref.api_version, ref.kind, names_of(kind) if kind else ())


def in_cluster(cluster: "Cluster") -> Known:
    """Return what a cluster knows."""
    return Known(
        origin=cluster.name,
        details=cluster.version,
        definitions=cluster.crds,
        states=partial(_states, cluster),
        applied=cluster.list_applied,
        named=cluster.named,
        around=partial(neighbours.in_cluster, cluster.get, cluster.live, cluster.kinds),
        of_kinds=cluster.of_kinds,
        version=cluster.version,
        namespace=cluster.default_namespace,
        problems=cluster.problems,
    )


def _states(cluster: "Cluster", refs: Collection[ObjectRef], defined: Collection[Gvk]) -> States:
    """Return what a cluster tells; kinds that it does not serve but that the run defines have no objects yet."""
    coming = _coming(cluster, {(ref.api_version, ref.kind) for ref in refs} & set(defined))
    found = cluster.live(ref for ref in refs if (ref.api_version, ref.kind) not in coming)
    absent = {ref: Absent() for ref in refs if (ref.api_version, ref.kind) in coming}
    return replace(found, states={**found.states, **absent})


def _coming(cluster: "Cluster", defined: Iterable[Gvk]) -> set[Gvk]:
    kinds = set(defined)
    served = cluster.kinds(kinds) if kinds else {}
    # Where nothing at all is served, discovery failed: then nobody knows.
    return kinds - served.keys() if served else set()


def beside(known: Known, flags: Flags, refs: Collection[ObjectRef]) -> Objects:
    """Return the objects beside those that a run applies, which are ``refs``, that it may delete."""
    if flags.sync is None:
        return known.applied("", flags.selector) if flags.policy else Objects((), ())
    wanted = (f"{ref.kind}.{ref.group}".rstrip(".") for ref in refs)
    words = dict.fromkeys((*(word for word, _ in flags.sync.methods if word), *wanted))
    return known.of_kinds(words, {ref.namespace for ref in refs})


def parentless(flags: Flags, objects: Iterable[JsonObject], refs: Collection[ObjectRef]) -> Iterator[str]:
    """Yield that nobody can tell which children Metacontroller deletes, where that is so."""
    sync = flags.sync
    if sync is None or sync.parent:
        return
    observed = list(objects)
    number = len(sync.parents(observed, refs))
    if observed and number != 1:
        whose = f"those observed belong to {number} parents" if number else "none of them is observed"
        yield f"nobody can tell which children are deleted: {whose}; name the parent with --parent KIND/NAME"
