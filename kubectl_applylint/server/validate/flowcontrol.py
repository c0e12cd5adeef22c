"""FlowSchema and PriorityLevelConfiguration.

Mirrors ``pkg/apis/flowcontrol/validation``.
"""

from collections.abc import Iterable, Iterator
from math import ceil, log2
from typing import Final

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.server.validate.conditions import beside, or_zero, where
from kubectl_applylint.server.validate.constraints import (
    at_least,
    at_most,
    between,
    forbidden,
    required,
    required_and_one_of,
    required_one_of,
    set_at_all,
    well_formed,
    when,
)
from kubectl_applylint.server.validate.field_context import Constraint, FieldContext, Table, always, struct
from kubectl_applylint.server.validate.formats import dns_label, dns_subdomain
from kubectl_applylint.server.validate.rules import Group, Rules

_GROUP: Final = "flowcontrol.apiserver.k8s.io"
_VERBS: Final = ("create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch")
_EXEMPT: Final = "exempt"
_MOST_QUEUES: Final = 10_000_000
_MOST_BITS: Final = 60
_NAMESPACE_WORDS: Final = "each member of this list must be '*' or a DNS-1123 label; "


def _alone(what: str) -> Constraint:
    """An asterisk stands for everything, and so alone."""

    def check(fld: FieldContext) -> Iterable[FieldError]:
        mixed = fld.size() > 1 and _has_all(fld)
        return (fld.invalid(f"if '*' is present, must not specify other {what}"),) if mixed else ()

    return check


def _has_all(fld: FieldContext) -> bool:
    return any(item.value == "*" for item in fld.items())


def _verbs(fld: FieldContext) -> Iterable[FieldError]:
    known = _has_all(fld) or all(item.value in _VERBS for item in fld.items())
    return () if known else (fld.unsupported(_VERBS),)


def _first(fld: FieldContext) -> Iterable[FieldError]:
    alone = fld.value == 1 and fld.root.text("metadata", "name") != _EXEMPT
    return (fld.invalid("only the schema named 'exempt' may have matchingPrecedence 1"),) if alone else ()


def _some_rule(fld: FieldContext) -> Iterable[FieldError]:
    given = fld.has("resourceRules") or fld.has("nonResourceRules")
    return () if given else (fld.required("at least one of resourceRules and nonResourceRules has to be non-empty"),)


@always
def _namespaces(fld: FieldContext) -> Iterator[FieldError]:
    """The namespaces of a rule are named, if it is about them."""
    everywhere = fld.up is not None and fld.up.flag("clusterScope")
    if fld.empty and not everywhere:
        yield fld.required("resource rules that are not cluster scoped must supply at least one namespace")
    for item in () if _has_all(fld) else fld.items():
        yield from (item.invalid(_NAMESPACE_WORDS + fault) for fault in dns_label(item.text()))


def _urls(fld: FieldContext) -> Iterator[FieldError]:
    for item in () if _has_all(fld) else fld.items():
        yield from (item.invalid(fault) for fault in _url_faults(item.text())[:1])


def _url_faults(text: str) -> list[str]:
    """Return what is wrong with a path of the server; only the first fault is told."""
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


def _of_kind(kind: str, name: str) -> list[Constraint]:
    """The field is there for one kind of subjects, and for that one only."""
    others = tuple(other for other in ("ServiceAccount", "User", "Group") if other != kind)
    return [
        when(beside("kind", kind), set_at_all(f"{name} is required when subject kind is '{kind}'")),
        when(beside("kind", *others), forbidden(f"{name} is forbidden when subject kind is not '{kind}'")),
    ]


def _account_name(fld: FieldContext) -> Iterable[FieldError]:
    return () if fld.text() in ("", "*") else [fld.invalid(fault) for fault in dns_subdomain(fld.text())]


@always
def _distinguisher(fld: FieldContext) -> Iterable[FieldError]:
    """The server shows the whole method, as it has it inside."""
    methods = ("ByNamespace", "ByUser")
    return () if fld.value in methods else (fld.unsupported(methods, {"Type": fld.text()}),)


_SUBJECT: Final[Table] = {
    "kind": [required_one_of("Group", "ServiceAccount", "User")],
    "serviceAccount": _of_kind("ServiceAccount", "serviceAccount"),
    "serviceAccount.name": [required(), _account_name],
    "serviceAccount.namespace": [required("must specify namespace for service account"), well_formed(dns_label)],
    "user": _of_kind("User", "user"),
    "user.name": [required()],
    "group": _of_kind("Group", "group"),
    "group.name": [required()],
}
_SOME_VERBS: Final = [required("verbs must contain at least one value"), _alone("verbs"), _verbs]
_RULE: Final[Table] = {
    "": [_some_rule],
    "subjects": [required("subjects must contain at least one value")],
    "subjects[*]": _SUBJECT,
    "resourceRules[*]": {
        "verbs": _SOME_VERBS,
        "apiGroups": [required("resource rules must supply at least one api group"), _alone("api groups")],
        "resources": [required("resource rules must supply at least one resource"), _alone("resources")],
        "namespaces": [_namespaces, _alone("namespaces")],
    },
    "nonResourceRules[*]": {
        "verbs": _SOME_VERBS,
        "nonResourceURLs": [
            required("nonResourceURLs must contain at least one value"),
            _alone("non-resource URLs"),
            _urls,
        ],
    },
}
_FLOW_SCHEMA: Final[Table] = {
    "spec": [struct],
    "spec.matchingPrecedence": [
        or_zero(at_least(1, "must be a positive value"), at_most(10000, "must not be greater than 10000")),
        _first,
    ],
    "spec.distinguisherMethod.type": [_distinguisher],
    "spec.priorityLevelConfiguration": [struct],
    "spec.priorityLevelConfiguration.name": [required("must reference a priority level"), well_formed(dns_subdomain)],
    "spec.rules[*]": _RULE,
}


@always
def _exempt_type(fld: FieldContext) -> Iterable[FieldError]:
    is_exempt = fld.root.text("metadata", "name") == _EXEMPT
    words = "must be 'Exempt' if and only if `name` is 'exempt'"
    return (fld.invalid(words, fld.text()),) if is_exempt != (fld.text() == "Exempt") else ()


def _hand(fld: FieldContext) -> Iterator[FieldError]:
    """A flow gets some of the queues, so few that the choice can be drawn from a hash; ``fld`` says how many."""
    queues, hand, place = fld.number("queues"), fld.number("handSize"), fld.child("handSize")
    if hand <= 0:
        yield place.invalid("must be positive", hand)
    elif hand > queues:
        yield place.invalid(f"should not be greater than queues ({queues})")
    elif ceil(log2(queues) * hand) > _MOST_BITS:
        words = f"required entropy bits of deckSize {queues} and handSize {hand} should not be greater than"
        yield place.invalid(f"{words} {_MOST_BITS}")


_NOT_NEGATIVE: Final = "must be a non-negative integer"
_QUEUING: Final[Table] = {
    "": [_hand],
    "queueLengthLimit": [or_zero(at_least(1, "must be positive"))],
    "queues": [
        or_zero(at_least(1, "must be positive")),
        at_most(_MOST_QUEUES, f"must not be greater than {_MOST_QUEUES}"),
    ],
}
_PERCENT: Final = between(0, 100)
_SHARES: Final[Table] = {
    "nominalConcurrencyShares": [at_least(0, _NOT_NEGATIVE)],
    "lendablePercent": [_PERCENT],
}
_LIMITED: Final[Table] = {
    "": [_SHARES],
    "borrowingLimitPercent": [at_least(0, "if specified, must be a non-negative integer")],
    "limitResponse": [struct],
    "limitResponse.type": [required_and_one_of("Queue", "Reject")],
    "limitResponse.queuing": [
        when(beside("type", "Reject"), forbidden("must be nil if limited.limitResponse.type is not Limited")),
        when(beside("type", "Queue"), set_at_all("must not be empty if limited.limitResponse.type is Limited")),
        where(beside("type", "Queue"), _QUEUING),
    ],
}
_PRIORITY_LEVEL: Final[Table] = {
    "spec": [struct],
    "spec.type": [_exempt_type, required_and_one_of("Exempt", "Limited")],
    "spec.limited": [
        when(beside("type", "Exempt"), forbidden("must be nil if the type is not Limited")),
        when(beside("type", "Limited"), set_at_all("must not be empty when type is Limited")),
        where(beside("type", "Limited"), _LIMITED),
    ],
    "spec.exempt": [
        when(beside("type", "Limited"), forbidden("must be nil if the type is Limited")),
        where(beside("type", "Exempt"), _SHARES),
    ],
}

KINDS: Final[Group] = {
    (_GROUP, "FlowSchema"): Rules(_FLOW_SCHEMA),
    (_GROUP, "PriorityLevelConfiguration"): Rules(_PRIORITY_LEVEL),
}
