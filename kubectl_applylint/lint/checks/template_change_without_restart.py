"""Pod templates that change in the file but not in the cluster."""

from kubectl_applylint.core.paths import fields, leaves
from kubectl_applylint.core.state import last_applied, live_object
from kubectl_applylint.core.values import MISSING, dig, equal
from kubectl_applylint.lint.checks._templates import TEMPLATE
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the template once if it differs from the last apply and the apply does not change the live one.

    Only for kinds whose pods restart with a new template. Facts: count (of the values that differ in the file).
    """
    outcome, live = subject.predict(Scenario.APPLY), live_object(subject.state.live)
    applied = dig(live_object(last_applied(subject.state.live)), *TEMPLATE)
    same = equal(dig(live, *TEMPLATE), dig(outcome.result, *TEMPLATE))
    if outcome.refused or outcome.restarts is None or not same or applied is MISSING:
        return
    before, after = (dict(leaves(side)) for side in (applied, dig(subject.manifest, *TEMPLATE)))
    paths = [path for path in {**before, **after} if not equal(before.get(path, MISSING), after.get(path, MISSING))]
    if paths:
        yield Hit(fields(*TEMPLATE), {"count": len(paths)})
