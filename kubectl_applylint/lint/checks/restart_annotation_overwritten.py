"""Annotations of ``kubectl rollout restart`` that the apply reverts."""

from typing import Final

from kubectl_applylint.core.paths import fields, get
from kubectl_applylint.core.state import live_object
from kubectl_applylint.core.values import MISSING
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject
from kubectl_applylint.lint.relations import TEMPLATE

_MARK: Final = fields(*TEMPLATE, "metadata", "annotations", "kubectl.kubernetes.io/restartedAt")


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the annotation once if the apply removes it or sets an earlier time, so that the pods restart again.

    Facts: ``before``, ``after`` (the times, ``none`` if removed).
    """
    outcome = subject.predict(Scenario.APPLY)
    if outcome.result is None or not outcome.restarts:
        return
    before, after = get(live_object(subject.state.live), _MARK), get(outcome.result, _MARK)
    if isinstance(before, str) and (after is MISSING or (isinstance(after, str) and after < before)):
        yield Hit(_MARK, {"before": before, "after": after if isinstance(after, str) else "none"})
