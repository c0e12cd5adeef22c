"""Outcomes that equal applies share: those of several units of a run, and of successive runs in an editor."""

from collections.abc import Callable
from json import JSONEncoder
from typing import Any, Final, TypeAlias

from kubectl_applylint.core.outcome import Outcome
from kubectl_applylint.core.state import ClusterView, Present, State, Unknown
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.engine.predictions import Predict
from kubectl_applylint.schema.types import Schema

_Key: TypeAlias = tuple[object, ...]
_UNKNOWN: Final = "\ud800"
"""Begins an unknown value in a text; no manifest contains a lone surrogate."""


class RecentOutcomes:
    """The outcomes of this run and of the one before, by the content of all that they depend on.

    With ``most``, those of earlier units are released: there are at most twice as many.
    """

    def __init__(self, most: int | None = None) -> None:
        self._most = most
        self._outcomes: dict[_Key, tuple[Schema, Outcome]] = {}
        self._earlier: dict[_Key, tuple[Schema, Outcome]] = {}

    def begin_run(self) -> None:
        """Keep the outcomes of the last run for the next one, and release those that it did not use."""
        self._earlier, self._outcomes = self._outcomes, {}

    def predict_by(self, predict: Predict, schema: Schema, settings: object) -> Predict:
        """Return ``predict``, which is not called for an apply that was predicted in this run or the one before.

        ``schema`` and the hashable ``settings`` are all that it depends on besides its arguments.
        """
        view_texts: dict[int, tuple[ClusterView, str]] = {}
        context = (settings, _schema_key(schema))

        def view_text(view: ClusterView) -> str:
            if id(view) not in view_texts:
                # The view stays alive, so that its id is not reused.
                view_texts[id(view)] = view, _text([[scope, dict(held)] for scope, held in view.objects.items()])
            return view_texts[id(view)][1]

        def predict_or_recall(manifest: JsonObject, state: State) -> Outcome:
            key = (*context, *_apply_key(manifest, state, view_text))
            found = self._outcomes.get(key) or self._earlier.get(key) or (schema, predict(manifest, state))
            if self._most is not None and len(self._outcomes) >= self._most:
                self.begin_run()
            self._outcomes[key] = found
            return found[1]

        return predict_or_recall


def _schema_key(schema: Schema) -> _Key:
    """Return a key of a schema; a schema with the same definitions has the same key while both are alive."""
    kinds = sorted((gvk, id(kind.definition), kind.bundled) for gvk, kind in schema.custom.items())
    return (schema.version, schema.asked, schema.discovered, *kinds)


def _apply_key(manifest: JsonObject, state: State, view_text: Callable[[ClusterView], str]) -> _Key:
    """Return a key of an apply."""
    live, view = state.live, state.cluster_view()
    found: Any = (_text(live.object), live.converted_from) if isinstance(live, Present) else live
    around = (view_text(view), view.whole, view.missing)
    return (_text(manifest), found, state.origin, state.age_seconds, state.simulated, *around)


def _unknown_value(value: object) -> Json:
    if isinstance(value, Unknown):
        return [_UNKNOWN, value.reason, value.excluded, value.written]
    raise TypeError(f"not JSON: {type(value).__name__}")


_text: Final = JSONEncoder(default=_unknown_value).encode
"""Returns the text of a value, in which ``1``, ``1.0`` and ``true`` differ."""
