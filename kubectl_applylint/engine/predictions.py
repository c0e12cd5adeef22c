"""Predictions of single applies, cached by manifest and state."""

from collections.abc import Callable

from kubectl_applylint.core.frames import frames_of
from kubectl_applylint.core.outcome import Outcome, PredictionError
from kubectl_applylint.core.shortage import shortage
from kubectl_applylint.core.state import Present, State
from kubectl_applylint.core.values import JsonObject

Predict = Callable[[JsonObject, State], Outcome]
"""Returns the outcome of applying a manifest to an object in a state; raises ``PredictionError``."""


def attempt(make: Callable[[], Outcome]) -> Outcome | PredictionError:
    """Return the outcome that ``make`` returns, or the reason that prevents a prediction.

    Unexpected exceptions are also returned as a ``PredictionError``.
    """
    try:
        return make()
    except PredictionError as fault:
        return fault
    except Exception as fault:  # it is reported once, for this object, and not by every rule
        if reached := shortage(fault):
            return PredictionError(reached)
        return PredictionError(f"{type(fault).__name__}: {fault}", is_fault=True, frames=frames_of(fault))


def outcome_or_raise(found: Outcome | PredictionError) -> Outcome:
    """Return an outcome; raise a prediction error."""
    if isinstance(found, PredictionError):
        raise found
    return found


def cached_prediction(predict: Predict) -> Predict:
    """Return ``predict`` with a cache: an identical manifest in an identical state is predicted once."""
    cache: dict[tuple[object, ...], tuple[JsonObject, State, Outcome | PredictionError]] = {}

    def predict_once(manifest: JsonObject, state: State) -> Outcome:
        live = state.live
        there = id(live.object) if isinstance(live, Present) else live
        key = (id(manifest), there, state.origin, state.age_seconds, state.simulated, id(state.cluster_view()))
        if key not in cache:
            # The cache keeps manifest and state alive, so that their ids are not reused.
            cache[key] = (manifest, state, attempt(lambda: predict(manifest, state)))
        return outcome_or_raise(cache[key][2])

    return predict_once
