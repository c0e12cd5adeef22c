"""The cluster before an apply: as it was read, or as the result of the earlier manifests."""

from kubectl_applylint.appliers.applyset import ApplySet
from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.state import UNSEEN, ClusterView, Identity, Knowledge, Present, Unknown, ref_of
from kubectl_applylint.engine import transition
from kubectl_applylint.engine.cluster_model import ClusterModel
from kubectl_applylint.engine.predictions import Predict
from kubectl_applylint.engine.transition import EarlierRevision
from kubectl_applylint.run.compare.live_source import LiveSource, lost_revision_notes, unknown_parent_notes
from kubectl_applylint.run.load.prediction import earlier_predictor
from kubectl_applylint.run.load.reading import Reading
from kubectl_applylint.run.load.unchanged_deciders import unchanged_admission_inputs
from kubectl_applylint.run.load.unit_policies import deletable_objects, program_notes, recorded_objects
from kubectl_applylint.run.notes import unserved_kinds
from kubectl_applylint.sources.cluster.read_results import Objects


@dataclass(frozen=True, slots=True)
class ClusterBefore:
    """The cluster before the apply, with the problems and notes of reading it."""

    before: EarlierRevision
    cluster_view: ClusterView = UNSEEN
    problems: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()
    predict: Predict | None = field(default=None, repr=False, compare=False)
    """Predicts applies of the earlier manifests, with cached outcomes; ``None`` if the states were read."""


@dataclass(frozen=True, slots=True)
class EarlierApply:
    """The result of applying the earlier manifests, for both inputs of a unit that start from it."""

    past: Reading
    flags: Flags
    start: ClusterBefore

    def is_of(self, past: Reading, flags: Flags, cluster_view: ClusterView) -> bool:
        """Return whether these arguments have the same result."""
        return (self.past, self.flags, self.start.cluster_view) == (past, flags, cluster_view)

    def with_known_manifests(self, reading: Reading) -> Reading:
        """Return a reading of the earlier manifests with the documents whose outcomes are cached."""
        return replace(reading, here=self.past.here) if reading.here == self.past.here else reading

    def predictor(self, reading: Reading, flags: Flags) -> Predict | None:
        """Return the function that predicted the earlier manifests, if it is also that of a reading."""
        schema, policy = self.past.schema, self.past.policy
        is_same = (schema, policy, self.flags) == (reading.schema, reading.policy, flags) and not flags.subresource
        return self.start.predict if is_same else None


def cluster_before_and_reading(
    source: LiveSource, past: Reading, now: Reading, flags: Flags, version: str, *, known: EarlierApply | None = None
) -> tuple[ClusterBefore, Reading]:
    """Return the cluster before the apply, and the documents with its served kinds unless a version is given.

    ``known`` is the result of the earlier manifests from another input, used if it has the same arguments.
    """
    start = _cluster_before(source, past, now, flags, known)
    seen = frozenset() if version else start.before.cluster.kinds
    return start, replace(now, schema=replace(now.schema, discovered=seen)) if seen else now


def _cluster_before(
    source: LiveSource, past: Reading, now: Reading, flags: Flags, known: EarlierApply | None
) -> ClusterBefore:
    """Return the cluster before the apply: as read from the source, or as the result of the earlier manifests."""
    if source.base and source.base.is_applied:
        namespace = flags.namespace or source.namespace
        cluster_view = unchanged_admission_inputs(source.base, (*past.here, *now.here), now.schema, flags, namespace)
        if known is not None and known.is_of(past, flags, cluster_view):
            return known.start
        predict = earlier_predictor(past.schema, flags, past.policy)
        earlier = transition.earlier_revision(
            past.here,
            origin=source.base.origin,
            schema=past.schema,
            predict=predict,
            policy=past.policy,
            unselected=past.unselected,
            doubt=source.base.doubt,
            cluster_view=cluster_view,
        )
        cluster = replace(earlier.cluster.with_states(source.base.unknown), age_seconds=source.age_seconds)
        notes = tuple(dict.fromkeys((*source.base.notes, *source.base.short_doubts)))
        return ClusterBefore(replace(earlier, cluster=cluster), cluster_view, notes=notes, predict=predict)
    refs = [document.ref for document in now.here]
    parent = [now.policy.parent] if isinstance(now.policy, ApplySet) and not now.policy.is_open else []
    asked = source.states([*refs, *parent, *recorded_objects(now.policy)], now.schema.without_bundled().custom.keys())
    deletable = deletable_objects(source, flags, now.policy, refs) if now.policy or flags.sync else Objects((), ())
    live: dict[Identity, Knowledge] = {ref_of(item).identity: Present(item) for item in deletable.objects}
    live |= {ref.identity: found for ref, found in asked.states.items()}
    nowhere = Unknown("not requested")
    cluster = ClusterModel(live, nowhere, source.origin, source.age_seconds, schema=now.schema, kinds=asked.served)
    neighbours = source.cluster_view(asked.states)
    assumptions = (*unknown_parent_notes(flags, cluster.objects, refs), *lost_revision_notes(flags))
    notes = (*neighbours.notes, *assumptions, *program_notes(now.policy, source))
    unserved = unserved_kinds(now.here, asked.unserved)
    return ClusterBefore(
        EarlierRevision({}, cluster), neighbours.surroundings, (*unserved, *asked.problems, *deletable.problems), notes
    )
