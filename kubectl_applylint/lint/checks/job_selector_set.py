"""Selectors of Jobs, which the server wants to make itself."""

from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.state import present
from kubectl_applylint.core.values import dig, equal
from kubectl_applylint.lint.checks._selectors import is_empty, made
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield ``spec.selector`` once if a Job brings one without saying ``manualSelector: true``.

    Keeps quiet where the live Job has the same selector.
    """
    after = made(subject)
    selector = dig(after, "spec", "selector")
    if is_empty(dig(subject.manifest, "spec", "selector")) or dig(after, "spec", "manualSelector") is True:
        return
    if not equal(selector, dig(present(subject.state.live), "spec", "selector")):
        yield Hit(fields("spec", "selector"))
