"""The apply of a whole set: each object meets the cluster as the objects before it left it.

kubectl reads all files first and skips objects of unserved kinds; it applies the others one by one, in file order,
continues after a failure, and prunes only if nothing failed (``Run`` and ``GetObjects`` of kubectl's ``apply``).
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from kubectl_applylint.appliers.applyset import ApplySet, tracked_after
from kubectl_applylint.appliers.flags import Policy
from kubectl_applylint.core.documents import Document, Documents
from kubectl_applylint.core.outcome import FieldError, Outcome, PredictionError
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.state import (
    UNSEEN,
    Absent,
    ClusterView,
    Identity,
    Knowledge,
    ObjectRef,
    Present,
    State,
    Unknown,
    ref_of,
)
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine.cluster_model import ClusterModel, as_version, defined_kind, defines, is_definition
from kubectl_applylint.engine.predictions import Predict, attempt, outcome_or_raise
from kubectl_applylint.engine.process import Process, SetParts, is_unready
from kubectl_applylint.engine.program import program_of
from kubectl_applylint.engine.set_policies import (
    applier_name,
    deletions_after_failure,
    deletions_before_apply,
    is_deleted_before,
    process_of,
    program_policy,
    remedy_of,
    stop_before,
)
from kubectl_applylint.engine.set_refusals import (
    DEFINE_FIRST,
    NAMESPACE_FIRST,
    known_object,
    no_kind,
    no_namespace,
    not_reached,
    rejected_outcome,
    state_left_by,
)
from kubectl_applylint.schema.served import standing_in
from kubectl_applylint.schema.types import Schema
from kubectl_applylint.server.admission_inputs import POLICY, input_kinds
from kubectl_applylint.server.allocate import clashes
from kubectl_applylint.tools.metacontroller.children import Sync

_NOT_FOUND: Final = 404
_UNPROCESSABLE: Final = 422


@dataclass(frozen=True, slots=True)
class SetApply:
    """The apply of ``documents`` to ``cluster``; each outcome is computed once, on demand.

    Namespaces and custom kinds are assumed to exist, unless the set creates them and the cluster may not have them.
    """

    documents: Documents
    cluster: ClusterModel
    """The cluster before the apply."""
    schema: Schema = field(repr=False)
    predict: Predict = field(repr=False)
    policy: Policy | None
    """The policy of ``--prune``."""
    is_complete: bool
    """Whether all files could be read; otherwise kubectl prunes nothing."""
    blocked: FieldError | None
    """Why kubectl stops before it applies anything."""
    namespaces: frozenset[str] = field(repr=False)
    """The namespaces that exist before."""
    served: Mapping[tuple[str, str], frozenset[str]] = field(repr=False)
    """The versions of custom resources that the cluster serves before, by group and kind."""
    brought: frozenset[tuple[str, str] | None] = field(repr=False)
    """Group and kind of the custom resources that the files themselves define."""
    cluster_view: ClusterView = field(repr=False)
    """The state of other objects before."""
    deciding: tuple[int, ...]
    """The positions of the documents whose objects influence others."""
    is_one_by_one: bool = False
    """Whether kubectl is run for each object, so that it finds kinds that earlier objects define."""
    check: Predict | None = field(default=None, repr=False)
    """Predicts the checks of Flux and Argo CD before the first apply; ``None`` for other appliers."""
    _outcomes: dict[int, Outcome | PredictionError] = field(default_factory=dict, repr=False, compare=False)
    _processes: list[Process] = field(default_factory=list, repr=False, compare=False)
    _found: dict[ObjectRef, list[Knowledge]] = field(default_factory=dict, repr=False, compare=False)
    """The state that each document of an object finds, in their order."""
    _steps: list[ClusterView] = field(default_factory=list, repr=False, compare=False)

    def outcome(self, position: int) -> Outcome:
        """Return the outcome of the document at ``position``; raise ``PredictionError`` if it is unknown."""
        return outcome_or_raise(self._result(position))

    def _result(self, position: int) -> Outcome | PredictionError:
        if position not in self._outcomes:
            self._outcomes[position] = attempt(partial(self._predict, position))
        return self._outcomes[position]

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The outcomes of the documents in their order, except those that cannot be predicted."""
        return tuple(self.placed.values())

    @property
    def placed(self) -> Mapping[int, Outcome]:
        """The outcomes by the position of the document."""
        results = ((position, self._result(position)) for position in range(len(self.documents.every)))
        return {position: found for position, found in results if isinstance(found, Outcome)}

    @property
    def every(self) -> Iterator[tuple[Document, Outcome]]:
        """Each document with its outcome, except those that cannot be predicted."""
        return ((self.documents.every[position], outcome) for position, outcome in self.placed.items())

    @property
    def unpredicted(self) -> Iterator[tuple[Document, PredictionError]]:
        """Documents whose outcome cannot be predicted, with the reason."""
        for position, document in enumerate(self.documents.every):
            found = self._result(position)
            if isinstance(found, PredictionError):
                yield document, found

    def state_before(self, position: int) -> State:
        """Return the state in which the document at ``position`` finds its object."""
        ref = self.documents.every[position].ref
        state = replace(self.cluster.state(ref), cluster_view=self._view(position))
        places = self.documents.positions_of(ref)
        found = self._found.setdefault(ref, [state.live])
        for index in range(len(found), (number := bisect_left(places, position)) + 1):
            found[index : index + 1] = [state_left_by(self._result(places[index - 1]), found[index - 1])]
        return replace(state, live=as_version(found[number], ref, self.schema, "the run"))

    def state(self, ref: ObjectRef) -> State:
        """Return the state of one object before the apply, with the view of others that it is applied with."""
        first = next(iter(self.documents.positions_of(ref)), 0)
        return replace(self.cluster.state(ref), cluster_view=self._view(first))

    def _view(self, position: int) -> Callable[[], ClusterView]:
        return partial(self._view_after, bisect_left(self.deciding, position))

    def _view_after(self, number: int) -> ClusterView:
        """Return the state of other objects after the first ``number`` influencing documents are applied."""
        if not self._steps:
            self._steps.append(self.cluster_view)
        # One after the other: each object sees the cluster as the earlier ones left it.
        for position in self.deciding[len(self._steps) - 1 : number]:
            left = state_left_by(self._result(position), self.state_before(position).live)
            self._steps.append(self._steps[-1].with_knowledge({self.documents.every[position].ref.identity: left}))
        return self._steps[number]

    def state_after(self, ref: ObjectRef) -> Knowledge:
        """Return the state of one object after all are applied, and before anything is pruned."""
        live = self.cluster.state(ref).live
        for position in self.documents.positions_of(ref):
            live = state_left_by(self._result(position), live)
        return live

    def is_refused(self, ref: ObjectRef) -> bool:
        """Return whether the apply of an object is rejected; ``False`` if that is unknown."""
        return any(self._fails(position) for position in self.documents.positions_of(ref))

    @property
    def pruned(self) -> tuple[ObjectRef, ...]:
        """The objects that are pruned after all are applied, in the order of the cluster."""
        if self.policy is None or not self.is_complete or self.blocked is not None:
            return ()
        if self.process is not None:
            return self.process.deletions(self.prunable)
        if any(outcome.refused for outcome in self.outcomes):
            return tuple(deletions_after_failure(self.policy, lambda: self.prunable, self.outcomes))
        return self.prunable

    @property
    def prunable(self) -> tuple[ObjectRef, ...]:
        """The objects that are pruned if nothing fails."""
        applied = [document.ref for document in self.documents.every]
        match self.policy:
            case None:
                return ()
            case ApplySet() as policy:
                tracked = policy.read_tracked(known_object(self.cluster.state(policy.parent).live))
                return tuple(policy.targets(self.applied.objects, applied, tracked))
            case Sync() as policy:
                return tuple(policy.targets(self.cluster.objects, applied, simulated=self.cluster.simulated))
            case policy:
                return tuple(policy.targets(self.applied.objects, applied))

    @property
    def applied(self) -> ClusterModel:
        """The cluster after all are applied, and before anything is pruned."""
        return self.cluster.with_states(self._left_by(range(len(self.documents.every))))

    @property
    def after(self) -> ClusterModel:
        """The cluster after applying and pruning."""
        gone: dict[Identity, Knowledge] = {ref.identity: Absent() for ref in self.pruned}
        return self.applied.with_states(gone | self._parent())

    def _parent(self) -> dict[Identity, Knowledge]:
        """Return the parent object of an ApplySet; after a failure it still tracks the earlier objects."""
        if not isinstance(self.policy, ApplySet) or self.blocked is not None:
            return {}
        tracked = tracked_after(document.ref for document in self.documents.every if not self.is_unserved(document.ref))
        if not self.is_complete or any(outcome.refused for outcome in self.outcomes):
            tracked |= self.policy.read_tracked(known_object(self.cluster.state(self.policy.parent).live))
        written = self.policy.parent_object(tracked, self.schema.asked)
        return {self.policy.parent.identity: Present(written)}

    def _left_by(self, positions: Sequence[int]) -> Mapping[Identity, Knowledge]:
        left: dict[Identity, Knowledge] = {}
        for position in positions:
            ref, outcome = self.documents.every[position].ref, self._result(position)
            left[ref.identity] = state_left_by(outcome, left.get(ref.identity, self.cluster.state(ref).live))
        return left

    def _predict(self, position: int) -> Outcome:
        document, state = self.documents.every[position], self.state_before(position)
        outcome = self.predict(document.object, state)
        if self.blocked is not None:
            return rejected_outcome(outcome, state, self.blocked, status=None, remedy=remedy_of(self.policy))
        if self.process is not None and (cut := self.process.cut_short(position)) is not None:
            return cut
        stop = self._stop_before(position)
        if stop is not None:
            return rejected_outcome(outcome, state, not_reached(stop, applier_name(self.policy)), status=None)
        return self._among_others(position, outcome, state, position)

    @property
    def process(self) -> Process | None:
        """How Flux, Argo CD or Metacontroller processes the set; ``None`` for other appliers."""
        if self.check is not None and not self._processes:
            around = self._state_at, self._among_others, self._result, self.is_unserved
            parts = SetParts(self.documents.every, self.cluster, self.schema, self.predict, self.check, *around)
            self._processes.extend(filter(None, [process_of(self.policy, parts)]))
        return next(iter(self._processes), None)

    def _state_at(self, position: int, until: int) -> State:
        return replace(self.cluster.state(self.documents.every[position].ref), cluster_view=self._view(until))

    def _among_others(self, position: int, outcome: Outcome, state: State, until: int) -> Outcome:
        """Return an outcome adjusted to the objects around it, when those before ``until`` are applied."""
        document = self.documents.every[position]
        if self.is_unserved(document.ref) and not outcome.refused and not is_unready(outcome):
            if not self._is_defined_before(position):
                return rejected_outcome(outcome, state, no_kind(document.ref), status=None, remedy=DEFINE_FIRST)
            outcome = replace(outcome, unmapped=no_kind(document.ref))
        if self._lacks_namespace(position, state):
            missing = no_namespace(document.ref.namespace)
            return rejected_outcome(outcome, state, missing, status=_NOT_FOUND, remedy=NAMESPACE_FIRST)
        taken = () if outcome.refused else tuple(self._clashes(position, outcome, until))
        return rejected_outcome(outcome, state, *taken, status=_UNPROCESSABLE) if taken else outcome

    def _stop_before(self, position: int) -> ObjectRef | None:
        """Return the object at which the applier stops before this one; kubectl never stops."""
        results = (self._result(place) for place in range(position))
        earlier = (found for found in results if isinstance(found, Outcome))
        return stop_before(self.policy, self.documents.every[position].ref, earlier)

    def is_unserved(self, ref: ObjectRef) -> bool:
        """Return whether kubectl finds no such kind when it reads the files, even if the set defines it."""
        kind = self.schema.kind(ref.api_version, ref.kind)
        if (ref.api_version, ref.kind) in self.cluster.kinds:
            return False
        if kind is None or not kind.custom:
            found = standing_in(self.schema, (ref.api_version, ref.kind))
            if kind is not None or found.is_refused:
                return found.is_refused
        versions = self.served.get((ref.group, ref.kind))
        if versions is not None:
            return ref.api_version.rpartition("/")[2] not in versions
        return (ref.group, ref.kind) in self.brought

    def is_unknown_when_read(self, ref: ObjectRef) -> bool:
        """Return whether Helm finds no such kind; the definitions of a unit count as installed by ``crds/``."""
        is_brought = self.is_one_by_one and (ref.group, ref.kind) in self.brought
        return self.is_unserved(ref) and not is_brought

    def _is_defined_before(self, position: int) -> bool:
        """Return whether an object that is applied by itself has a kind that an earlier object defines."""
        ref = self.documents.every[position].ref
        before = enumerate(self.documents.every[:position] if self.is_one_by_one else ())
        makers = (place for place, document in before if is_definition(document.ref) and defines(document.object, ref))
        return any(not self._fails(place) for place in makers)

    def _lacks_namespace(self, position: int, state: State) -> bool:
        """Return whether an object would be created in a namespace that the set creates later or never."""
        namespace = self.documents.every[position].ref.namespace
        if not namespace or isinstance(state.live, Present) or namespace in self.namespaces:
            return False
        home = ObjectRef("v1", "Namespace", "", namespace)
        creating = tuple(self.documents.positions_of(home))
        return bool(creating) and all(place > position or self._fails(place) for place in creating)

    def _fails(self, position: int) -> bool:
        found = self._result(position)
        return isinstance(found, Outcome) and found.refused

    def _clashes(self, position: int, outcome: Outcome, until: int) -> Iterator[FieldError]:
        """Yield errors for values that the server has already allocated to another object."""
        if outcome.result is None or (outcome.ref.group, outcome.ref.kind) != ("", "Service"):
            return
        yield from clashes(outcome.result, self._services(position, until))

    def _services(self, position: int, until: int) -> Iterator[JsonObject]:
        """Yield the other Services than that at ``position``, when all before ``until`` are applied."""
        ref = self.documents.every[position].ref
        own = ref.identity
        policy, process = self.policy, self.process
        gone = process.deleted_before(position) if process else deletions_before_apply(policy, lambda: self.prunable)
        earlier = [place for place in range(until) if self.documents.every[place].ref.identity[:2] == own[:2]]
        for identity, found in {**self.cluster.known, **self._left_by(earlier)}.items():
            if identity[:2] != own[:2] or identity in (own, *gone) or not isinstance(found, Present):
                continue
            if not is_deleted_before(policy, ref_of(found.object), ref):
                yield found.object


def apply_set(
    documents: Sequence[Document],
    cluster: ClusterModel,
    *,
    schema: Schema,
    predict: Predict,
    policy: Policy | None = None,
    unselected: Sequence[Document] = (),
    is_complete: bool = True,
    cluster_view: ClusterView = UNSEEN,
    is_one_by_one: bool = False,
    check: Predict | None = None,
) -> SetApply:
    """Return the apply of ``documents``, whose namespaces are set, in this order.

    kubectl looks up the kinds of ``unselected`` documents (``-l``) as well, and puts unserved ones last.
    ``cluster_view`` adds states to those of ``cluster``; ``check`` is for Flux and Argo CD.
    """
    definitions = (document.object for document in (*documents, *unselected) if is_definition(document.ref))
    objects = (*cluster_view.known_objects(*POLICY), *cluster.objects, *(document.object for document in documents))
    kinds = input_kinds(objects)
    inputs = {name: found for name, found in cluster.known.items() if name[:2] in kinds}
    whole = SetApply(
        Documents(tuple(documents)),
        cluster,
        schema,
        predict,
        policy,
        is_complete,
        blocked=None,
        namespaces=cluster.namespaces(),
        served=cluster.definitions(),
        brought=frozenset(map(defined_kind, definitions)),
        cluster_view=cluster_view.with_knowledge(inputs),
        deciding=tuple(place for place, document in enumerate(documents) if document.ref.identity[:2] in kinds),
        is_one_by_one=is_one_by_one,
        check=check,
    )
    unserved = [document for document in unselected if whole.is_unserved(document.ref)]
    return replace(whole, documents=Documents((*documents, *unserved)), blocked=_blocking_error(whole))


def apply_other(whole: SetApply, documents: Sequence[Document], cluster: ClusterModel) -> SetApply:
    """Return the apply of other documents to another cluster, otherwise as in ``whole``."""
    return apply_set(
        documents,
        cluster,
        schema=whole.schema,
        predict=whole.predict,
        policy=whole.policy,
        cluster_view=whole.cluster_view,
        is_one_by_one=whole.is_one_by_one,
        check=whole.check,
    )


def _blocking_error(whole: SetApply) -> FieldError | None:
    """Return the error that prevents all writes, such as a rejected parent object of an ApplySet."""
    policy, documents, cluster = whole.policy, whole.documents, whole.cluster
    if own := program_policy(policy):
        return program_of(own.applier).blocked(own, documents.every, cluster, whole.is_unknown_when_read)
    if not isinstance(policy, ApplySet):
        return None
    home = ObjectRef("v1", "Namespace", "", policy.parent.namespace)
    if home.name not in cluster.namespaces() and tuple(documents.positions_of(home)):
        return FieldError("", "NotFound", f"failed to update ApplySet: {no_namespace(home.name).message}")
    live = cluster.state(policy.parent).live
    # In a predicted cluster, the earlier apply has created the parent of a custom kind.
    complaint = policy.complaint(Unknown("predicted") if live == Absent() and cluster.simulated else live)
    return FieldError("", "", complaint) if complaint else None
