"""Selectors that the apply would change."""

from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.state import live_object
from kubectl_applylint.core.values import dig, equal
from kubectl_applylint.lint.checks._selectors import after_apply, is_empty, selector_text
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield ``spec.selector`` once if the apply would change it and is rejected.

    A forced apply recreates the object instead. Facts: before, after.
    """
    if not subject.predict(Scenario.APPLY).refused:
        return
    before = dig(live_object(subject.state.live), "spec", "selector")
    after = dig(after_apply(subject), "spec", "selector")
    if not is_empty(before) and not is_empty(after) and not equal(before, after):
        yield Hit(fields("spec", "selector"), {"before": selector_text(before), "after": selector_text(after)})
