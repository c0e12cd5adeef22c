"""``kubectl auth reconcile``, which Argo CD runs before it applies roles and bindings client-side.

Mirrors ``auth/rbac/reconciliation`` and ``auth/rbac/validation`` of k8s.io/component-helpers 0.36. Nothing is removed:
uncovered permissions are added one by one, and a binding with another roleRef is recreated.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_applylint.core.state import annotations_of, labels_of
from kubectl_applylint.core.values import Json, JsonObject, dig, equal, items, mapping, objects_at, texts_at

VERSION: Final = "rbac.authorization.k8s.io/v1"
_PROTECTED: Final = "rbac.authorization.kubernetes.io/autoupdate"
_SUBJECT: Final = ("kind", "apiGroup", "name", "namespace")
_ANY: Final = "*"


def is_reconciled(manifest: JsonObject) -> bool:
    """Return whether ``kubectl auth reconcile`` handles an object first."""
    return manifest.get("apiVersion") == VERSION


def is_recreated(manifest: JsonObject, live: JsonObject) -> bool:
    """Return whether a binding is deleted and recreated because its roleRef changes."""
    if _is_protected(live):
        return False
    wanted, stored = mapping(manifest.get("roleRef")), mapping(live.get("roleRef"))
    return any((wanted.get(key) or "") != (stored.get(key) or "") for key in ("apiGroup", "kind", "name"))


def replacement(manifest: JsonObject, live: JsonObject) -> JsonObject | None:
    """Return the object that replaces a live one, or ``None`` if the live one has all of the manifest."""
    if _is_protected(live):
        return None
    metadata = dict(mapping(live.get("metadata")))
    for key, wanted, stored in (
        ("annotations", annotations_of(manifest), annotations_of(live)),
        ("labels", labels_of(manifest), labels_of(live)),
    ):
        if wanted or stored:
            metadata[key] = {**wanted, **stored}
    body: dict[str, Json] = {**live, "metadata": metadata}
    body.update(_added_fields(manifest, live))
    return None if equal(body, live) else body


def _is_protected(live: JsonObject) -> bool:
    """Return whether an annotation disables reconciliation."""
    return annotations_of(live).get(_PROTECTED) == "false"


def _added_fields(manifest: JsonObject, live: JsonObject) -> Iterator[tuple[str, Json]]:
    """Yield the fields to which the manifest adds entries."""
    subjects = [_subject(each) for each in objects_at(live, "subjects")]
    missing = [each for each in objects_at(manifest, "subjects") if _subject(each) not in subjects]
    if missing:
        yield "subjects", [*items(live.get("subjects")), *_unique_subjects(missing)]
    rules = objects_at(live, "rules")
    uncovered = [
        rule for rule in _single_rules(objects_at(manifest, "rules")) if not any(_covers(one, rule) for one in rules)
    ]
    if uncovered:
        yield "rules", [*rules, *uncovered]
    if mapping(manifest.get("aggregationRule")) or live.get("aggregationRule"):
        yield from _added_selectors(manifest, live)


def _added_selectors(manifest: JsonObject, live: JsonObject) -> Iterator[tuple[str, Json]]:
    """Yield the aggregationRule if the manifest adds selectors or has none."""
    if not isinstance(manifest.get("aggregationRule"), dict):
        yield "aggregationRule", None
        return
    stored = items(dig(live, "aggregationRule", "clusterRoleSelectors") or None)
    wanted = items(dig(manifest, "aggregationRule", "clusterRoleSelectors") or None)
    missing = [each for each in wanted if not any(equal(each, one) for one in stored)]
    if missing:
        yield "aggregationRule", {"clusterRoleSelectors": [*stored, *missing]}


def _subject(subject: JsonObject) -> tuple[object, ...]:
    """Return the identity of a subject."""
    return tuple(subject.get(key) or "" for key in _SUBJECT)


def _unique_subjects(subjects: Sequence[JsonObject]) -> list[JsonObject]:
    """Return subjects without duplicates; the last duplicate counts."""
    return list({_subject(each): each for each in reversed(subjects)}.values())[::-1]


def _single_rules(rules: Sequence[JsonObject]) -> Iterator[JsonObject]:
    """Yield rules split to one group, resource, verb and name each."""
    for rule in rules:
        verbs = texts_at(rule, "verbs")
        for group in texts_at(rule, "apiGroups"):
            for resource in texts_at(rule, "resources"):
                yield from _resource_rules(rule, group, resource)
        for url in texts_at(rule, "nonResourceURLs"):
            yield from ({"nonResourceURLs": [url], "verbs": [verb]} for verb in verbs)


def _resource_rules(rule: JsonObject, group: str, resource: str) -> Iterator[JsonObject]:
    for verb in texts_at(rule, "verbs"):
        one: JsonObject = {"apiGroups": [group], "resources": [resource], "verbs": [verb]}
        names = texts_at(rule, "resourceNames")
        yield from ({**one, "resourceNames": [name]} for name in names) if names else (one,)


def _covers(owner: JsonObject, rule: JsonObject) -> bool:
    """Return whether a rule allows everything that a single rule allows."""
    names = texts_at(owner, "resourceNames")
    return (
        _has_all(owner, rule, "verbs")
        and _has_all(owner, rule, "apiGroups")
        and _covers_resources(texts_at(owner, "resources"), texts_at(rule, "resources"))
        and all(_covers_url(texts_at(owner, "nonResourceURLs"), url) for url in texts_at(rule, "nonResourceURLs"))
        and (not names or (bool(texts_at(rule, "resourceNames")) and _has_all(owner, rule, "resourceNames")))
    )


def _has_all(owner: JsonObject, rule: JsonObject, key: str) -> bool:
    """Return whether a field of a rule includes all values of a single rule."""
    owned = texts_at(owner, key)
    return (_ANY in owned and key != "resourceNames") or set(texts_at(rule, key)) <= set(owned)


def _covers_resources(owned: Sequence[str], wanted: Sequence[str]) -> bool:
    """Return whether resources, with wildcards, include all wanted ones."""
    return _ANY in owned or all(
        each in owned or ("/" in each and f"*/{each.partition('/')[2]}" in owned) for each in wanted
    )


def _covers_url(owned: Sequence[str], url: str) -> bool:
    """Return whether nonResourceURLs, with wildcards, include a URL."""
    return any(each == url or (each.endswith(_ANY) and url.startswith(each.rstrip(_ANY))) for each in owned)
