"""ResourceQuota and LimitRange.

Mirrors ``ValidateResourceQuota`` and ``ValidateLimitRange``.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from kubectl_applylint.core.values import Json, mapping
from kubectl_applylint.server.validate import dsl as v
from kubectl_applylint.server.validate.pods.resources import (
    can_be_overcommitted,
    container_name_faults,
    is_quota_of_huge_pages,
    resource_name_faults,
    valid_amount,
)

_STANDARD: Final = {
    *("cpu", "memory", "ephemeral-storage", "requests.cpu", "requests.memory", "requests.storage"),
    *("requests.ephemeral-storage", "limits.cpu", "limits.memory", "limits.ephemeral-storage", "pods"),
    *("resourcequotas", "services", "replicationcontrollers", "secrets", "persistentvolumeclaims", "configmaps"),
    *("services.nodeports", "services.loadbalancers"),
}
_OF_PODS: Final = {"pods", "cpu", "memory", "limits.cpu", "limits.memory", "requests.cpu", "requests.memory"}
_SCOPES: Final[Mapping[str, set[str]]] = {
    "Terminating": _OF_PODS,
    "NotTerminating": _OF_PODS,
    "BestEffort": {"pods"},
    "NotBestEffort": _OF_PODS,
    "PriorityClass": _OF_PODS,
    "VolumeAttributesClass": {"persistentvolumeclaims", "requests.storage"},
    "CrossNamespacePodAffinity": _OF_PODS,
}
"""The scopes of a quota, and the resources that it may limit with each."""
_ONLY_EXISTS: Final = ("BestEffort", "NotBestEffort", "Terminating", "NotTerminating", "CrossNamespacePodAffinity")
_EITHER_OR: Final = ({"BestEffort", "NotBestEffort"}, {"Terminating", "NotTerminating"})


def _is_standard(name: str) -> bool:
    return name in _STANDARD or is_quota_of_huge_pages(name)


def _hard(fld: v.FieldContext) -> v.FieldErrors:
    """Check one entry of ``hard``: ``fld`` is the amount, its step the name."""
    name = fld.step[1:-1]
    yield from (fld.invalid(fault, name) for fault in resource_name_faults(name))
    if "/" not in name and not _is_standard(name):
        yield fld.invalid("must be a standard resource for quota", name)
    yield from valid_amount(fld)


def _unfit_resources(fld: v.FieldContext, scope: str) -> int:
    """Return the number of a quota's resources that do not fit its scope."""
    hard = filter(_is_standard, mapping(fld.root.get("spec", "hard")))
    return sum(name not in _SCOPES.get(scope, (name,)) for name in hard)


def _scopes(fld: v.FieldContext) -> v.FieldErrors:
    """Require known scopes that do not exclude each other and fit the quota's resources."""
    scopes = [item.text() for item in fld.items()]
    for scope in scopes:
        if scope not in _SCOPES:
            yield fld.invalid("unsupported scope")
        if _unfit_resources(fld, scope):
            yield fld.invalid("unsupported scope applied to resource")
    yield from (fld.invalid("conflicting scopes") for pair in _EITHER_OR if pair <= set(scopes))


@v.always
def _immutable_scopes(fld: v.FieldContext) -> v.FieldErrors:
    """Forbid changes of the set of scopes."""
    if fld.creating or {item.value for item in fld.items()} == {item.value for item in fld.before().items()}:
        return ()
    return (fld.immutable(),)


def _selector(fld: v.FieldContext) -> v.FieldErrors:
    """Check the scope selector; errors have the path of the list, without an index. ``fld`` is the list."""
    for expression in fld.items():
        yield from _expression(expression, fld)
    scopes = {item.text("scopeName") for item in fld.items()}
    yield from (fld.invalid("conflicting scopes") for pair in _EITHER_OR if pair <= scopes)


def _expression(expression: v.FieldContext, place: v.FieldContext) -> v.FieldErrors:
    scope = expression.text("scopeName")
    if scope not in _SCOPES:
        yield place.child("scopeName").invalid("unsupported scope", scope)
    if _unfit_resources(expression, scope):
        yield place.invalid("unsupported scope applied to resource")
    operator = expression.text("operator")
    if scope in _ONLY_EXISTS and operator != "Exists":
        yield place.child("operator").invalid(_MUST_EXIST, operator)
    yield from _expression_values(expression, place)


def _expression_values(expression: v.FieldContext, place: v.FieldContext) -> v.FieldErrors:
    """Require values that fit the operator of an expression."""
    operator, values = expression.text("operator"), expression.get("values")
    match operator:
        case "In" | "NotIn":
            yield from () if expression.has("values") else (place.child("values").required(_NEEDS_VALUES),)
        case "Exists" | "DoesNotExist":
            yield from (place.child("values").invalid(_NO_VALUES, values),) if expression.has("values") else ()
        case _:
            yield place.child("operator").invalid("not a valid selector operator", operator)


_MUST_EXIST: Final = (
    "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, "
    "ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity"
)
_NEEDS_VALUES: Final = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"
_NO_VALUES: Final = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector"

_RESOURCE_QUOTA: Final[v.Table] = {
    "spec.hard.*": [_hard],
    "spec.scopes": [_scopes, _immutable_scopes],
    "spec.scopeSelector.matchExpressions": [_selector],
}

_LIMITED_TYPES: Final = ("Pod", "Container", "PersistentVolumeClaim")
_LIMITS: Final = ("max", "min", "default", "defaultRequest", "maxLimitRequestRatio")


def _limit_type(fld: v.FieldContext) -> v.FieldErrors:
    """Require a limit type of Kubernetes or with a domain."""
    faults = v.qualified_name(fld.text())
    if not faults and "/" not in fld.text() and fld.text() not in _LIMITED_TYPES:
        faults = ["must be a standard limit type or fully qualified"]
    return [fld.invalid(fault) for fault in faults]


def _limits(fld: v.FieldContext) -> v.FieldErrors:
    """Check the names of the limits of one type and their consistency; ``fld`` is the element."""
    kind = fld.text("type")
    forms = container_name_faults if kind in ("Pod", "Container") else resource_name_faults
    given = [side for side in _LIMITS if kind != "Pod" or side not in ("default", "defaultRequest")]
    for entry in (entry for side in given for entry in fld.child(side).entries()):
        yield from (entry.invalid(fault, entry.step[1:-1]) for fault in forms(entry.step[1:-1]))
    for side in ("default", "defaultRequest"):
        if kind == "Pod" and fld.has(side):
            yield fld.child(side).forbidden("may not be specified when `type` is 'Pod'")
    if kind == "PersistentVolumeClaim" and not fld.sets("min", "storage") and not fld.sets("max", "storage"):
        words = "either minimum or maximum storage value is required, but neither was provided"
        yield fld.child("limits").required(words)
    names = sorted({name for side in given for name in mapping(fld.get(side))})
    for name in names:
        yield from _room(fld, name, given)


_REQUEST: Final = "defaultRequest"
_ORDER: Final = (
    ("min", "max", "min", "min", "min value {} is greater than max value {}"),
    ("min", _REQUEST, _REQUEST, _REQUEST, "min value {} is greater than default request value {}"),
    (_REQUEST, "max", _REQUEST, _REQUEST, "default request value {} is greater than max value {}"),
    (_REQUEST, "default", _REQUEST, _REQUEST, "default request value {} is greater than default limit value {}"),
    ("min", "default", "default", "min", "min value {} is greater than default value {}"),
    ("default", "max", "default", "max", "default value {} is greater than max value {}"),
)
"""The pairs of limits that must be in order: lower, upper, the field of the error, the shown value, the message."""


def _room(fld: v.FieldContext, name: str, given: list[str]) -> v.FieldErrors:
    """Require consistent limits of one resource."""
    texts = {side: fld.get(side, name) for side in given if fld.sets(side, name) and v.is_known(fld.get(side, name))}
    for small, great, said, shown, words in _ORDER:
        if small in texts and great in texts and v.amount(texts[small]) > v.amount(texts[great]):
            place = fld.child(said).entry(name)
            yield place.invalid(words.format(texts[small], texts[great]), fld.get(shown, name))
    if "maxLimitRequestRatio" in texts:
        place = fld.child("maxLimitRequestRatio").entry(name)
        yield from _ratio(place, v.amount(texts.get("min")), texts.get("max"))
    if not can_be_overcommitted(name):
        yield from _same_request(fld, name)


def _same_request(fld: v.FieldContext, name: str) -> v.FieldErrors:
    """Require equal requests and limits for resources that cannot be overcommitted."""
    default, request = fld.child("default").entry(name), fld.child("defaultRequest").entry(name)
    if not default.there or not request.there or v.amount(default.value) == v.amount(request.value):
        return ()
    words = f"default value {default.value} must equal to defaultRequest value {request.value} in {name}"
    return (request.invalid(words),)


def _ratio(fld: v.FieldContext, least: Fraction, most: Json) -> v.FieldErrors:
    """Require a feasible ratio of limit to request."""
    ratio = v.amount(fld.value)
    if ratio < 1:
        yield fld.invalid(f"ratio {fld.value} is less than 1")
    if least and most is not None and ratio > v.amount(most) / least:
        yield fld.invalid(f"ratio {fld.value} is greater than max/min = {float(v.amount(most) / least):f}")


_LIMIT_RANGE: Final[v.Table] = {
    "spec.limits": [v.unique("type")],
    "spec.limits[*]": [_limits],
    "spec.limits[*].type": [v.or_empty(_limit_type)],
}

KINDS: Final[v.Group] = {("", "ResourceQuota"): v.Rules(_RESOURCE_QUOTA), ("", "LimitRange"): v.Rules(_LIMIT_RANGE)}
