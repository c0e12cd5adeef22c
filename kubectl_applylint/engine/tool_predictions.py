"""Predictions of single objects as a tool other than kubectl writes them."""

from collections.abc import Callable, Iterable

from kubectl_applylint.appliers.request import Applier, ApplyRequest
from kubectl_applylint.core.outcome import Outcome
from kubectl_applylint.core.state import State
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine import predict as engine
from kubectl_applylint.engine.predictions import Predict
from kubectl_applylint.schema.types import Schema


def prediction_as(
    applier: Applier,
    schema: Schema,
    completed: Callable[[ApplyRequest], ApplyRequest],
    *,
    disabled_admission: Iterable[str] = (),
) -> Predict:
    """Return the prediction of a program's write; ``completed`` adds the program's settings to a request."""
    disabled = frozenset(disabled_admission)

    def predict(manifest: JsonObject, state: State) -> Outcome:
        around = state.cluster_view()
        request = ApplyRequest(manifest, state, schema, applier, disabled_admission=disabled, cluster_view=around)
        return engine.predict(completed(request))

    return predict
