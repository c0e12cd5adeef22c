"""The scopes of a quota: the pods that it counts by duration and priority, and the claims by class.

Mirrors ``podMatchesScopeFunc`` and ``pvcMatchesScopeFunc`` of pkg/quota/v1/evaluator/core; other kinds have no scopes,
so that a quota with scopes never counts them.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeAlias

from kubectl_applylint.core.selector import fits, read
from kubectl_applylint.core.values import JsonObject, dig, items, mapping, objects_at
from kubectl_applylint.server.admission.amounts import amounts
from kubectl_applylint.server.admission.attributes import AdmissionAttributes

_Test: TypeAlias = Callable[[JsonObject], bool]
_PRIORITY: Final = "PriorityClass"
_ATTRIBUTES: Final = "VolumeAttributesClass"
_COMPUTE: Final = ("cpu", "memory")
_TERMS: Final = "DuringSchedulingIgnoredDuringExecution"


def is_counted(attributes: AdmissionAttributes, item: JsonObject, quota: JsonObject) -> bool:
    """Return whether all scopes of a quota match an object of the kind."""
    return all(_is_within(attributes, item, scope) for scope in _scopes(mapping(quota.get("spec"))))


def _scopes(spec: JsonObject) -> Iterator[JsonObject]:
    """Yield the scopes of a quota as selectors; a scope without a selector becomes ``Exists``."""
    yield from ({"scopeName": name, "operator": "Exists"} for name in items(spec.get("scopes")))
    yield from objects_at(spec, "scopeSelector", "matchExpressions")


def _is_within(attributes: AdmissionAttributes, item: JsonObject, scope: JsonObject) -> bool:
    name, spec = str(scope.get("scopeName")), mapping(item.get("spec"))
    if attributes.is_a("", "PersistentVolumeClaim") and name == _ATTRIBUTES:
        return _matches_class(scope, _attributes(item))
    if not attributes.is_a("", "Pod"):
        return False
    if name == _PRIORITY:
        return _matches_class(scope, [spec["priorityClassName"]] if spec.get("priorityClassName") else [])
    test = _TESTS.get(name)
    return test is not None and test(spec)


def _matches_class(scope: JsonObject, names: list[str]) -> bool:
    """Return whether a scope selects one of the class names of an object, or their absence."""
    label = str(scope.get("scopeName"))
    terms = read({"matchExpressions": [{**scope, "key": label}]})
    return any(fits(terms, labels) for labels in ([{label: name} for name in names] or [{}]))


def _attributes(claim: JsonObject) -> list[str]:
    wanted, status = dig(claim, "spec", "volumeAttributesClassName"), mapping(claim.get("status"))
    current = status.get("currentVolumeAttributesClassName")
    target = dig(status, "modifyVolumeStatus", "targetVolumeAttributesClassName")
    return [name for name in (wanted, current, target) if isinstance(name, str) and name]


def _ends(spec: JsonObject) -> bool:
    return isinstance(spec.get("activeDeadlineSeconds"), int)


def _is_best_effort(spec: JsonObject) -> bool:
    """Return whether neither the containers of a pod nor the pod itself set compute resources."""
    parts = [spec] if spec.get("resources") else [*items(spec.get("containers")), *items(spec.get("initContainers"))]
    given = [amounts(dig(part, "resources", side)) for part in parts for side in ("requests", "limits")]
    return not any(each[name].number > 0 for each in given for name in _COMPUTE if name in each)


def _has_cross_namespace_affinity(spec: JsonObject) -> bool:
    """Return whether a pod has affinity or anti-affinity to pods of other namespaces."""
    kinds = [mapping(dig(spec, "affinity", kind)) for kind in ("podAffinity", "podAntiAffinity")]
    required = [mapping(term) for kind in kinds for term in items(kind.get(f"required{_TERMS}"))]
    weighted = [mapping(term) for kind in kinds for term in items(kind.get(f"preferred{_TERMS}"))]
    terms = [*required, *(mapping(term.get("podAffinityTerm")) for term in weighted)]
    return any(term.get("namespaces") or term.get("namespaceSelector") is not None for term in terms)


_TESTS: Final[Mapping[str, _Test]] = {
    "Terminating": _ends,
    "NotTerminating": lambda spec: not _ends(spec),
    "BestEffort": _is_best_effort,
    "NotBestEffort": lambda spec: not _is_best_effort(spec),
    "CrossNamespacePodAffinity": _has_cross_namespace_affinity,
}
