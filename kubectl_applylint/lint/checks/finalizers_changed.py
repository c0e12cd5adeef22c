"""Finalizers that an apply removes from an object or adds again."""

from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.state import last_applied, live_object
from kubectl_applylint.core.values import JsonObject, Missing, texts_at
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield ``metadata.finalizers`` once if the apply removes some or adds removed ones again.

    ``params["change"]`` is ``removed``, or ``put-back`` for finalizers of the last apply that were removed since.
    Skipped
    if the apply is rejected, and for those that a list of a custom resource drops, which another rule reports. Facts:
    finalizers.
    """
    outcome, applied = subject.predict(Scenario.APPLY), _finalizers(live_object(last_applied(subject.state.live)))
    if outcome.refused or outcome.result is None:
        return
    before, after = _finalizers(live_object(subject.state.live)), _finalizers(outcome.result)
    replaced = not (subject.kind and subject.kind.strategic) and bool(_finalizers(subject.manifest))
    removed = [name for name in before if name not in after and (name in applied or not replaced)]
    put_back = [name for name in after if name not in before and name in applied]
    found = removed if params["change"] == "removed" else put_back
    if found:
        yield Hit(fields("metadata", "finalizers"), {"finalizers": ", ".join(found)})


def _finalizers(value: JsonObject | Missing) -> tuple[str, ...]:
    return texts_at(value, "metadata", "finalizers")
