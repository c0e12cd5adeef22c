"""Label selectors, for the checks about them."""

from kubectl_applylint.core.selector import evaluate, read
from kubectl_applylint.core.values import MISSING, Json, JsonObject, dig, items, mapping
from kubectl_applylint.lint.model import Scenario, Subject

NOTHING: tuple[Json, ...] = (MISSING, None, {}, [], "")
"""What a field holds that says nothing."""


def made(subject: Subject) -> JsonObject:
    """Return the object as the apply makes it, the manifest where that cannot be told."""
    after = subject.predict(Scenario.APPLY).after
    return subject.manifest if after is None else after


def is_empty(selector: Json) -> bool:
    """Tell whether a selector asks for nothing: not written, ``{}``, or parts that are all empty."""
    return not isinstance(selector, dict) or all(part in NOTHING for part in selector.values())


def accepts(selector: Json, labels: JsonObject) -> bool:
    """Tell whether a label selector, or the plain map of a ReplicationController, fits the labels or may do so."""
    has_parts = "matchLabels" in selector or "matchExpressions" in selector
    return evaluate(read(selector if has_parts else {"matchLabels": selector}), labels) is not False


def text(selector: Json) -> str:
    """Return a selector as ``kubectl get -l`` takes it: ``app=web,tier in (a,b),!old``."""
    parts = mapping(selector)
    if not {"matchLabels", "matchExpressions"} & set(parts):
        return labels_text(parts)
    terms = [_term_text(mapping(term)) for term in items(parts.get("matchExpressions"))]
    return ",".join(filter(None, [labels_text(mapping(parts.get("matchLabels"))), *terms]))


def labels_text(labels: JsonObject) -> str:
    """Return labels as ``app=web,tier=front``, sorted."""
    return ",".join(f"{key}={labels[key]}" for key in sorted(labels))


def _term_text(term: JsonObject) -> str:
    key, values = term.get("key", ""), ",".join(map(str, items(term.get("values"))))
    texts = {"In": f"{key} in ({values})", "NotIn": f"{key} notin ({values})", "DoesNotExist": f"!{key}"}
    return texts.get(str(term.get("operator")), str(key))


def template_labels(manifest: JsonObject) -> JsonObject:
    """Return the labels of the pod template."""
    return mapping(dig(manifest, "spec", "template", "metadata", "labels"))


def pod_labels(manifest: JsonObject) -> JsonObject:
    """Return the labels of the pods that an object of any kind runs, of a Pod its own."""
    where = ("metadata", "labels") if manifest.get("kind") == "Pod" else ("spec", "template", "metadata", "labels")
    return mapping(dig(manifest, *where))
