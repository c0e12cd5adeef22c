"""Builds subjects from documents: namespace, state and predictions."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial

from kubectl_applylint.appliers.addressing import within_scope
from kubectl_applylint.appliers.flags import NO_FLAGS, Flags
from kubectl_applylint.core.documents import NO_BASE, Document, Documents, Peers, in_namespace
from kubectl_applylint.core.outcome import Outcome, Verdict
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import Absent, Knowledge, ObjectRef, Present, State
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine.cluster_diff import NO_DIFF, ClusterDiff
from kubectl_applylint.engine.predictions import Predict
from kubectl_applylint.lint.model import OtherUnit, Scenario, Subject
from kubectl_applylint.merge.settled import is_unchanged
from kubectl_applylint.schema.served import is_namespaced, standing, successor
from kubectl_applylint.schema.types import Kind, Schema
from kubectl_applylint.server.former import convert_former

StateOf = Callable[[ObjectRef], State]


def _set_outcome(outcome_of: Callable[[int], Outcome] | None, position: int) -> Callable[[], Outcome] | None:
    """Return a function for the outcome at a position of the whole set, or ``None``."""
    return partial(outcome_of, position) if outcome_of else None


def _units_with_object(document: Document, units: Sequence[OtherUnit]) -> tuple[OtherUnit, ...]:
    """Return the units that contain an object of the same identity."""
    return tuple(one for one in units if one.document.ref.identity == document.ref.identity)


def _may_differ(stored: JsonObject) -> bool:
    """Return that a second apply of any object may send something."""
    return False


def settled_predicate(flags: Flags, document: Document, kind: Kind | None) -> Callable[[JsonObject], bool]:
    """Return a predicate of stored objects: a second client-side apply of the manifest sends nothing.

    It is false if only a prediction can decide that, and always for other applies.
    """
    return partial(is_unchanged, document.object, node=kind.root) if kind and flags.is_client_side else _may_differ


def no_base(ref: ObjectRef) -> Knowledge:
    """Return the knowledge of an earlier revision in a run without one."""
    return NO_BASE


def subjects(
    documents: Sequence[Document],
    *,
    schema: Schema,
    state_of: StateOf,
    predict: Predict,
    namespace: str = "default",
    base_of: Callable[[ObjectRef], Knowledge] = no_base,
    outcome_of: Callable[[int], Outcome] | None = None,
    flags: Flags = NO_FLAGS,
    cluster_diff: ClusterDiff = NO_DIFF,
    context: Sequence[Document] = (),
    other_units: Sequence[OtherUnit] = (),
) -> tuple[Subject, ...]:
    """Return one subject for each document, in their order.

    ``state_of`` and ``base_of`` are called once for each object, with its namespace. ``predict`` returns the outcome of
    an apply with ``flags`` in a state, and is called only if a check requests it. Objects of namespaced kinds without a
    namespace get ``namespace``, as in kubectl. ``outcome_of`` returns the outcome of the document at a position if the
    set is applied as a whole. ``context`` are documents that are peers of all others but not subjects. ``other_units``
    are placed documents of units with the same target.
    """
    placed = tuple(place(document, schema, namespace) for document in documents)
    applied = partial(_set_outcome, outcome_of)
    run, settles = Documents((*placed, *context)), partial(settled_predicate, flags)
    return tuple(
        Subject(
            document=document,
            state=(state := state_of(document.ref)),
            kind=(kind := schema.kind(document.ref.api_version, document.ref.kind)),
            schema=schema,
            peers=Peers(run, position, document.ref),
            predict=scenarios(document.object, state, predict, applied(position), settles(document, kind)),
            base=base_of(document.ref),
            flags=flags,
            cluster_diff=cluster_diff,
            other_units=_units_with_object(document, other_units),
        )
        for position, document in enumerate(placed)
    )


def place(
    document: Document, schema: Schema, namespace: str, scoped: Collection[tuple[str, str]] = frozenset()
) -> Document:
    """Return the document with the namespace that kubectl uses, in the object and in its ref.

    ``scoped`` are groups and kinds that have a namespace in other documents: a kind without a definition is then
    namespaced.
    """
    ref = document.ref
    kind = schema.kind(ref.api_version, ref.kind)
    namespaced = is_namespaced((ref.api_version, ref.kind)) if kind is None else kind.namespaced
    if namespaced is None and (ref.group, ref.kind) in scoped:
        namespaced = True
    if namespaced is None:
        return document
    if not namespaced:
        sent = within_scope(document.object, kind) if kind else document.object
        return replace(document, object=sent, ref=replace(ref, namespace=""))
    return document if ref.namespace else in_namespace(document, namespace)


def as_served(document: Document, schema: Schema) -> Document:
    """Return the document of a live object in a version that the server still serves.

    A removed version is replaced by its successor. If the conversion is not known, the document stays unchanged and is
    rejected.
    """
    gvk = (document.ref.api_version, document.ref.kind)
    if schema.kind(*gvk) is not None or not standing(schema.asked, gvk).is_refused:
        return document
    now = successor(schema.asked, gvk)
    moved = convert_former(document.object, now, schema) if now else None
    if moved is None:
        return document
    ref = replace(document.ref, api_version=moved["apiVersion"])
    return replace(document, object=moved, ref=ref, written=document.object)


def split_by_namespace(namespace: str, documents: Iterable[Document]) -> tuple[list[Document], list[Document]]:
    """Return the documents that ``-n`` accepts, and those that kubectl rejects because of it; empty: no flag."""
    here: list[Document] = []
    elsewhere: list[Document] = []
    for document in documents:
        own = document.ref.namespace
        (elsewhere if namespace and own and own != namespace else here).append(document)
    return here, elsewhere


def namespace_problems(namespace: str, documents: Iterable[Document]) -> Iterator[Problem]:
    """Yield kubectl's errors for documents that name another namespace than ``-n``."""
    for document in documents:
        own = document.ref.namespace
        yield Problem(
            str(document.locate(())),
            f"{document.ref} names the namespace {own}, so that kubectl apply -n {namespace} rejects it",
            f"leave -n out, or apply it with -n {own}",
        )


def scenarios(
    manifest: JsonObject,
    state: State,
    predict: Predict,
    applied: Callable[[], Outcome] | None = None,
    settles: Callable[[JsonObject], bool] = _may_differ,
) -> Callable[[Scenario], Outcome]:
    """Return a function that returns the outcome of a scenario or raises ``PredictionError``.

    ``applied`` returns the outcome of the object if others are applied before it. ``settles`` is whether a second apply
    to a stored object sends nothing: it is not predicted then.
    """

    outcomes: dict[Scenario, Outcome] = {}

    def outcome_in(scenario: Scenario) -> Outcome:
        if scenario not in outcomes:
            outcomes[scenario] = predict_scenario(scenario)
        return outcomes[scenario]

    def predict_scenario(scenario: Scenario) -> Outcome:
        match scenario:
            case Scenario.APPLY:
                return applied() if applied else predict(manifest, state)
            case Scenario.FRESH:
                return predict(manifest, replace(state, live=Absent()))
            case Scenario.AGAIN:
                first = outcome_in(Scenario.APPLY)
                if first.result is not None and not first.refused and settles(first.result):
                    return Outcome(first.ref, Verdict.UNCHANGED, result=first.result, confidence=first.confidence)
                live = Absent() if first.result is None else Present(first.result)
                return predict(manifest, replace(state, live=live))

    return outcome_in
