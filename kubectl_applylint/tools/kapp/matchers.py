"""Resource matchers of kapp: whether a rule applies to an object.

Mirrors ``pkg/kapp/config/resource_matchers.go`` and ``pkg/kapp/resources/matchers.go`` of kapp 0.64.
"""

from collections.abc import Callable, Mapping
from typing import Final

from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import Json, JsonObject, items, mapping, objects_at, text_at, texts_at
from kubectl_applylint.tools.kapp.paths import annotations_of, is_empty, read_path

BUILT_IN: Final = frozenset({"", "apps", "autoscaling", "batch", "extensions", "policy"}) | {
    f"{name}.k8s.io"
    for name in [
        "admissionregistration",
        "apiextensions",
        "apiregistration",
        "authentication",
        "authorization",
        "certificates",
        "coordination",
        "discovery",
        "events",
        "flowcontrol.apiserver",
        "internal.apiserver",
        "metrics",
        "migration",
        "networking",
        "node",
        "rbac.authorization",
        "scheduling",
        "storage",
    ]
}
"""The API groups that do not count as custom resources in kapp."""


class KappError(Exception):
    """kapp rejects a Config or the deployed objects; the text is kapp's message."""


def is_for(matchers: Json, item: JsonObject) -> bool:
    """Return whether any matcher matches an object."""
    return any(_matches(mapping(matcher), item) for matcher in items(matchers))


def _matches(matcher: JsonObject, item: JsonObject) -> bool:
    """Return whether a matcher matches; raise ``KappError`` for an unknown one."""
    name = next((name for name in _MATCHERS if matcher.get(name) is not None), None)
    if name is None:
        raise KappError("Unknown resource matcher specified")
    return _MATCHERS[name](mapping(matcher[name]), item)


def _any(matcher: JsonObject, item: JsonObject) -> bool:
    """Return whether any inner matcher matches."""
    return is_for(matcher.get("matchers"), item)


def _all(matcher: JsonObject, item: JsonObject) -> bool:
    """Return whether all inner matchers match."""
    return all(_matches(each, item) for each in objects_at(matcher, "matchers"))


def _not(matcher: JsonObject, item: JsonObject) -> bool:
    """Return whether the inner matcher does not match."""
    return not _matches(mapping(matcher.get("matcher")), item)


def _matches_name(matcher: JsonObject, item: JsonObject) -> bool:
    """Return whether kind, namespace and name of an object match."""
    ref = ref_of(item)
    wanted = (text_at(matcher, "kind"), text_at(matcher, "namespace"), text_at(matcher, "name"))
    return (ref.kind, ref.namespace, ref.name) == wanted


def _matches_group_kind(matcher: JsonObject, item: JsonObject) -> bool:
    ref = ref_of(item)
    return (ref.group, ref.kind) == (text_at(matcher, "apiGroup"), text_at(matcher, "kind"))


def _matches_version_kind(matcher: JsonObject, item: JsonObject) -> bool:
    """Return whether apiVersion and kind of an object match."""
    ref = ref_of(item)
    return (ref.api_version, ref.kind) == (text_at(matcher, "apiVersion"), text_at(matcher, "kind"))


def _has_annotations(matcher: JsonObject, item: JsonObject) -> bool:
    return annotations_of(item).keys() >= set(texts_at(matcher, "keys"))


def _has_namespace(matcher: JsonObject, item: JsonObject) -> bool:
    """Return whether an object has one of the namespaces, or any if none are given."""
    names, namespace = texts_at(matcher, "names"), ref_of(item).namespace
    return bool(namespace) and (not names or namespace in names)


_MATCHERS: Final[Mapping[str, Callable[[JsonObject, JsonObject], bool]]] = {
    "allMatcher": lambda _, __: True,
    "anyMatcher": _any,
    "andMatcher": _all,
    "notMatcher": _not,
    "kindNamespaceNameMatcher": _matches_name,
    "apiGroupKindMatcher": _matches_group_kind,
    "apiVersionKindMatcher": _matches_version_kind,
    "hasAnnotationMatcher": _has_annotations,
    "hasNamespaceMatcher": _has_namespace,
    "customResourceMatcher": lambda _, item: ref_of(item).group not in BUILT_IN,
    "emptyFieldMatcher": lambda matcher, item: is_empty(item, read_path(items(matcher.get("path")))),
}
"""Matchers by name; the first one that a rule names counts."""
