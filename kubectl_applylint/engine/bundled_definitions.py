"""Outcomes that rest on a bundled definition, because the one of the cluster is not known.

The cluster may have another version of the definition, so nothing is rejected because of the bundled one alone.
"""

from typing import Final

from kubectl_applylint.core.outcome import Confidence, Level, Outcome
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import State
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine.errors import error_text
from kubectl_applylint.engine.predictions import Predict
from kubectl_applylint.schema.types import Schema

_MOST_ERRORS: Final = 2
"""The number of errors that a reason names."""


def sparing_bundled_definitions(predict: Predict, without_definition: Predict, schema: Schema) -> Predict:
    """Return a prediction that rejects nothing because of a bundled definition alone.

    ``without_definition`` predicts without the bundled definitions: what it rejects is rejected in any case.
    """

    def predict_sparing(manifest: JsonObject, state: State) -> Outcome:
        outcome = predict(manifest, state)
        kind = schema.kind(outcome.ref.api_version, outcome.ref.kind)
        if kind is None or not kind.bundled:
            return outcome
        outcome = replace(outcome, bundled_definition=kind.bundled, confidence=_without_open_rules(outcome.confidence))
        return _possibly_rejected(outcome, without_definition(manifest, state)) if _is_rejected(outcome) else outcome

    return predict_sparing


def _is_rejected(outcome: Outcome) -> bool:
    return outcome.refused and not outcome.conflicts


def _without_open_rules(confidence: Confidence) -> Confidence:
    """Return a confidence without rules that were not evaluated: the rules of the cluster are not known either."""
    if not confidence.open:
        return confidence
    reasons = tuple(reason for reason in confidence.reasons if reason not in confidence.open)
    is_medium = confidence.level is Level.MEDIUM and not reasons
    return Confidence(Level.HIGH if is_medium else confidence.level, reasons)


def _possibly_rejected(outcome: Outcome, free: Outcome) -> Outcome:
    """Return a rejected outcome as it is if the cluster has another definition; ``free`` is that without any."""
    if free.refused:
        return replace(free, bundled_definition=outcome.bundled_definition)
    reason = f"may be rejected: {_errors_text(outcome)} (bundled definition of {outcome.bundled_definition})"
    found = free if outcome.intended is None else replace(outcome, result=outcome.intended)
    return replace(
        found,
        verdict=free.verdict,
        intended=None,
        errors=(),
        status=None,
        error="",
        remedy="",
        confidence=Confidence(Level.LOW, (reason, *found.confidence.reasons)),
        validated=True,
        bundled_definition=outcome.bundled_definition,
        possible_errors=outcome.errors,
    )


def _errors_text(outcome: Outcome) -> str:
    """Return the first errors of an outcome, and the number of the others."""
    more = len(outcome.errors) - _MOST_ERRORS
    rest = [f"{more} more error{'s' * (more > 1)}"] if more > 0 else []
    return "; ".join([*map(error_text, outcome.errors[:_MOST_ERRORS]), *rest])
