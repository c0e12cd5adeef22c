"""Makes subjects of documents: their namespace, their state, and what the engine predicts of them."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from kubectl_applylint.appliers.addressing import within_scope
from kubectl_applylint.appliers.flags import NO_FLAGS, Flags
from kubectl_applylint.core.documents import NO_BASE, Document, Documents, Peers
from kubectl_applylint.core.outcome import Outcome, Verdict
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.state import Absent, Knowledge, ObjectRef, Present, State
from kubectl_applylint.core.values import JsonObject, mapping
from kubectl_applylint.engine.cluster_diff import NO_DIFF, ClusterDiff
from kubectl_applylint.engine.predictions import Predict
from kubectl_applylint.lint.model import OtherUnit, Scenario, Subject
from kubectl_applylint.merge.settled import is_settled
from kubectl_applylint.schema.served import is_namespaced, standing, successor
from kubectl_applylint.schema.types import Kind, Schema
from kubectl_applylint.server.former import read_as

StateOf = Callable[[ObjectRef], State]


def _applied(outcome_of: Callable[[int], Outcome] | None, position: int) -> Callable[[], Outcome] | None:
    return partial(outcome_of, position) if outcome_of else None


def _with_the_same(document: Document, units: Sequence[OtherUnit]) -> tuple[OtherUnit, ...]:
    return tuple(one for one in units if one.document.ref.identity == document.ref.identity)


def _may_differ(stored: JsonObject) -> bool:
    return False


def settling(flags: Flags, document: Document, kind: Kind | None) -> Callable[[JsonObject], bool]:
    """Return a predicate of stored objects: a second client-side apply of the manifest sends nothing.

    It is false where only a prediction can decide that, and always for other applies.
    """
    return partial(is_settled, document.object, node=kind.root) if kind and flags.is_client_side else _may_differ


def no_base(ref: ObjectRef) -> Knowledge:
    """Return what is known of an earlier revision where the run compares with none."""
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
    """Return one subject a document, in their order.

    ``state_of`` and ``base_of`` are asked once an object, with its namespace; ``predict`` tells what an apply with
    ``flags`` does in a state, and is asked only when a check wants to know. Objects of namespaced kinds that name no
    namespace get ``namespace``, as kubectl writes it first. ``outcome_of`` tells what becomes of the document at a
    position when the set is applied as a whole. ``context`` are documents that are peers of all others, and no
    subjects. ``other_units`` are placed documents of units with the same target.
    """
    placed = tuple(place(document, schema, namespace) for document in documents)
    applied = partial(_applied, outcome_of)
    run, settles = Documents((*placed, *context)), partial(settling, flags)
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
            other_units=_with_the_same(document, other_units),
        )
        for position, document in enumerate(placed)
    )


def place(
    document: Document, schema: Schema, namespace: str, scoped: Collection[tuple[str, str]] = frozenset()
) -> Document:
    """Return the document with the namespace that kubectl sends it to, in the object and in its name.

    ``scoped`` are groups and kinds of which other documents name a namespace: so has one without a definition.
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


def in_namespace(document: Document, namespace: str) -> Document:
    """Return a document with this namespace, whatever its own was."""
    metadata = {**mapping(document.object.get("metadata")), "namespace": namespace}
    ref = replace(document.ref, namespace=namespace)
    return replace(document, object={**document.object, "metadata": metadata}, ref=ref)


def as_served(document: Document, schema: Schema) -> Document:
    """Return the document of an object that is there already as a server reads the object now.

    A version that servers have lost gives way to its successor. Where nobody says how the object reads in that, the
    document stays as it is, and so is refused.
    """
    gvk = (document.ref.api_version, document.ref.kind)
    if schema.kind(*gvk) is not None or not standing(schema.asked, gvk).is_refused:
        return document
    now = successor(schema.asked, gvk)
    moved = read_as(document.object, now, schema) if now else None
    if moved is None:
        return document
    ref = replace(document.ref, api_version=moved["apiVersion"])
    return replace(document, object=moved, ref=ref, written=document.object)


def within(namespace: str, documents: Iterable[Document]) -> tuple[list[Document], list[Document]]:
    """Return the documents that ``-n`` lets pass, and those that it makes kubectl refuse; empty: it was not given."""
    here: list[Document] = []
    elsewhere: list[Document] = []
    for document in documents:
        own = document.ref.namespace
        (elsewhere if namespace and own and own != namespace else here).append(document)
    return here, elsewhere


def misplaced(namespace: str, documents: Iterable[Document]) -> Iterator[Problem]:
    """Yield what kubectl says of documents that name another namespace than ``-n``."""
    for document in documents:
        own = document.ref.namespace
        yield Problem(
            str(document.locate(())),
            f"{document.ref} names the namespace {own}, so that kubectl apply -n {namespace} refuses it",
            f"leave -n out, or apply it with -n {own}",
        )


def scenarios(
    manifest: JsonObject,
    state: State,
    predict: Predict,
    applied: Callable[[], Outcome] | None = None,
    settles: Callable[[JsonObject], bool] = _may_differ,
) -> Callable[[Scenario], Outcome]:
    """Return a function that gives the outcome of a scenario or raises ``PredictionError``.

    ``applied`` tells what becomes of the object where others are applied before it, ``settles`` of an object that an
    apply of the manifest has left that a second one sends nothing: it is not predicted then.
    """

    told: dict[Scenario, Outcome] = {}

    def outcome_in(scenario: Scenario) -> Outcome:
        if scenario not in told:
            told[scenario] = made(scenario)
        return told[scenario]

    def made(scenario: Scenario) -> Outcome:
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
