"""Predictions of single applies, each made once however often it is asked for."""

from collections.abc import Callable

from kubectl_applylint.core.frames import frames_of
from kubectl_applylint.core.outcome import Outcome, PredictionError
from kubectl_applylint.core.shortage import shortage
from kubectl_applylint.core.state import Present, State
from kubectl_applylint.core.values import JsonObject

Predict = Callable[[JsonObject, State], Outcome]
"""Tells what applying a manifest to an object in some state does; raises ``PredictionError``."""


def attempted(make: Callable[[], Outcome]) -> Outcome | PredictionError:
    """Return what ``make`` makes, or why nobody can tell; a fault of the program is one of the reasons."""
    try:
        return make()
    except PredictionError as fault:
        return fault
    except Exception as fault:  # it is told of the one object, once, and not with every rule
        if reached := shortage(fault):
            return PredictionError(reached)
        return PredictionError(f"{type(fault).__name__}: {fault}", is_fault=True, frames=frames_of(fault))


def known(found: Outcome | PredictionError) -> Outcome:
    """Return the outcome, or raise the reason for which there is none."""
    if isinstance(found, PredictionError):
        raise found
    return found


def predicted_once(predict: Predict) -> Predict:
    """Return ``predict`` with a cache: the very same manifest in the very same state is predicted only once."""
    cache: dict[tuple[object, ...], tuple[JsonObject, State, Outcome | PredictionError]] = {}

    def predicted(manifest: JsonObject, state: State) -> Outcome:
        live = state.live
        there = id(live.object) if isinstance(live, Present) else live
        key = (id(manifest), there, state.origin, state.age_seconds, state.simulated, id(state.cluster_view()))
        if key not in cache:
            # Manifest and state are kept alive: so nothing else can come by their ids.
            cache[key] = (manifest, state, attempted(lambda: predict(manifest, state)))
        return known(cache[key][2])

    return predicted
