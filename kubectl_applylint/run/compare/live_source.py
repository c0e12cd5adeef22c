"""Live state from any source: none, earlier manifests, a snapshot or a cluster."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.state import NO_CLUSTER, Knowledge, ObjectRef, State, Unknown
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine.cluster_diff import NO_UNITS, AbsentSource, ClusterUnits, FormerUnit
from kubectl_applylint.engine.recent_outcomes import RecentOutcomes
from kubectl_applylint.lint.relations import IndexQuery
from kubectl_applylint.run.compare.base import Base
from kubectl_applylint.schema.names import ObjectArgument
from kubectl_applylint.schema.types import Gvk
from kubectl_applylint.sources.cluster.read_results import Neighbours, Objects, States
from kubectl_applylint.tools.metacontroller.revisions import WORD
from kubectl_applylint.units.model import Unit

DEFAULT_NAMESPACE: Final = "default"
SECONDS_A_DAY: Final = 24 * 60 * 60

Definitions = Callable[[Collection[Gvk]], Objects]
"""Returns the CustomResourceDefinitions of kinds."""
StatesOf = Callable[[Collection[ObjectRef], Collection[Gvk]], States]
"""Returns the states of the live objects with these refs; the run itself may define the given custom kinds."""
Named = Callable[[ObjectArgument, str], Objects]
"""Returns the live object that the user names, in a namespace if its kind is namespaced; none if it is absent."""
Applied = Callable[[str, str], Objects]
"""Returns the live objects of a namespace (empty: all) and a label selector that client-side apply wrote."""

OfKinds = Callable[[Collection[str], Collection[str]], Objects]
"""Returns the live objects of the named kinds in some namespaces."""

Labelled = Callable[[Collection[str], str, Collection[str]], Objects]
"""Returns the live objects of the named kinds (none: all) that match a label selector.

They are of all namespaces, or at least of the given ones.
"""

Around = Callable[[Mapping[ObjectRef, Knowledge]], Neighbours]
"""Returns the admission objects for some objects with known states."""

ContextOf = Callable[[IndexQuery], Iterable[Document]]
"""Returns live objects that the run does not apply: at least those of a kind that contain one of its words."""


def _none_labelled(words: Collection[str], selector: str, namespaces: Collection[str]) -> Objects:
    return Objects((), ())


def _nothing(index_query: IndexQuery) -> Iterable[Document]:
    return ()


@dataclass(frozen=True, slots=True)
class UnitDocuments:
    """Documents of one unit."""

    unit: Unit
    documents: tuple[Document, ...]


SameTarget = Callable[[Sequence[Document]], Iterable[UnitDocuments]]
"""Returns the documents of other units with the same target that share names with some documents."""


def no_units(documents: Sequence[Document]) -> Iterable[UnitDocuments]:
    """Return no units."""
    return ()


@dataclass(frozen=True, slots=True)
class LiveSource:
    """One source of live state."""

    origin: str
    """The displayed name, ``cluster prod``; empty if there is no source."""
    details: str
    """Details for display in parentheses: version, age."""
    definitions: Definitions
    states: StatesOf
    applied: Applied
    named: Named
    cluster_view: Around
    of_kinds: OfKinds
    version: str = ""
    """Kubernetes version as reported by the server, empty if unknown."""
    namespace: str = DEFAULT_NAMESPACE
    """The namespace of objects without one."""
    age_seconds: int | None = None
    problems: tuple[Problem, ...] = ()
    """The problems of opening the source."""
    base: Base | None = None
    """The earlier manifests, if these are the source."""
    context_of: ContextOf = _nothing
    same_target: SameTarget = no_units
    cluster_units: Callable[[], ClusterUnits] = lambda: NO_UNITS
    """Returns what all units of the cluster apply."""
    former_unit: Callable[[ObjectRef], FormerUnit | None] = lambda _: None
    """Returns the other unit of the cluster that had an object before the change and deletes it."""
    absent_sources: Callable[[Document, Iterable[Document]], Iterable[AbsentSource]] = lambda *_: ()
    """Returns which sources do not have what an object names, by answers in the store."""
    mutated_groups: Callable[[Collection[str]], frozenset[str]] = lambda _: frozenset()
    """Returns those API groups whose objects a mutating webhook in the files may change."""
    is_cluster: bool = False
    """Whether it is a cluster, which knows the kinds that it serves."""
    shows_kind: Callable[[Gvk], bool] = lambda _: True
    """Returns whether the earlier revision contains objects of a kind, which is then installed."""
    labelled: Labelled = _none_labelled
    uses_last_applied: bool = False
    """Whether the last-applied annotations are used as the earlier manifests."""
    recent: RecentOutcomes | None = None
    """Outcomes of other units and of earlier runs with this source; ``None`` if they are not shared."""

    def __str__(self) -> str:
        return f"{self.origin} ({self.details})" if self.details else self.origin

    def state(self, live: Knowledge) -> State:
        """Return the state of one object together with its origin."""
        return State(live, self.origin, self.age_seconds)


def no_live_source(reason: str = NO_CLUSTER, problem: Problem | None = None) -> LiveSource:
    """Return a source without any state, with a ``reason``, which is a ``problem`` if a source was requested."""
    return LiveSource(
        origin="",
        details="",
        definitions=lambda kinds: Objects((), ()),
        states=lambda refs, defined: States(dict.fromkeys(refs, Unknown(reason)), ()),
        applied=lambda namespace, selector: Objects((), ()),
        named=lambda spelled, namespace: Objects((), ()),
        cluster_view=lambda states: Neighbours(),
        of_kinds=lambda words, namespaces: Objects((), ()),
        problems=(problem,) if problem else (),
    )


def source_of_base(base: Base | Problem) -> LiveSource:
    """Return the state of a cluster to which these manifests were applied; unknown if they cannot be read."""
    if isinstance(base, Problem):
        return no_live_source("what to compare with could not be read", base)
    return replace(
        no_live_source(),
        origin=base.origin,
        base=base,
        problems=base.lacking,
        definitions=lambda kinds: Objects(tuple(base.definitions()), ()),
        context_of=lambda index_query: base.context_of(index_query).documents,
    )


SourceOf: TypeAlias = Callable[[Mapping[str, Any], LiveSource], LiveSource]
"""Returns the source for a unit, from its options and the common source."""


def _given_source(options: Mapping[str, Any], source: LiveSource) -> LiveSource:
    return source


@dataclass(frozen=True, slots=True)
class LiveSources:
    """The sources for the units of a run."""

    shared: LiveSource
    of_unit: SourceOf = _given_source

    def of(self, unit: Unit) -> LiveSource:
        """Return the source for a unit."""
        return self.of_unit(dict(unit.applied.options), self.shared)


def age(seconds: int) -> str:
    """Return an age in words, in days."""
    days = seconds // SECONDS_A_DAY
    return "written today" if days == 0 else f"{days} day{'s' * (days > 1)} old"


def other_objects(known: LiveSource, flags: Flags, refs: Collection[ObjectRef]) -> Objects:
    """Return the other live objects that kubectl or Metacontroller may delete when applying ``refs``."""
    if flags.sync is None:
        return known.applied("", flags.selector) if flags.policy else Objects((), ())
    words = dict.fromkeys((*(word for word, _ in flags.sync.methods if word), *map(kind_name, refs)))
    if flags.sync.revisions:
        words[WORD] = None
    return known.of_kinds(words, {ref.namespace for ref in refs})


def kind_name(ref: ObjectRef) -> str:
    """Return the kind of an object as users write it: ``Deployment.apps``."""
    return f"{ref.kind}.{ref.group}".rstrip(".")


def unknown_parent_notes(flags: Flags, objects: Iterable[JsonObject], refs: Collection[ObjectRef]) -> Iterator[str]:
    """Yield a note if it is unknown which children Metacontroller deletes."""
    sync = flags.sync
    if sync is None or sync.parent:
        return
    observed = list(objects)
    number = len(sync.parents(observed, refs))
    if observed and number != 1:
        whose = f"the existing ones belong to {number} parents" if number else "none of them exists"
        yield f"which children are deleted is unknown: {whose}; specify the parent with --parent KIND/NAME"


def lost_revision_notes(flags: Flags) -> Iterator[str]:
    """Yield a note if the parent loses its revisions, so that every sync but the first of a revision fails."""
    sync = flags.sync
    if sync is not None and sync.revisions is not None and not sync.revisions.are_kept:
        why = "its selector does not match spec.template.metadata.labels"
        yield f"{sync.parent} loses its ControllerRevisions: {why}; each one is synced once, and every later sync fails"
