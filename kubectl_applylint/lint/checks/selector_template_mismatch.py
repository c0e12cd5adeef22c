"""Pod templates whose labels do not match the selector of the same object."""

from kubectl_applylint.core.paths import Field, fields
from kubectl_applylint.core.values import dig, mapping
from kubectl_applylint.lint.checks._selectors import (
    accepts,
    after_apply,
    is_empty,
    labels_text,
    selector_text,
    template_labels,
)
from kubectl_applylint.lint.fixes.field_edits import SetValue
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the labels of the template once if the applied object has a selector that does not match them.

    Facts: selector, labels, after the apply.
    """
    after = after_apply(subject)
    selector, labels = dig(after, "spec", "selector"), template_labels(after)
    if not is_empty(selector) and not accepts(selector, labels):
        facts = {"selector": selector_text(selector), "labels": labels_text(labels) or "none"}
        path = fields("spec", "template", "metadata", "labels")
        needed = mapping(mapping(selector).get("matchLabels", selector))
        edits = tuple(SetValue((*path, Field(name)), value) for name, value in needed.items() if isinstance(value, str))
        yield Hit(path, facts, edits=edits)
