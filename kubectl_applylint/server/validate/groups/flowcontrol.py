"""FlowSchema and PriorityLevelConfiguration.

Mirrors ``pkg/apis/flowcontrol/validation``.
"""

from math import ceil, log2
from typing import Final

from kubectl_applylint.server.validate import dsl as v

_GROUP: Final = "flowcontrol.apiserver.k8s.io"
_VERBS: Final = ("create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch")
_EXEMPT: Final = "exempt"
_MOST_QUEUES: Final = 10_000_000
_MOST_BITS: Final = 60
_NAMESPACE_WORDS: Final = "each member of this list must be '*' or a DNS-1123 label; "


def _has_all(fld: v.FieldContext) -> bool:
    return any(item.value == "*" for item in fld.items())


def _verbs(fld: v.FieldContext) -> v.FieldErrors:
    known = _has_all(fld) or all(item.value in _VERBS for item in fld.items())
    return () if known else (fld.not_supported(_VERBS),)


def _some_rule(fld: v.FieldContext) -> v.FieldErrors:
    given = fld.has("resourceRules") or fld.has("nonResourceRules")
    return () if given else (fld.required("at least one of resourceRules and nonResourceRules has to be non-empty"),)


@v.always
def _namespaces(fld: v.FieldContext) -> v.FieldErrors:
    """Require the namespaces of a rule if its scope is not the cluster."""
    everywhere = fld.parent.flag("clusterScope")
    if fld.empty and not everywhere:
        yield fld.required("resource rules that are not cluster scoped must supply at least one namespace")
    for item in () if _has_all(fld) else fld.items():
        yield from (item.invalid(_NAMESPACE_WORDS + fault) for fault in v.dns_label(item.text()))


def _urls(fld: v.FieldContext) -> v.FieldErrors:
    for item in () if _has_all(fld) else fld.items():
        yield from (item.invalid(fault) for fault in _url_faults(item.text())[:1])


def _url_faults(text: str) -> list[str]:
    """Return the faults of a path of the server; only the first is reported."""
    if text == "/":
        return []
    stars = text.count("*")
    return [
        fault
        for fault, holds in (
            ("must not be empty", not text),
            ("must start with slash", not text.startswith("/")),
            ("must not contain white-space", " " in text),
            ("must not contain double slash", "//" in text),
            ("wildcard can only do suffix matching", stars > 1 or (stars == 1 and not text.endswith("/*"))),
        )
        if holds
    ]


def _for_subject_kind(kind: str, name: str) -> list[v.Constraint]:
    """Require the field for one kind of subjects, and forbid it for others."""
    others = tuple(other for other in ("ServiceAccount", "User", "Group") if other != kind)
    return [
        v.when(v.sibling_is("kind", kind), v.set_at_all(f"{name} is required when subject kind is '{kind}'")),
        v.when(v.sibling_is("kind", *others), v.forbidden(f"{name} is forbidden when subject kind is not '{kind}'")),
    ]


@v.always
def _distinguisher(fld: v.FieldContext) -> v.FieldErrors:
    """Check the distinguisher method; the server shows the whole struct in its internal form."""
    methods = ("ByNamespace", "ByUser")
    return () if fld.value in methods else (fld.not_supported(methods, {"Type": fld.text()}),)


_SUBJECT: Final[v.Table] = {
    "kind": [v.required_one_of("Group", "ServiceAccount", "User")],
    "serviceAccount": _for_subject_kind("ServiceAccount", "serviceAccount"),
    "serviceAccount.name": [v.required(), v.unless(lambda fld: fld.value == "*", v.well_formed(v.dns_subdomain))],
    "serviceAccount.namespace": [v.required("must specify namespace for service account"), v.well_formed(v.dns_label)],
    "user": _for_subject_kind("User", "user"),
    "user.name": [v.required()],
    "group": _for_subject_kind("Group", "group"),
    "group.name": [v.required()],
}
_SOME_VERBS: Final = [v.required("verbs must contain at least one value"), v.star_alone("verbs"), _verbs]
_RULE: Final[v.Table] = {
    "": [_some_rule],
    "subjects": [v.required("subjects must contain at least one value")],
    "subjects[*]": _SUBJECT,
    "resourceRules[*]": {
        "verbs": _SOME_VERBS,
        "apiGroups": [v.required("resource rules must supply at least one api group"), v.star_alone("api groups")],
        "resources": [v.required("resource rules must supply at least one resource"), v.star_alone("resources")],
        "namespaces": [_namespaces, v.star_alone("namespaces")],
    },
    "nonResourceRules[*]": {
        "verbs": _SOME_VERBS,
        "nonResourceURLs": [
            v.required("nonResourceURLs must contain at least one value"),
            v.star_alone("non-resource URLs"),
            _urls,
        ],
    },
}
_FLOW_SCHEMA: Final[v.Table] = {
    "spec": [v.struct],
    "spec.matchingPrecedence": [
        v.or_zero(v.at_least(1, "must be a positive value"), v.at_most(10000, "must not be greater than 10000")),
        v.must(
            lambda fld: fld.value != 1 or fld.root.text("metadata", "name") == _EXEMPT,
            "only the schema named 'exempt' may have matchingPrecedence 1",
        ),
    ],
    "spec.distinguisherMethod.type": [_distinguisher],
    "spec.priorityLevelConfiguration": [v.struct],
    "spec.priorityLevelConfiguration.name": [
        v.required("must reference a priority level"),
        v.well_formed(v.dns_subdomain),
    ],
    "spec.rules[*]": _RULE,
}


@v.always
def _exempt_type(fld: v.FieldContext) -> v.FieldErrors:
    is_exempt = fld.root.text("metadata", "name") == _EXEMPT
    words = "must be 'Exempt' if and only if `name` is 'exempt'"
    return (fld.invalid(words, fld.text()),) if is_exempt != (fld.text() == "Exempt") else ()


def _hand_size(fld: v.FieldContext) -> v.FieldErrors:
    """Limit the hand size, so that the choice of queues can be drawn from a hash; ``fld`` has the numbers."""
    queues, hand, place = fld.number("queues"), fld.number("handSize"), fld.child("handSize")
    if hand <= 0:
        yield place.invalid("must be positive", hand)
    elif hand > queues:
        yield place.invalid(f"should not be greater than queues ({queues})")
    elif ceil(log2(queues) * hand) > _MOST_BITS:
        words = f"required entropy bits of deckSize {queues} and handSize {hand} should not be greater than"
        yield place.invalid(f"{words} {_MOST_BITS}")


_NOT_NEGATIVE: Final = "must be a non-negative integer"
_QUEUING: Final[v.Table] = {
    "": [_hand_size],
    "queueLengthLimit": [v.or_zero(v.at_least(1, "must be positive"))],
    "queues": [
        v.or_zero(v.at_least(1, "must be positive")),
        v.at_most(_MOST_QUEUES, f"must not be greater than {_MOST_QUEUES}"),
    ],
}
_PERCENT: Final = v.between(0, 100)
_SHARES: Final[v.Table] = {"nominalConcurrencyShares": [v.at_least(0, _NOT_NEGATIVE)], "lendablePercent": [_PERCENT]}
_LIMITED: Final[v.Table] = {
    "": [_SHARES],
    "borrowingLimitPercent": [v.at_least(0, "if specified, must be a non-negative integer")],
    "limitResponse": [v.struct],
    "limitResponse.type": [v.required_and_one_of("Queue", "Reject")],
    "limitResponse.queuing": [
        v.when(v.sibling_is("type", "Reject"), v.forbidden("must be nil if limited.limitResponse.type is not Limited")),
        v.when(
            v.sibling_is("type", "Queue"), v.set_at_all("must not be empty if limited.limitResponse.type is Limited")
        ),
        v.where(v.sibling_is("type", "Queue"), _QUEUING),
    ],
}
_PRIORITY_LEVEL: Final[v.Table] = {
    "spec": [v.struct],
    "spec.type": [_exempt_type, v.required_and_one_of("Exempt", "Limited")],
    "spec.limited": [
        v.when(v.sibling_is("type", "Exempt"), v.forbidden("must be nil if the type is not Limited")),
        v.when(v.sibling_is("type", "Limited"), v.set_at_all("must not be empty when type is Limited")),
        v.where(v.sibling_is("type", "Limited"), _LIMITED),
    ],
    "spec.exempt": [
        v.when(v.sibling_is("type", "Limited"), v.forbidden("must be nil if the type is Limited")),
        v.where(v.sibling_is("type", "Exempt"), _SHARES),
    ],
}

KINDS: Final[v.Group] = {
    (_GROUP, "FlowSchema"): v.Rules(_FLOW_SCHEMA),
    (_GROUP, "PriorityLevelConfiguration"): v.Rules(_PRIORITY_LEVEL),
}
