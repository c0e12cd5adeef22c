"""Fields whose live value the apply changes or removes, by any writer."""

from kubectl_applylint.core.paths import get, parse, render
from kubectl_applylint.core.state import live_object
from kubectl_applylint.core.values import MISSING, equal
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each of ``params["paths"]`` with a live value that the apply changes or removes.

    With ``needed`` only if the live object also has one of these fields. Facts: ``before``, ``after`` (``nothing`` if
    removed).
    """
    live, outcome = live_object(subject.state.live), subject.predict(Scenario.APPLY)
    needed = params.get("needed", [])
    if outcome.result is None or (needed and all(get(live, parse(path)) is MISSING for path in needed)):
        return
    for path in map(parse, params["paths"]):
        before, after = get(live, path), get(outcome.result, path)
        if before is not MISSING and not equal(before, after):
            yield Hit(path, {"before": before, "after": "nothing" if after is MISSING else after, "path": render(path)})
