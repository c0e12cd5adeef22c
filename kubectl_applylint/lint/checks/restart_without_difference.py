"""Pod templates that the apply changes without a difference in effect."""

from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.state import live_object
from kubectl_applylint.core.values import dig, equal
from kubectl_applylint.lint.checks._templates import TEMPLATE, first_difference, normal_form
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject
from kubectl_applylint.schema.lookup import at


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the first difference of the template once, if the pods restart because of its form alone."""
    outcome, path = subject.predict(Scenario.APPLY), fields(*TEMPLATE)
    node = at(subject.kind.root, path) if subject.kind else None
    if node is None or outcome.refused or not outcome.restarts:
        return
    before, after = (dig(side, *TEMPLATE) for side in (live_object(subject.state.live), outcome.result))
    # An apply of another document of the object may have changed the template in between, and this one changes it back.
    if not equal(before, after) and equal(normal_form(before, node), normal_form(after, node)):
        yield Hit(first_difference(before, after, node, path))
