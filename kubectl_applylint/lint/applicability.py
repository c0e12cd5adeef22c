"""The circumstances in which a hazard occurs if the live object is not known.

Earlier manifests are known, and their result is predicted: that is the *upgrade*. On a *fresh install* there is no
object. Or the object has *drifted*: it was scaled, another tool created it, or the fields that leave the file were
handed over to another manager before. A live object or a snapshot decides which of these it is.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.gotext import encode
from kubectl_applylint.core.name_lists import first_names
from kubectl_applylint.core.paths import Path, fields, get, leaves, render
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.state import LAST_APPLIED, Absent, Present, last_applied, live_object
from kubectl_applylint.core.values import MISSING, Json, JsonObject, dig, equal, mapping
from kubectl_applylint.engine.predictions import Predict
from kubectl_applylint.lint.model import Alternative, Applicability, Certainty, Hit, LiveAssumption, Subject
from kubectl_applylint.lint.subjects import scenarios, settled_predicate

HitsOf: TypeAlias = Callable[[Subject], Sequence[Hit]]
"""Returns the hits of one rule in a subject, none if the subject does not have what the rule needs."""
Elsewhere: TypeAlias = list[tuple[Alternative, dict[Path, Hit]]]
"""The hits of one rule in other cases, by path."""

_MAX_NAMED: Final = 2
_REPLICAS: Final = ("spec", "replicas")
_REPLICAS_PATH: Final = fields(*_REPLICAS)


def with_cases(subject: Subject, earlier: Document | None, predict: Predict) -> Subject:
    """Return the subject with its earlier document and the alternatives to a predicted live object."""
    subject = replace(subject, earlier=earlier)
    # A subresource is never installed on its own: its object exists.
    if subject.flags.subresource or not subject.state.simulated or not isinstance(subject.state.live, Present):
        return subject
    fresh = Alternative(LiveAssumption.FRESH, "", _in_state(subject, Absent(), predict))
    drifts = _drifts(subject.state.live.object, subject.manifest)
    return replace(subject, alternatives=(fresh, *(_drifted_case(subject, drift, predict) for drift in drifts)))


_Drift: TypeAlias = tuple[str, Present, Path | None]
"""A condition in words, the live object, and the only field that differs if it is one field."""


def _drifted_case(subject: Subject, drift: _Drift, predict: Predict) -> Alternative:
    """Return the case of a drift: the subject in that state, before and after the change.

    Both are one value if the manifest did not change.
    """
    assumption, live, path = drift
    drifted, before = _in_state(subject, live, predict), live_object(subject.base)
    if before is MISSING:
        return Alternative(LiveAssumption.DRIFTED, assumption, drifted)
    if equal(before, subject.manifest):
        return Alternative(LiveAssumption.DRIFTED, assumption, drifted, drifted)
    earlier = replace(subject, document=replace(subject.document, object=before))
    return Alternative(LiveAssumption.DRIFTED, assumption, drifted, _in_state(earlier, live, predict), path)


def _in_state(subject: Subject, live: Absent | Present, predict: Predict) -> Subject:
    """Return the subject with another live object and the predictions for it."""
    state = replace(subject.state, live=live)
    settles = settled_predicate(subject.flags, subject.document, subject.kind)
    return replace(subject, state=state, predict=scenarios(subject.manifest, state, predict, settles=settles))


def _drifts(live: JsonObject, manifest: JsonObject) -> Iterator[_Drift]:
    """Yield possible changes of an applied object by others."""
    replicas = dig(live, *_REPLICAS)
    if isinstance(replicas, int):
        spec = {**mapping(live["spec"]), "replicas": 2 * replicas + 1}
        yield f"it was scaled to {2 * replicas + 1} in the meantime", Present({**live, "spec": spec}), _REPLICAS_PATH
    applied = live_object(last_applied(Present(live)))
    if applied is MISSING:
        return
    gone = [render(path) for path, _ in leaves(applied) if _is_gone(path, manifest)]
    if gone:
        kept = encode(_common_fields(applied, manifest))
        missing = "is already missing" if len(gone) == 1 else "are already missing"
        yield f"{first_names(gone, _MAX_NAMED)} {missing} in last-applied", _with_last_applied(live, kept), None
    yield "another tool created it without a last-applied annotation", _with_last_applied(live, None), None


def _is_gone(path: Path, manifest: JsonObject) -> bool:
    """Return whether the manifest does not have an applied field, metadata and status aside."""
    return get(manifest, path) is MISSING and path[:1] != () and render(path[:1]) not in ("metadata", "status")


def _common_fields(applied: Json, manifest: Json) -> Json:
    """Return the applied value without the map entries that the manifest does not have."""
    if not isinstance(applied, dict) or not isinstance(manifest, dict):
        return applied
    return {key: _common_fields(value, manifest[key]) for key, value in applied.items() if key in manifest}


def _with_last_applied(live: JsonObject, text: str | None) -> Present:
    """Return the live object with this last-applied annotation, or with none for ``None``."""
    metadata = mapping(live.get("metadata"))
    others = {key: value for key, value in mapping(metadata.get("annotations")).items() if key != LAST_APPLIED}
    annotations = others if text is None else {**others, LAST_APPLIED: text}
    return Present({**live, "metadata": {**metadata, "annotations": annotations}})


@dataclass(frozen=True, slots=True)
class AssessedHit:
    """A hit with the cases in which it occurs; ``applies`` is empty if there is only one case."""

    hit: Hit
    applies: tuple[Applicability, ...] = ()
    assumption: str = ""
    """The condition under which it occurs at all, empty if it always does."""


def assess(subject: Subject, hits_of: HitsOf, *, looks_at_state: bool) -> Iterator[AssessedHit]:
    """Yield the hits of a rule in all cases, one for each path, with the cases in which it occurs.

    Hits that need a drift are left out if they did so before the change; an object that did not change is examined
    after a drift only for hits of other cases. ``looks_at_state`` is whether the rule needs the live object; without it
    a drift makes no difference.
    """
    found = hits_of(subject)
    if not subject.alternatives:
        yield from map(AssessedHit, found)
        return
    cases = [case for case in subject.alternatives if looks_at_state or case.case is LiveAssumption.FRESH]
    elsewhere = _hits_elsewhere(subject, [case for case in cases if not _is_unchanged(case)], hits_of)
    if not found and not any(hits for _, hits in elsewhere):
        return  # as for nearly all rules
    elsewhere += _hits_elsewhere(subject, filter(_is_unchanged, cases), hits_of)
    here = {hit.path for hit in found}
    for hit in found:
        yield AssessedHit(hit, _applicabilities(hit.path, elsewhere, strikes_here=True))
    for case, hits in elsewhere:
        for path, hit in hits.items():
            if path not in here and not _occurred_before(path, case, hits_of):
                here |= {path}
                yield AssessedHit(hit, _applicabilities(path, elsewhere, strikes_here=False), case.assumption)


def examined_cases(subject: Subject) -> Iterator[Subject]:
    """Yield the subject in the other cases that ``assess`` examines even if a rule has no hit in this one."""
    return (case.subject for case in subject.alternatives if not _is_unchanged(case))


def _hits_elsewhere(subject: Subject, cases: Iterable[Alternative], hits_of: HitsOf) -> Elsewhere:
    """Return the hits of each case by path."""
    return [(case, {hit.path: hit for hit in hits_of(_with_explained_errors(case.subject, subject))}) for case in cases]


def _is_unchanged(case: Alternative) -> bool:
    """Return whether the manifest did not change, so that hits caused by the drift alone are old."""
    return case.earlier is case.subject


def _with_explained_errors(subject: Subject, other: Subject) -> Subject:
    """Return the subject with the errors that are already explained in another case of it."""
    if subject.explained == other.explained:
        return subject
    return replace(subject, explained=other.explained)


def _occurred_before(path: Path, case: Alternative, hits_of: HitsOf) -> bool:
    """Return whether the rule had a hit at the path before the change.

    A drift of one field that both manifests write alike is undone by each.
    """
    if case.earlier is None:
        return False
    if path == case.drifted:
        before, after = (get(one.manifest, path) for one in (case.earlier, case.subject))
        if before is not MISSING and equal(before, after):
            return True
    return any(hit.path == path for hit in hits_of(case.earlier))


def _applicabilities(path: Path, elsewhere: Elsewhere, *, strikes_here: bool) -> tuple[Applicability, ...]:
    """Return the certainty of a hazard on a fresh install, an upgrade and after a drift."""
    fresh = any(path in hits for case, hits in elsewhere if case.case is LiveAssumption.FRESH)
    drifts = [(case.assumption, path in hits) for case, hits in elsewhere if case.case is LiveAssumption.DRIFTED]
    return (
        Applicability(LiveAssumption.FRESH, Certainty.MUST if fresh else Certainty.CANNOT),
        Applicability(LiveAssumption.UPGRADE, Certainty.MUST if strikes_here else Certainty.CANNOT),
        _drift_applicability(drifts, otherwise=strikes_here),
    )


def _drift_applicability(drifts: Sequence[tuple[str, bool]], *, otherwise: bool) -> Applicability:
    """Return the certainty of a hazard after a drift; ``otherwise`` is whether it occurs without one."""
    striking = [assumption for assumption, applies in drifts if applies]
    sparing = [assumption for assumption, applies in drifts if not applies]
    if not striking:
        spared = not otherwise or bool(drifts)
        return Applicability(LiveAssumption.DRIFTED, Certainty.CANNOT if spared else Certainty.MUST)
    if not sparing:
        return Applicability(LiveAssumption.DRIFTED, Certainty.MUST)
    condition = f"unless {' or '.join(sparing)}" if otherwise else f"if {' or '.join(striking)}"
    return Applicability(LiveAssumption.DRIFTED, Certainty.MAY, condition)
