"""Workloads that kapp cannot adopt, because its label in their selectors would be new."""

from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.state import live_object
from kubectl_applylint.core.values import dig, mapping
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject
from kubectl_applylint.tools.kapp.app import APP_LABEL

_SELECTOR = ("spec", "selector", "matchLabels")


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the selector once if it is rejected and the live one does not have kapp's app label."""
    outcome = subject.predict(Scenario.APPLY)
    live, wanted = (mapping(dig(side, *_SELECTOR)) for side in (live_object(subject.state.live), outcome.intended))
    if outcome.refused and APP_LABEL in wanted and live and APP_LABEL not in live:
        causes = tuple(cause for cause in outcome.errors if cause.field.startswith(("spec.selector", "spec.template")))
        yield Hit(fields("spec", "selector"), explains=causes)
