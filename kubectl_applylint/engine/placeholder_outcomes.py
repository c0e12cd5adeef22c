"""Outcomes of manifests whose placeholders are replaced before they are applied.

A rejection that is only about placeholders does not predict the later apply, so the apply is predicted again with
unknown values in their place.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from kubectl_applylint.appliers.last_applied import annotate, annotation_of, original_of
from kubectl_applylint.core.outcome import Confidence, FieldError, Level, Outcome, PredictionError, Verdict
from kubectl_applylint.core.paths import Path, fields, get, leaves, render, with_values
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import LAST_APPLIED, Present, State, Unknown, ref_of
from kubectl_applylint.core.values import MISSING, Json, JsonObject, mapping
from kubectl_applylint.engine.errors import path_of_error
from kubectl_applylint.engine.placeholders import (
    differ_besides,
    finished_name,
    is_unfinished,
    is_unfinished_name,
    unfinished_places,
)
from kubectl_applylint.engine.predictions import Predict, attempt
from kubectl_applylint.schema.types import Kind, Schema

_WHOLE: Final = ("", "patch")
"""The field that a server names if it cannot read a manifest or a patch."""
_IMMUTABLE: Final = "immutable"
_NAME_FIELD: Final = "metadata.name"
_NAME: Final = fields("metadata", "name")


def sparing_placeholders(predict: Predict, schema: Schema) -> Predict:
    """Return a prediction that rejects nothing because of a placeholder."""

    def predict_sparing(manifest: JsonObject, state: State) -> Outcome:
        outcome = predict(manifest, state)
        if not outcome.refused or outcome.conflicts:
            return outcome
        kind = schema.kind(outcome.ref.api_version, outcome.ref.kind)
        others = _other_causes(outcome, manifest, kind, state)
        if others:
            return replace(outcome, errors=others) if len(others) < len(outcome.errors) else outcome
        return _with_unknown_values(outcome, manifest, state, predict, kind)

    def predict_with_name(manifest: JsonObject, state: State) -> Outcome:
        name = get(manifest, _NAME)
        if not isinstance(name, str) or not _has_placeholder(name, partial(predict, manifest, state)):
            return predict_sparing(manifest, state)
        return _with_finished_name(predict_sparing, manifest, state, name)

    return predict_with_name


def _has_placeholder(name: str, predict: Callable[[], Outcome]) -> bool:
    """Return whether a name has a placeholder. A word in capitals is one only if the server rejects the name."""
    if is_unfinished(name):
        return True
    return is_unfinished_name(_NAME_FIELD, name) and any(cause.field == _NAME_FIELD for cause in predict().errors)


def _with_finished_name(predict: Predict, manifest: JsonObject, state: State, name: str) -> Outcome:
    """Predict with a name without placeholders, and restore the original name in the outcome."""
    stand_in, live = finished_name(name), state.live
    renamed = replace(state, live=Present(_with_name(live.object, stand_in))) if isinstance(live, Present) else state
    outcome = predict(_with_name(manifest, stand_in), renamed)
    result, intended = (made and _with_name(made, name) for made in (outcome.result, outcome.intended))
    doubted = _with_doubt(outcome.confidence, (_NAME_FIELD,))
    return replace(outcome, ref=ref_of(manifest), result=result, intended=intended, confidence=doubted)


def _with_name(item: JsonObject, name: Json) -> JsonObject:
    """Return an object with another name, also in its last-applied annotation."""
    metadata = mapping(item.get("metadata"))
    text = annotation_of(item)
    if text:
        kept = annotate({**original_of(text), "metadata": {**mapping(original_of(text).get("metadata")), "name": name}})
        annotations = {**mapping(metadata.get("annotations")), LAST_APPLIED: annotation_of(kept)}
        metadata = {**metadata, "annotations": annotations}
    return {**item, "metadata": {**metadata, "name": name}}


def _other_causes(outcome: Outcome, manifest: JsonObject, kind: Kind | None, state: State) -> tuple[FieldError, ...]:
    """Return the errors of a rejection that are not about a placeholder."""
    return tuple(
        cause
        for cause in outcome.errors
        if _is_about_change(cause, outcome, state) or not _is_about_placeholder(cause, manifest, kind)
    )


def _is_about_change(cause: FieldError, outcome: Outcome, state: State) -> bool:
    """Return whether an immutable field changes, whatever replaces its placeholders."""
    if _IMMUTABLE not in cause.message or outcome.after is None or not isinstance(state.live, Present):
        return False
    place = path_of_error(cause.field, outcome.after)
    was, now = (dict(leaves(get(one, place), place)) for one in (state.live.object, outcome.after))
    return any(differ_besides(was[path], now[path]) for path in was.keys() & now.keys())


def _is_about_placeholder(cause: FieldError, manifest: JsonObject, kind: Kind | None) -> bool:
    if cause.field in _WHOLE and kind and next(unfinished_places(manifest, kind.root), None) is not None:
        return True
    value = get(manifest, path_of_error(cause.field, manifest))
    if is_unfinished(cause.message) or is_unfinished_name(cause.field, None if value is MISSING else value):
        return True
    return value is not MISSING and bool(cause.field) and is_unfinished(value)


def _with_unknown_values(
    outcome: Outcome, manifest: JsonObject, state: State, predict: Predict, kind: Kind | None
) -> Outcome:
    """Return the outcome with an unknown value for each placeholder that the rejection is about."""
    places: set[Path] = set()
    found: Outcome | PredictionError = outcome
    while isinstance(found, Outcome) and found.refused:
        more = set(_places(found, manifest, kind)) - places
        if not more:
            break
        places |= more
        unknown = {place: Unknown("a placeholder", written=str(get(manifest, place))) for place in places}
        found = attempt(partial(predict, mapping(with_values(manifest, unknown)), state))
    if not places:
        return outcome
    doubts = tuple(sorted(map(render, places)))
    others = () if isinstance(found, PredictionError) else _other_causes(found, manifest, kind, state)
    if isinstance(found, PredictionError) or (found.refused and not others):
        return Outcome(outcome.ref, Verdict.UNKNOWN, confidence=_with_doubt(Confidence(Level.LOW), doubts))
    return replace(found, errors=others, confidence=_with_doubt(found.confidence, doubts))


def _with_doubt(confidence: Confidence, places: tuple[str, ...]) -> Confidence:
    level = Level.MEDIUM if confidence.level is Level.HIGH else confidence.level
    doubts = (f"{place} has a placeholder, whose value is not known" for place in places)
    return replace(confidence, level=level, reasons=(*doubts, *confidence.reasons))


def _places(outcome: Outcome, manifest: JsonObject, kind: Kind | None) -> Iterator[Path]:
    """Yield the paths of the placeholders that a rejection is about."""
    if kind is not None:
        yield from unfinished_places(manifest, kind.root)
    for cause in outcome.errors:
        place = path_of_error(cause.field, manifest)
        value = get(manifest, place) if cause.field else MISSING
        if value is MISSING:
            quoted = ((path, leaf) for path, leaf in leaves(manifest) if is_unfinished(leaf))
            yield from (path for path, leaf in quoted if leaf in cause.message)
        elif is_unfinished_name(cause.field, value):
            yield place
        else:
            yield from (path for path, leaf in leaves(value, place) if is_unfinished(leaf))
