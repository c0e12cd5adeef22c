"""Changes of a manifest that are not applied because of a mark on the object."""

from kubectl_applylint.core.outcome import Verdict
from kubectl_applylint.core.paths import Path, get, leaves, parse, render
from kubectl_applylint.core.state import live_object
from kubectl_applylint.core.values import MISSING, Json, equal, mapping
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the mark once if the manifest has changed and the object stays unchanged.

    ``params["marks"]`` maps paths to the values with which the applier ignores the object. Facts: value, fields (the
    first three that have changed).
    """
    outcome, base = subject.predict(Scenario.APPLY), live_object(subject.base)
    if outcome.verdict is not Verdict.UNCHANGED or outcome.result is None or base is MISSING:
        return
    changed = [path for path, wanted in leaves(subject.manifest) if _is_held(path, wanted, base, outcome.result)]
    for place, values in params["marks"].items():
        value = get(subject.manifest, parse(place))
        if changed and isinstance(value, str) and value.lower() in map(str.lower, values):
            yield Hit(parse(place), {"value": value, "fields": ", ".join(map(render, changed[:3]))})
            return


def _is_held(path: Path, wanted: Json, base: Json, result: Json) -> bool:
    """Return whether a field has changed in the manifest but not in the object."""
    return not any(equal(get(mapping(side), path), wanted) for side in (base, result))
