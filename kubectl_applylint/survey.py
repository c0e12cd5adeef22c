"""Everything that a run looks at: manifests, and what is live of the same objects, made into subjects."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from kubectl_applylint import predict as engine
from kubectl_applylint import strikes, transition
from kubectl_applylint.appliers.request import NO_FLAGS, ApplyFlags, ApplyRequest
from kubectl_applylint.base import Base
from kubectl_applylint.forerunners import along
from kubectl_applylint.known import SECONDS_A_DAY, Known, age, nobody
from kubectl_applylint.model import Document, InCluster, Problem, Report, Subject
from kubectl_applylint.outcome import Confidence, Level, Outcome
from kubectl_applylint.schema import load
from kubectl_applylint.schema.names import Spelled
from kubectl_applylint.schema.types import Schema
from kubectl_applylint.selector import Selector, selects
from kubectl_applylint.sources import files
from kubectl_applylint.sources.answer import Objects
from kubectl_applylint.sources.manifests import Input, join
from kubectl_applylint.state import UNSEEN, ObjectRef, Present, State, Surroundings, last_applied, ref_of
from kubectl_applylint.subjects import place, subjects
from kubectl_applylint.transition import Group, Predict
from kubectl_applylint.values import JsonObject, mapping

NEWEST_RECORDED: Final = engine.RECORDED[-1]
"""The newest Kubernetes whose behaviour was recorded; what a run that knows no better takes the cluster for."""

_MINOR = re.compile(r"v?(1\.\d{1,3})\b")
_NOBODY = nobody()
_UNSEEN: Final[Mapping[ObjectRef, Surroundings]] = {}


@dataclass(frozen=True, slots=True)
class Survey:
    """The subjects of a run, and what came up while they were gathered."""

    subjects: tuple[Subject, ...] = ()
    documents: tuple[Document, ...] = field(default=(), repr=False)
    """All that was read, with what could not become a subject."""
    problems: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()
    """What was left out or is not known, in words."""
    texts: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The input files by name."""
    origin: str = ""
    """Where the live state comes from and how old it is, empty where it is unknown."""
    left: tuple[tuple[Document, Outcome], ...] = field(default=(), repr=False)
    """The objects that only the earlier revision has, and what becomes of them."""
    renamed: Mapping[Group, ObjectRef] = field(default_factory=dict, repr=False)
    """What objects of this revision were called in the earlier one."""

    def complete(self, report: Report) -> Report:
        """Return the report on the subjects with what came up before."""
        return replace(report, problems=self.problems + report.problems, notes=self.notes + report.notes)

    def named(self, outcomes: Iterable[tuple[Document, Outcome]]) -> Iterator[tuple[Document, Outcome]]:
        """Yield the outcomes with what their objects were called in the earlier revision."""
        for document, outcome in outcomes:
            yield document, replace(outcome, renamed_from=self.renamed.get(transition.identity(outcome.ref)))

    @property
    def objects(self) -> Iterator[JsonObject]:
        """Every manifest, and every live object that belongs to one."""
        yield from (document.object for document in self.documents)
        for subject in self.subjects:
            if isinstance(subject.state.live, Present):
                yield subject.state.live.object
        yield from (document.object for document, _ in self.left)


def survey(
    names: Sequence[str],
    *,
    recursive: bool = False,
    stdin: Callable[[], bytes],
    known: Known = _NOBODY,
    namespace: str = "",
    selector: Selector = (),
    kubernetes_version: str = "",
    flags: ApplyFlags = NO_FLAGS,
) -> Survey:
    """Return the subjects that the files ``names`` hold (``-`` is what ``stdin`` gives), and what is known of each.

    Objects that the selector does not choose are left out. Those that name no namespace get ``namespace``, and where
    it is given, others may not name a different one, as for kubectl's ``-n``. Without ``kubernetes_version`` the
    version of the cluster holds. ``flags`` are those of the apply. Where all that is known are earlier manifests, the
    live state is what these make, and files that are as they were are not looked into. Never raises for bad input: that
    is in ``problems``.
    """
    given = (known.base.later if known.base else _of_files)(names, recursive, stdin)
    chosen = _selected(given, selector)
    past = _selected(join([known.base.moved, known.base.given]), selector) if known.base else []
    schema, missing = _schema(kubernetes_version, known, [*past, *chosen])
    documents = [place(document, schema, namespace or known.namespace) for document in chosen]
    here, elsewhere = _in(namespace, documents)
    found = Survey(
        documents=given.documents,
        problems=(*given.problems, *map(partial(_elsewhere, namespace), elsewhere), *known.problems, *missing),
        notes=(*_left_out(given, len(given.documents) - len(chosen)), *_unfamiliar(schema, documents)),
        texts=given.texts,
        origin=str(known),
    )
    if known.base:
        earlier, _ = _in(namespace, [place(document, schema, namespace or known.namespace) for document in past])
        return _changed(found, here, known.base, earlier, schema, flags=flags)
    return _asked(found, here, known, schema, flags=flags)


def _of_files(names: Sequence[str], recursive: bool, stdin: Callable[[], bytes]) -> Input:
    return files.read(names, recursive=recursive, stdin=stdin)


def _selected(given: Input, selector: Selector) -> list[Document]:
    return [document for document in given.documents if selects(selector, document.object)]


def _asked(found: Survey, here: Sequence[Document], known: Known, schema: Schema, *, flags: ApplyFlags) -> Survey:
    """Return the survey with a subject a document, whose live object the source is asked for."""
    states = known.states([document.ref for document in here], schema.custom.keys())
    near = known.around(states.states)
    around = along(here, states.states, near.surroundings, schema)
    return replace(
        found,
        subjects=subjects(
            here,
            schema=schema,
            state_of=lambda ref: known.state(states.states[ref]),
            predict=_predict(schema, flags, around),
            flags=flags,
        ),
        problems=(*found.problems, *states.problems),
        notes=(*found.notes, *near.notes),
    )


def _changed(
    found: Survey, here: Sequence[Document], base: Base, past: Sequence[Document], schema: Schema, *, flags: ApplyFlags
) -> Survey:
    """Return the survey with a subject a document, whose live object is what the earlier manifests make."""
    predict = _predict(schema, flags)
    earlier = transition.before(past, predict, origin=base.origin, doubt=base.doubt)
    moved = {document.file for document in base.moved.documents}
    left = tuple(one for one in transition.left(earlier, here) if one[0].file not in moved)
    come = [document for document in here if transition.identity(document.ref) not in earlier.documents]
    placed = subjects(
        here,
        schema=schema,
        state_of=earlier.state,
        predict=predict,
        base_of=earlier.manifest,
        flags=flags,
    )
    return replace(
        found,
        subjects=tuple(strikes.with_cases(subject, earlier.document(subject.ref), predict) for subject in placed),
        notes=(*filter(None, (*base.notes, base.doubt)), *found.notes),
        left=left,
        renamed=transition.renames([document for document, _ in left], come),
    )


def survey_applied(
    known: Known,
    *,
    namespace: str = "",
    selector: str = "",
    kubernetes_version: str = "",
    flags: ApplyFlags = NO_FLAGS,
) -> Survey:
    """Return as subjects the live objects that client-side apply has written, in a namespace or (empty) everywhere.

    What was last applied stands for the manifest of each; where the annotation does not tell, nobody has one.
    """
    return _of_objects(known, known.applied(namespace, selector), kubernetes_version, flags)


def survey_named(
    known: Known, names: Sequence[Spelled], *, namespace: str = "", kubernetes_version: str = ""
) -> Survey:
    """Return as subjects the live objects that somebody named, as ``survey_applied`` does; a missing one is a problem.

    Those of namespaced kinds are looked for in ``namespace``, without it in that of the source.
    """
    place = namespace or known.namespace
    answers = {name: known.named(name, place) for name in dict.fromkeys(names)}
    missing = [
        Problem(
            str(name), f"{known.origin or 'nobody'} knows no such object", f"is it in the namespace {place}? see -n"
        )
        for name, answer in answers.items()
        if not answer.objects and not answer.problems and not known.problems
    ]
    objects = tuple(item for answer in answers.values() for item in answer.objects)
    problems = tuple(problem for answer in answers.values() for problem in answer.problems)
    return _of_objects(known, Objects(objects, (*problems, *missing)), kubernetes_version, NO_FLAGS)


def _of_objects(known: Known, found: Objects, kubernetes_version: str, flags: ApplyFlags) -> Survey:
    documents = [_last_applied(live) for live in found.objects]
    schema, missing = _schema(kubernetes_version, known, documents)
    states = {ref_of(live): known.state(Present(live)) for live in found.objects}
    return Survey(
        subjects=subjects(
            documents, schema=schema, state_of=states.__getitem__, predict=_predict(schema, flags), flags=flags
        ),
        documents=tuple(documents),
        problems=(*known.problems, *missing, *found.problems),
        notes=tuple(_unfamiliar(schema, documents)),
        origin=str(known),
    )


def _last_applied(live: JsonObject) -> Document:
    """Return what the annotation holds as a document, or else no more than the name of the object."""
    ref = ref_of(live)
    match last_applied(Present(live)):
        case Present(manifest) if _is_same(ref_of(manifest), ref):
            placed = {**mapping(manifest.get("metadata")), **({"namespace": ref.namespace} if ref.namespace else {})}
            return _live_document(ref, {**manifest, "metadata": placed}, has_manifest=True)
        case _:
            names = {"name": ref.name, **({"namespace": ref.namespace} if ref.namespace else {})}
            header = {"apiVersion": ref.api_version, "kind": ref.kind}
            return _live_document(ref, {**header, "metadata": names}, has_manifest=False)


def _is_same(applied: ObjectRef, ref: ObjectRef) -> bool:
    """Tell whether a manifest is of that object, in that version; its namespace may have been left to a flag."""
    return replace(applied, namespace=applied.namespace or ref.namespace) == ref


def _live_document(ref: ObjectRef, manifest: JsonObject, *, has_manifest: bool) -> Document:
    kind = f"{ref.kind.lower()}.{ref.group}".rstrip(".")
    name = "/".join(filter(None, (ref.namespace, kind, ref.name)))
    return Document(name, 0, manifest, ref, InCluster(), has_manifest)


def _schema(version: str, known: Known, documents: Iterable[Document]) -> tuple[Schema, tuple[Problem, ...]]:
    """Return the schema of a run with the kinds that the cluster and, above it, the run itself define."""
    asked = version or _minor(known.version) or NEWEST_RECORDED
    kinds = dict.fromkeys((document.ref.api_version, document.ref.kind) for document in documents)
    own = [document.object for document in documents if _is_definition(document.ref)]
    tables = load.load(asked, crds=own)
    others = known.definitions([gvk for gvk in kinds if tables.kind(*gvk) is None])
    schema = load.load(asked, crds=(*others.objects, *own)) if others.objects else tables
    return schema, others.problems


def _is_definition(ref: ObjectRef) -> bool:
    return (ref.group, ref.kind) == ("apiextensions.k8s.io", "CustomResourceDefinition")


def _minor(version: str) -> str:
    match = _MINOR.match(version)
    return match[1] if match else ""


def _in(namespace: str, documents: Iterable[Document]) -> tuple[list[Document], list[Document]]:
    """Return the documents that ``-n`` lets pass, and those that it makes kubectl refuse; empty: it was not given."""
    here: list[Document] = []
    elsewhere: list[Document] = []
    for document in documents:
        own = document.ref.namespace
        (elsewhere if namespace and own and own != namespace else here).append(document)
    return here, elsewhere


def _elsewhere(namespace: str, document: Document) -> Problem:
    own = document.ref.namespace
    return Problem(
        str(document.locate(())),
        f"{document.ref} names the namespace {own}, so that kubectl apply -n {namespace} refuses it",
        f"leave -n out, or apply it with -n {own}",
    )


def _predict(schema: Schema, flags: ApplyFlags, around: Mapping[ObjectRef, Surroundings] = _UNSEEN) -> Predict:
    def predict(manifest: JsonObject, state: State) -> Outcome:
        request = ApplyRequest(
            manifest=manifest,
            state=state,
            schema=schema,
            applier=flags.applier,
            field_manager=flags.field_manager or None,
            force_conflicts=flags.force_conflicts,
            surroundings=around.get(ref_of(manifest), UNSEEN),
        )
        outcome = engine.predict(request)
        return replace(outcome, confidence=_aged(outcome.confidence, state))

    return predict


def _aged(confidence: Confidence, state: State) -> Confidence:
    """Return how far to trust a prediction from a state that may have changed since, or that nobody has seen."""
    doubts = tuple(_doubts(state))
    if not doubts:
        return confidence
    level = Level.MEDIUM if confidence.level is Level.HIGH else confidence.level
    return Confidence(level, (*confidence.reasons, *doubts))


def _doubts(state: State) -> Iterator[str]:
    if state.simulated:
        yield transition.unseen(state.origin)
    if (state.age_seconds or 0) >= SECONDS_A_DAY:
        yield f"the {state.origin} is {age(state.age_seconds or 0)}"


def _left_out(given: Input, unselected: int) -> Iterator[str]:
    """Yield what is not examined: what is no manifest, and objects that the selector does not choose."""
    numbers = Counter(skipped.why for skipped in given.skipped)
    if numbers:
        words = ", ".join(f"{number} × {why}" for why, number in sorted(numbers.items()))
        yield f"left out what is no manifest: {words}"
    if unselected:
        yield f"left out what the selector does not choose: {unselected} object{'s' * (unselected > 1)}"


def _unfamiliar(schema: Schema, placed: Sequence[Document]) -> Iterator[str]:
    """Yield what the schema does not know, and what is taken for it."""
    if schema.version != schema.asked:
        yield f"no tables of Kubernetes {schema.asked} ship: those of {schema.version} are used"
    kinds = {(document.ref.api_version, document.ref.kind) for document in placed}
    unknown = sorted(f"{kind} in {version}" for version, kind in kinds if schema.kind(version, kind) is None)
    if unknown:
        yield f"no schema is at hand of {', '.join(unknown)}: taken for custom resources, their lists replaced whole"
