"""What is known of a cluster, whoever tells: nobody, earlier manifests, a snapshot or the cluster itself."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.state import NO_CLUSTER, Knowledge, ObjectRef, State, Unknown
from kubectl_applylint.core.values import JsonObject
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
"""Gives the CustomResourceDefinitions of kinds, as far as there are any."""
StatesOf = Callable[[Collection[ObjectRef], Collection[Gvk]], States]
"""Gives the live objects of these names; custom resources of these kinds may be defined by the run itself."""
Named = Callable[[ObjectArgument, str], Objects]
"""Gives the live object that somebody spelled, of a namespace if its kind has any; none where there is none."""
Applied = Callable[[str, str], Objects]
"""Gives the live objects of a namespace (empty: all) and a label selector that client-side apply has written."""

OfKinds = Callable[[Collection[str], Collection[str]], Objects]
"""Gives the live objects of kinds, as somebody spells them, in some namespaces."""

Labelled = Callable[[Collection[str], str, Collection[str]], Objects]
"""Gives the live objects of kinds, as somebody spells them (none: of all), that a label selector chooses: of all
namespaces, or else at least of these."""

Around = Callable[[Mapping[ObjectRef, Knowledge]], Neighbours]
"""Gives what is known of the objects that decide about these, of which the states are known."""

ContextOf = Callable[[IndexQuery], Iterable[Document]]
"""Gives objects that are there and that the run does not apply: at least those of a kind that have one of its words."""


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
"""Gives what other units of the same target have of the names of some documents."""


def no_units(documents: Sequence[Document]) -> Iterable[UnitDocuments]:
    """Return that there are no such units."""
    return ()


@dataclass(frozen=True, slots=True)
class LiveSource:
    """One source of live state."""

    origin: str
    """What people are told that it is, ``cluster prod``; empty where nobody looked."""
    details: str
    """More about it, in parentheses: version, age."""
    definitions: Definitions
    states: StatesOf
    applied: Applied
    named: Named
    cluster_view: Around
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
    context_of: ContextOf = _nothing
    same_target: SameTarget = no_units
    mutated_groups: Callable[[Collection[str]], frozenset[str]] = lambda _: frozenset()
    """Gives those of some API groups whose objects a mutating webhook in the files may change."""
    labelled: Labelled = _none_labelled
    recalls: bool = False
    """Whether what was last applied is to stand for the earlier manifests."""

    def __str__(self) -> str:
        return f"{self.origin} ({self.details})" if self.details else self.origin

    def state(self, live: Knowledge) -> State:
        """Return what is known of one object together with where that comes from."""
        return State(live, self.origin, self.age_seconds)


def no_live_source(reason: str = NO_CLUSTER, problem: Problem | None = None) -> LiveSource:
    """Return the source that knows nothing, for ``reason``, which is a ``problem`` where it was meant to be one."""
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


def earlier(base: Base | Problem) -> LiveSource:
    """Return what is known of a cluster to which these manifests were applied; nothing where they cannot be read."""
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
"""Returns what a unit is compared with, from its options and from what all others are compared with."""


def _given_source(options: Mapping[str, Any], source: LiveSource) -> LiveSource:
    return source


@dataclass(frozen=True, slots=True)
class LiveSources:
    """What the units of a run are compared with."""

    shared: LiveSource
    of_unit: SourceOf = _given_source

    def of(self, unit: Unit) -> LiveSource:
        """Return what a unit is compared with."""
        return self.of_unit(dict(unit.applied.options), self.shared)


def age(seconds: int) -> str:
    """Return how old something is, in days."""
    days = seconds // SECONDS_A_DAY
    return "written today" if days == 0 else f"{days} day{'s' * (days > 1)} old"


def beside(known: LiveSource, flags: Flags, refs: Collection[ObjectRef]) -> Objects:
    """Return the objects beside ``refs``, which it applies, that kubectl or Metacontroller may delete."""
    if flags.sync is None:
        return known.applied("", flags.selector) if flags.policy else Objects((), ())
    words = dict.fromkeys((*(word for word, _ in flags.sync.methods if word), *map(word_of, refs)))
    if flags.sync.revisions:
        words[WORD] = None
    return known.of_kinds(words, {ref.namespace for ref in refs})


def word_of(ref: ObjectRef) -> str:
    """Return the kind of an object as people spell it: ``Deployment.apps``."""
    return f"{ref.kind}.{ref.group}".rstrip(".")


def parentless(flags: Flags, objects: Iterable[JsonObject], refs: Collection[ObjectRef]) -> Iterator[str]:
    """Yield that nobody can tell which children Metacontroller deletes, where that is so."""
    sync = flags.sync
    if sync is None or sync.parent:
        return
    observed = list(objects)
    number = len(sync.parents(observed, refs))
    if observed and number != 1:
        whose = f"the existing ones belong to {number} parents" if number else "none of them exists"
        yield f"which children are deleted is unknown: {whose}; specify the parent with --parent KIND/NAME"


def revisionless(flags: Flags) -> Iterator[str]:
    """Yield that every sync fails after the first one of each revision, where the parent loses its revisions."""
    sync = flags.sync
    if sync is not None and sync.revisions is not None and not sync.revisions.are_kept:
        why = "its selector does not match spec.template.metadata.labels"
        yield f"{sync.parent} loses its ControllerRevisions: {why}; each one is synced once, and every later sync fails"
