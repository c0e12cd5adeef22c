"""Label selectors, for the checks about them."""

from kubectl_applylint.core.selector import evaluate, read
from kubectl_applylint.core.values import MISSING, Json, JsonObject, dig, items, mapping
from kubectl_applylint.lint.model import Scenario, Subject

NOTHING: tuple[Json, ...] = (MISSING, None, {}, [], "")
"""The values of a field that are equivalent to an absent one."""


def after_apply(subject: Subject) -> JsonObject:
    """Return the object after the apply, or the manifest if that is unknown."""
    after = subject.predict(Scenario.APPLY).after
    return subject.manifest if after is None else after


def is_empty(selector: Json) -> bool:
    """Return whether a selector has no requirements: absent, ``{}``, or with empty parts only."""
    return not isinstance(selector, dict) or all(part in NOTHING for part in selector.values())


def accepts(selector: Json, labels: JsonObject) -> bool:
    """Return whether a label selector, or the map of a ReplicationController, matches the labels or may match."""
    has_parts = "matchLabels" in selector or "matchExpressions" in selector
    return evaluate(read(selector if has_parts else {"matchLabels": selector}), labels) is not False


def selector_text(selector: Json) -> str:
    """Return a selector in the form of ``kubectl get -l``: ``app=web,tier in (a,b),!old``."""
    parts = mapping(selector)
    if not {"matchLabels", "matchExpressions"} & set(parts):
        return labels_text(parts)
    terms = [_term_text(mapping(term)) for term in items(parts.get("matchExpressions"))]
    return ",".join(filter(None, [labels_text(mapping(parts.get("matchLabels"))), *terms]))


def labels_text(labels: JsonObject) -> str:
    """Return labels as ``app=web,tier=front``, sorted."""
    return ",".join(f"{key}={labels[key]}" for key in sorted(labels))


def _term_text(term: JsonObject) -> str:
    """Return one expression of a selector in the form of ``kubectl get -l``."""
    key, values = term.get("key", ""), ",".join(map(str, items(term.get("values"))))
    texts = {"In": f"{key} in ({values})", "NotIn": f"{key} notin ({values})", "DoesNotExist": f"!{key}"}
    return texts.get(str(term.get("operator")), str(key))


def template_labels(manifest: JsonObject) -> JsonObject:
    """Return the labels of the pod template."""
    return mapping(dig(manifest, "spec", "template", "metadata", "labels"))


def pod_labels(manifest: JsonObject) -> JsonObject:
    """Return the labels of the pods of an object of any kind; for a Pod its own."""
    where = ("metadata", "labels") if manifest.get("kind") == "Pod" else ("spec", "template", "metadata", "labels")
    return mapping(dig(manifest, *where))
