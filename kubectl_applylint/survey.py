"""Everything that a run looks at: manifests from files, and what is live from a snapshot, made into subjects."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from kubectl_applylint import predict as engine
from kubectl_applylint.appliers.request import ApplyRequest
from kubectl_applylint.model import Document, Problem, Report, Subject
from kubectl_applylint.outcome import Confidence, Level, Outcome
from kubectl_applylint.schema import load
from kubectl_applylint.schema.types import Schema
from kubectl_applylint.sources import files, snapshot
from kubectl_applylint.sources.manifests import Input
from kubectl_applylint.sources.snapshot import Snapshot
from kubectl_applylint.state import Present, State, Unknown
from kubectl_applylint.subjects import Predict, StateOf, place, subjects
from kubectl_applylint.values import JsonObject

NEWEST_RECORDED: Final = "1.36"
"""The newest Kubernetes whose behaviour was recorded; what a run that knows no better takes the cluster for."""
DEFAULT_NAMESPACE: Final = "default"

_NOBODY_LOOKED: Final = State(Unknown("no cluster was looked at"))
_DAY = 24 * 60 * 60


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

    def complete(self, report: Report) -> Report:
        """Return the report on the subjects with what came up before."""
        return replace(report, problems=self.problems + report.problems, notes=self.notes + report.notes)

    @property
    def objects(self) -> Iterator[JsonObject]:
        """Every manifest, and every live object that belongs to one."""
        yield from (document.object for document in self.documents)
        for subject in self.subjects:
            if isinstance(subject.state.live, Present):
                yield subject.state.live.object


def survey(
    names: Sequence[str],
    *,
    recursive: bool = False,
    stdin: Callable[[], bytes],
    snapshot_file: str = "",
    namespace: str = "",
    kubernetes_version: str = "",
) -> Survey:
    """Return the subjects that the files ``names`` hold (``-`` is what ``stdin`` gives), and what is known of each.

    ``snapshot_file`` stands for the whole cluster; without one the live state is unknown. Objects that name no
    namespace get ``namespace``, and where it is given, others may not name a different one, as for kubectl's ``-n``.
    Never raises for bad input: that is in ``problems``.
    """
    given = files.read(names, recursive=recursive, stdin=stdin)
    known = snapshot.read(snapshot_file, now=time.time()) if snapshot_file else None
    schema = load.load(kubernetes_version or NEWEST_RECORDED, crds=tuple(_crds(given, known)))
    documents = [place(document, schema, namespace or DEFAULT_NAMESPACE) for document in given.documents]
    elsewhere = [_elsewhere(document, namespace) for document in documents if _is_elsewhere(document, namespace)]
    return Survey(
        subjects=subjects(
            [document for document in documents if not _is_elsewhere(document, namespace)],
            schema=schema,
            state_of=_state_of(known),
            predict=_predict(schema),
        ),
        documents=given.documents,
        problems=(*given.problems, *elsewhere, *([known] if isinstance(known, Problem) else [])),
        notes=(*_left_out(given), *_unfamiliar(schema, documents)),
        texts=given.texts,
        origin=_origin(known) if isinstance(known, Snapshot) else "",
    )


def _crds(given: Input, known: Snapshot | Problem | None) -> Iterator[JsonObject]:
    """Yield the definitions of custom resources: those of the cluster, then those of the files, which will hold."""
    if isinstance(known, Snapshot):
        yield from known.crds
    for document in given.documents:
        if (document.ref.group, document.ref.kind) == ("apiextensions.k8s.io", "CustomResourceDefinition"):
            yield document.object


def _is_elsewhere(document: Document, namespace: str) -> bool:
    return bool(namespace and document.ref.namespace) and document.ref.namespace != namespace


def _elsewhere(document: Document, namespace: str) -> Problem:
    own = document.ref.namespace
    return Problem(
        str(document.locate(())),
        f"{document.ref} names the namespace {own}, so that kubectl apply -n {namespace} refuses it",
        f"leave -n out, or apply it with -n {own}",
    )


def _state_of(known: Snapshot | Problem | None) -> StateOf:
    match known:
        case Snapshot():
            return known.state
        case Problem():
            return lambda ref: State(Unknown("the snapshot could not be read"))
        case None:
            return lambda ref: _NOBODY_LOOKED


def _predict(schema: Schema) -> Predict:
    def predict(manifest: JsonObject, state: State) -> Outcome:
        outcome = engine.predict(ApplyRequest(manifest=manifest, state=state, schema=schema))
        return replace(outcome, confidence=_aged(outcome.confidence, state))

    return predict


def _aged(confidence: Confidence, state: State) -> Confidence:
    """Return how far to trust a prediction from a state that may have changed since it was written down."""
    if (state.age_seconds or 0) < _DAY:
        return confidence
    level = Level.MEDIUM if confidence.level is Level.HIGH else confidence.level
    return Confidence(level, (*confidence.reasons, f"the {state.origin} is {_age(state.age_seconds or 0)}"))


def _left_out(given: Input) -> Iterator[str]:
    numbers = Counter(skipped.why for skipped in given.skipped)
    if numbers:
        words = ", ".join(f"{number} × {why}" for why, number in sorted(numbers.items()))
        yield f"left out what is no manifest: {words}"


def _unfamiliar(schema: Schema, placed: Sequence[Document]) -> Iterator[str]:
    """Yield what the schema does not know, and what is taken for it."""
    if schema.version != schema.asked:
        yield f"no tables of Kubernetes {schema.asked} ship: those of {schema.version} are used"
    kinds = {(document.ref.api_version, document.ref.kind) for document in placed}
    unknown = sorted(f"{kind} in {version}" for version, kind in kinds if schema.kind(version, kind) is None)
    if unknown:
        yield f"no schema is at hand of {', '.join(unknown)}: taken for custom resources, their lists replaced whole"


def _origin(known: Snapshot) -> str:
    return f"{known.origin} ({_age(known.age_seconds)})"


def _age(seconds: int) -> str:
    days = seconds // _DAY
    return "of today" if days == 0 else f"{days} day{'s' * (days > 1)} old"
