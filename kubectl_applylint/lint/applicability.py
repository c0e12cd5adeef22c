"""Under which circumstances a hazard strikes, where nobody has seen the live object.

Earlier manifests are known, and what they make is predicted: that is the *upgrade*. On a *fresh install* there is no
object. Or the object has *drifted*: somebody has scaled it, another tool has made it, or the fields that leave the file
were handed over to somebody else before. A live object or a snapshot settles which of these it is.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.gotext import encode
from kubectl_applylint.core.paths import Path, get, leaves, render
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.state import LAST_APPLIED, Absent, Present, last_applied, present
from kubectl_applylint.core.values import MISSING, Json, JsonObject, dig, equal, mapping
from kubectl_applylint.engine.predictions import Predict
from kubectl_applylint.lint.model import Alternative, Applicability, Certainty, Hit, LiveAssumption, Subject
from kubectl_applylint.lint.subjects import scenarios, settling

HitsOf: TypeAlias = Callable[[Subject], Sequence[Hit]]
"""What one rule finds in a subject; nothing where it has nothing to look at."""
Elsewhere: TypeAlias = list[tuple[Alternative, dict[Path, Hit]]]
"""What one rule finds in other cases, by path."""

_MOST_NAMED: Final = 2
_REPLICAS: Final = ("spec", "replicas")


def with_cases(subject: Subject, earlier: Document | None, predict: Predict) -> Subject:
    """Return the subject with where it stood before, and with what may be live instead of what was predicted."""
    subject = replace(subject, earlier=earlier)
    # A subresource is never installed afresh: who applies to it knows that the object is there.
    if subject.flags.subresource or not subject.state.simulated or not isinstance(subject.state.live, Present):
        return subject
    fresh = Alternative(LiveAssumption.FRESH, "", _in_state(subject, Absent(), predict))
    drifts = _drifts(subject.state.live.object, subject.manifest)
    return replace(subject, alternatives=(fresh, *(_drifted_case(subject, drift, predict) for drift in drifts)))


def _drifted_case(subject: Subject, drift: tuple[str, Present], predict: Predict) -> Alternative:
    """Return the subject and what it was before the change in a state; one and the same if the manifest is the same."""
    assumption, live = drift
    drifted, before = _in_state(subject, live, predict), present(subject.base)
    if before is MISSING:
        return Alternative(LiveAssumption.DRIFTED, assumption, drifted)
    if equal(before, subject.manifest):
        return Alternative(LiveAssumption.DRIFTED, assumption, drifted, drifted)
    earlier = replace(subject, document=replace(subject.document, object=before))
    return Alternative(LiveAssumption.DRIFTED, assumption, drifted, _in_state(earlier, live, predict))


def _in_state(subject: Subject, live: Absent | Present, predict: Predict) -> Subject:
    state = replace(subject.state, live=live)
    settles = settling(subject.flags, subject.document, subject.kind)
    return replace(subject, state=state, predict=scenarios(subject.manifest, state, predict, settles=settles))


def _drifts(live: JsonObject, manifest: JsonObject) -> Iterator[tuple[str, Present]]:
    """Yield what may have happened to an object since it was applied, as a condition in words."""
    replicas = dig(live, *_REPLICAS)
    if isinstance(replicas, int):
        spec = {**mapping(live["spec"]), "replicas": 2 * replicas + 1}
        yield f"it was scaled to {2 * replicas + 1} in the meantime", Present({**live, "spec": spec})
    applied = present(last_applied(Present(live)))
    if applied is MISSING:
        return
    gone = [render(path) for path, _ in leaves(applied) if _is_gone(path, manifest)]
    if gone:
        kept = encode(_common(applied, manifest))
        missing = "is already missing" if len(gone) == 1 else "are already missing"
        yield f"{_names(gone)} {missing} in last-applied", _annotated(live, kept)
    yield "another tool created it without a last-applied annotation", _annotated(live, None)


def _is_gone(path: Path, manifest: JsonObject) -> bool:
    return get(manifest, path) is MISSING and path[:1] != () and render(path[:1]) not in ("metadata", "status")


def _names(paths: Sequence[str]) -> str:
    named = ", ".join(paths[:_MOST_NAMED])
    return f"{named} and {len(paths) - _MOST_NAMED} more" if len(paths) > _MOST_NAMED else named


def _common(applied: Json, manifest: Json) -> Json:
    """Return what was applied without the map entries that the manifest does not have."""
    if not isinstance(applied, dict) or not isinstance(manifest, dict):
        return applied
    return {key: _common(value, manifest[key]) for key, value in applied.items() if key in manifest}


def _annotated(live: JsonObject, text: str | None) -> Present:
    metadata = mapping(live.get("metadata"))
    others = {key: value for key, value in mapping(metadata.get("annotations")).items() if key != LAST_APPLIED}
    annotations = others if text is None else {**others, LAST_APPLIED: text}
    return Present({**live, "metadata": {**metadata, "annotations": annotations}})


@dataclass(frozen=True, slots=True)
class AssessedHit:
    """A hit and when it strikes; ``applies`` is empty where there is but one case."""

    hit: Hit
    applies: tuple[Applicability, ...] = ()
    assumption: str = ""
    """What must have happened for it to strike at all, empty where it strikes without."""


def assess(subject: Subject, hits_of: HitsOf, *, looks_at_state: bool) -> Iterator[AssessedHit]:
    """Yield what a rule finds in any case, each place once, with the cases in which it strikes.

    What strikes only after a drift is left out where it did so before the change, too; an object that did not change
    is examined after a drift only for what strikes otherwise. ``looks_at_state`` says that the rule needs the live
    object: else a drift makes no difference to it.
    """
    found = hits_of(subject)
    if not subject.alternatives:
        yield from map(AssessedHit, found)
        return
    cases = [case for case in subject.alternatives if looks_at_state or case.case is LiveAssumption.FRESH]
    elsewhere = _elsewhere(subject, [case for case in cases if not _is_unchanged(case)], hits_of)
    if found or any(hits for _, hits in elsewhere):
        elsewhere += _elsewhere(subject, filter(_is_unchanged, cases), hits_of)
    here = {hit.path for hit in found}
    for hit in found:
        yield AssessedHit(hit, _strikes(hit.path, elsewhere, strikes_here=True))
    for case, hits in elsewhere:
        for path, hit in hits.items():
            if path not in here and not _was_before(path, case, hits_of):
                here |= {path}
                yield AssessedHit(hit, _strikes(path, elsewhere, strikes_here=False), case.assumption)


def _elsewhere(subject: Subject, cases: Iterable[Alternative], hits_of: HitsOf) -> Elsewhere:
    return [(case, {hit.path: hit for hit in hits_of(_told(case.subject, subject))}) for case in cases]


def _is_unchanged(case: Alternative) -> bool:
    """Return whether the object is the same before the change, so that what a drift alone brings was there before."""
    return case.earlier is case.subject


def _told(subject: Subject, other: Subject) -> Subject:
    """Return the subject with what is explained already of another case of it."""
    if subject.explained == other.explained:
        return subject
    return replace(subject, explained=other.explained)


def _was_before(path: Path, case: Alternative, hits_of: HitsOf) -> bool:
    return case.earlier is not None and any(hit.path == path for hit in hits_of(case.earlier))


def _strikes(path: Path, elsewhere: Elsewhere, *, strikes_here: bool) -> tuple[Applicability, ...]:
    fresh = any(path in hits for case, hits in elsewhere if case.case is LiveAssumption.FRESH)
    drifts = [(case.assumption, path in hits) for case, hits in elsewhere if case.case is LiveAssumption.DRIFTED]
    return (
        Applicability(LiveAssumption.FRESH, Certainty.MUST if fresh else Certainty.CANNOT),
        Applicability(LiveAssumption.UPGRADE, Certainty.MUST if strikes_here else Certainty.CANNOT),
        _drifted(drifts, otherwise=strikes_here),
    )


def _drifted(drifts: Sequence[tuple[str, bool]], *, otherwise: bool) -> Applicability:
    """Return how sure it is that a hazard strikes an object that has drifted; ``otherwise`` where no drift matters."""
    striking = [assumption for assumption, applies in drifts if applies]
    sparing = [assumption for assumption, applies in drifts if not applies]
    if not striking:
        spared = not otherwise or bool(drifts)
        return Applicability(LiveAssumption.DRIFTED, Certainty.CANNOT if spared else Certainty.MUST)
    if not sparing:
        return Applicability(LiveAssumption.DRIFTED, Certainty.MUST)
    condition = f"unless {' or '.join(sparing)}" if otherwise else f"if {' or '.join(striking)}"
    return Applicability(LiveAssumption.DRIFTED, Certainty.MAY, condition)
