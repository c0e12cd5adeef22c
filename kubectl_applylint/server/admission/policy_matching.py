"""The match constraints of policies: operations, resources, names, and labels of objects and namespaces.

Mirrors ``plugin/policy/matching`` of apiserver. The result ``None`` means unknown.
"""

from typing import Final

from kubectl_applylint.core.selector import fits, read
from kubectl_applylint.core.state import Present
from kubectl_applylint.core.values import JsonObject, dig, mapping
from kubectl_applylint.server.admission.attributes import AdmissionAttributes

_ALL: Final = "*"


def matches(attributes: AdmissionAttributes, criteria: JsonObject) -> bool | None:
    """Return whether a write matches ``matchConstraints`` of a policy, or ``matchResources`` of a binding."""
    rules, excluded = (_rules(criteria, name) for name in ("resourceRules", "excludeResourceRules"))
    exact = criteria.get("matchPolicy") == "Exact"
    if any(_covers(rule, attributes, exact=exact) for rule in excluded):
        return False
    if rules and not any(_covers(rule, attributes, exact=exact) for rule in rules):
        return False
    if not _selects_object(attributes, mapping(criteria.get("objectSelector"))):
        return False
    return _selects_namespace(attributes, mapping(criteria.get("namespaceSelector")))


def _rules(criteria: JsonObject, name: str) -> list[JsonObject]:
    return [mapping(rule) for rule in criteria.get(name) or []]


def _covers(rule: JsonObject, attributes: AdmissionAttributes, *, exact: bool) -> bool:
    """Return whether a rule matches the write; other versions of the group also match, unless it has to be exact."""
    scope, names = rule.get("scope") or _ALL, rule.get("resourceNames") or []
    return (
        _lists(rule, "operations", "CREATE" if attributes.creating else "UPDATE")
        and _lists(rule, "apiGroups", attributes.group)
        and (not exact or _lists(rule, "apiVersions", attributes.kind.api_version.rpartition("/")[2]))
        and any(each in (_ALL, "*/*", attributes.kind.resource) for each in rule.get("resources") or [])
        and scope in (_ALL, "Namespaced" if attributes.kind.namespaced else "Cluster")
        and (not names or attributes.name in names)
    )


def _lists(rule: JsonObject, name: str, wanted: str) -> bool:
    return any(each in (_ALL, wanted) for each in rule.get(name) or [])


def _selects_object(attributes: AdmissionAttributes, selector: JsonObject) -> bool:
    objects = [attributes.new, *([attributes.old] if attributes.old is not None else [])]
    return any(fits(read(selector), dig(item, "metadata", "labels")) for item in objects)


def _selects_namespace(attributes: AdmissionAttributes, selector: JsonObject) -> bool | None:
    if attributes.is_a("", "Namespace"):
        return fits(read(selector), dig(attributes.new, "metadata", "labels"))
    if not attributes.namespace or not any(selector.values()):
        return True
    found = attributes.cluster_view.lookup("", "Namespace", attributes.namespace)
    return fits(read(selector), dig(found.object, "metadata", "labels")) if isinstance(found, Present) else None
