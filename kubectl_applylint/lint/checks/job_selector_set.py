"""Selectors of Jobs, which the server wants to make itself."""

from typing import Final

from kubectl_applylint.core.paths import Field, fields, get
from kubectl_applylint.core.state import present
from kubectl_applylint.core.values import dig, equal, mapping
from kubectl_applylint.lint.checks._selectors import is_empty, made
from kubectl_applylint.lint.field_edits import RemoveField
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject

_GENERATED: Final = frozenset(
    (
        "controller-uid",
        "job-name",
        "batch.kubernetes.io/controller-uid",
        "batch.kubernetes.io/job-name",
    )
)
"""The labels that the server gives to the pods of a Job."""


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield ``spec.selector`` once if a Job brings one without saying ``manualSelector: true``.

    Keeps quiet where the live Job has the same selector.
    """
    after = made(subject)
    selector = dig(after, "spec", "selector")
    if is_empty(dig(subject.manifest, "spec", "selector")) or dig(after, "spec", "manualSelector") is True:
        return
    if not equal(selector, dig(present(subject.state.live), "spec", "selector")):
        labels = fields("spec", "template", "metadata", "labels")
        own = mapping(get(subject.manifest, labels)).keys() & _GENERATED
        removed = (fields("spec", "selector"), *((*labels, Field(name)) for name in sorted(own)))
        yield Hit(fields("spec", "selector"), edits=tuple(map(RemoveField, removed)))
