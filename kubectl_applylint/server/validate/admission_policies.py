"""ValidatingAdmissionPolicy, MutatingAdmissionPolicy and their bindings; of expressions only the names.

Mirrors ``pkg/apis/admissionregistration/validation``.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from kubectl_applylint.core.outcome import Refusal
from kubectl_applylint.server.validate.admission_rules import REQUEST, RULE, distinct, match_conditions, not_blank
from kubectl_applylint.server.validate.cel_names import RESERVED, speaks_of
from kubectl_applylint.server.validate.conditions import if_set
from kubectl_applylint.server.validate.constraints import (
    required,
    required_and_one_of,
    required_one_of,
    same,
    set_at_all,
    unique,
    well_formed,
)
from kubectl_applylint.server.validate.formats import dns_1035_label, dns_subdomain, path_segment, qualified_name
from kubectl_applylint.server.validate.names import in_any_case, joined
from kubectl_applylint.server.validate.rules import Group, Rules
from kubectl_applylint.server.validate.selectors import LABEL_SELECTOR
from kubectl_applylint.server.validate.spots import Constraint, Spot, Table, always, struct
from kubectl_applylint.server.validate.walk import inside

_GROUP: Final = "admissionregistration.k8s.io"
_IDENTIFIER: Final = re.compile("[_a-zA-Z][_a-zA-Z0-9]*")
_MUTATING_OPERATIONS: Final = ("*", "CONNECT", "CREATE", "UPDATE")
_MOST_ANNOTATIONS: Final = 20
_LONGEST_EXPRESSION: Final = 5120
_NOTHING_TO_DO: Final = "validations or auditAnnotations must contain at least one item"


def _version(spot: Spot) -> Iterator[Refusal]:
    """The parameters are of a version of an API group."""
    group, slash, version = spot.text().rpartition("/")
    if "/" in group:
        yield spot.invalid(f"unexpected GroupVersion string: {spot.text()}")
        return
    yield from (spot.invalid(fault, group) for fault in (joined(dns_subdomain(group)) if slash and group else ()))
    if not version:
        yield spot.invalid("version must be specified")
    else:
        yield from (spot.invalid(fault, version) for fault in joined(dns_1035_label(version)))


def _kind(spot: Spot) -> Iterable[Refusal]:
    faults = joined(in_any_case(dns_1035_label)(spot.text())) if spot.text() else []
    return [spot.invalid(f"may have mixed case, but should otherwise match: {fault}") for fault in faults]


def _of_request(spot: Spot) -> Iterator[str]:
    """Yield the variables of an expression of a policy: parameters only where the policy says what they are."""
    yield from REQUEST
    if spot.nearest(".spec").sets("paramKind"):
        yield "params"


def _of_policy(spot: Spot) -> Iterator[str]:
    """Yield the variables of an expression that may speak of those of the policy as well."""
    yield from _of_request(spot)
    variables = spot.nearest(".spec").child("variables").items()
    if variables:
        yield from ("variables", "variables.")
    around = spot.up
    own = around.step if around is not None and around.up is not None and around.up.step == ".variables" else ""
    for variable in variables:
        if variable.step == own:
            return  # a variable speaks of those before it
        if variable.text("expression").strip():
            yield f"variables.{variable.text('name')}"


_speaks_of_policy: Final = speaks_of(_of_policy)
_speaks_of_object: Final = speaks_of(lambda spot: {*_of_policy(spot)} - {"authorizer"})


def _identifier(spot: Spot) -> Iterable[Refusal]:
    """The name of a variable can stand in an expression."""
    if not spot.text().strip():
        return ()
    good = _IDENTIFIER.fullmatch(spot.text()) is not None and spot.text() not in RESERVED
    return () if good else (spot.invalid("must be a valid CEL identifier"),)


def _something_to_do(spot: Spot) -> Iterable[Refusal]:
    """A policy refuses or notes something; ``spot`` is the spec."""
    if spot.has("validations") or spot.has("auditAnnotations"):
        return ()
    return [spot.child(name).required(_NOTHING_TO_DO) for name in ("validations", "auditAnnotations")]


def _not_only_spaces(spot: Spot) -> Iterable[Refusal]:
    blank = bool(spot.text()) and not spot.text().strip()
    return (spot.invalid("must be non-empty if specified"),) if blank else ()


def _one_line(spot: Spot) -> Iterable[Refusal]:
    broken = re.search(r"[\n\r]", spot.text().strip()) is not None
    return (spot.invalid("must not contain line breaks"),) if broken else ()


def _few(spot: Spot) -> Iterable[Refusal]:
    words = f"must not have more than {_MOST_ANNOTATIONS} auditAnnotations"
    return (spot.invalid(words),) if spot.size() > _MOST_ANNOTATIONS else ()


@always
def _audit_key(spot: Spot) -> Iterable[Refusal]:
    """The key, after the name of the policy, is one of an annotation."""
    name = spot.root.text("metadata", "name")
    if not name:
        return (spot.invalid("requires metadata.name be non-empty", spot.text()),)
    whole = f"{name}/{spot.text()}"
    return [spot.invalid(fault, whole) for fault in qualified_name(whole)]


def _not_too_long(spot: Spot) -> Iterable[Refusal]:
    long = len(spot.text().strip().encode()) > _LONGEST_EXPRESSION
    return (spot.required(f"must not exceed {_LONGEST_EXPRESSION} bytes in length"),) if long else ()


_conditions: Final = inside({"matchConditions": match_conditions(_of_request)})


def _new_conditions(spot: Spot) -> Iterable[Refusal]:
    """The conditions are looked at if they, or the parameters, changed; ``spot`` is the spec."""
    old = spot.before()
    kept = all(same(spot.get(name), old.get(name)) for name in ("paramKind", "matchConditions"))
    return () if not spot.creating and kept else _conditions(spot)


_NAMED_RULE: Final[Table] = {
    "": [RULE],
    "resourceNames": [unique()],
    "resourceNames[*]": [well_formed(path_segment, even_empty=True)],
}
_MATCH_RESOURCES: Final[Table] = {
    "matchPolicy": [set_at_all(), if_set(required_one_of("Equivalent", "Exact"))],
    "namespaceSelector": [set_at_all(), LABEL_SELECTOR],
    "objectSelector": [set_at_all(), LABEL_SELECTOR],
    "resourceRules[*]": _NAMED_RULE,
    "excludeResourceRules[*]": _NAMED_RULE,
}


def _mutating(spot: Spot) -> Iterator[Refusal]:
    """What is deleted cannot be changed; what is wrong is said as if there were one rule. ``spot`` has the rules."""
    place = spot.at("resourceRules", "operations")
    for rule in spot.child("resourceRules").items():
        for item in rule.child("operations").items():
            if item.value not in _MUTATING_OPERATIONS:
                yield place.with_value(item.value).unsupported(_MUTATING_OPERATIONS)


_POLICY: Final[Table] = {
    "": [_new_conditions],
    "failurePolicy": [set_at_all(), if_set(required_one_of("Fail", "Ignore"))],
    "paramKind.apiVersion": [required(), _version],
    "paramKind.kind": [required(), _kind],
    "matchConstraints": [set_at_all(), _MATCH_RESOURCES],
    "matchConstraints.resourceRules": [required()],
    "variables[*].name": [not_blank("name is not specified"), _identifier],
    "variables[*].expression": [not_blank("expression is not specified"), _speaks_of_policy],
}
_VALIDATING_POLICY: Final[Table] = {
    "spec": [struct, _POLICY, _something_to_do],
    "spec.validations[*]": {
        "expression": [not_blank("expression is not specified"), _speaks_of_policy],
        "messageExpression": [_not_only_spaces, _speaks_of_object],
        "message": [_not_only_spaces, _one_line],
        "reason": [if_set(required_one_of("Forbidden", "Invalid", "RequestEntityTooLarge"))],
    },
    "spec.auditAnnotations": [_few, distinct("key")],
    "spec.auditAnnotations[*]": {
        "key": [_audit_key],
        "valueExpression": [not_blank("valueExpression is not specified"), _not_too_long, _speaks_of_policy],
    },
}


def _patch(name: str, kind: str) -> Constraint:
    """The field has the expression of one type of patch, and is there for that type only."""

    def check(spot: Spot) -> Iterable[Refusal]:
        if spot.there:
            words = f"must not be specified when patchType is {_OTHER_TYPE[kind]}"
            wrong = spot.up is not None and spot.up.text("patchType") == _OTHER_TYPE[kind]
            return (spot.invalid(words, f"{{{name}}}"),) if wrong else ()
        lacks = spot.up is not None and spot.up.text("patchType") == kind
        return (spot.required(f"must be specified when patchType is {kind}"),) if lacks else ()

    return always(check)


def _not_empty(spot: Spot) -> Iterable[Refusal]:
    """A list without elements is no list of patches, for nothing tells what it is a list of."""
    text = spot.text().strip()
    empty = re.fullmatch(r"\[\s*\]", text)
    return (spot.invalid("must evaluate to list(JSONPatch) but got list(dyn)", text),) if empty else ()


_OTHER_TYPE: Final = {"JSONPatch": "ApplyConfiguration", "ApplyConfiguration": "JSONPatch"}
_MUTATION: Final[Table] = {
    "patchType": [required_and_one_of("ApplyConfiguration", "JSONPatch")],
    "jsonPatch": [_patch("jsonPatch", "JSONPatch")],
    "jsonPatch.expression": [not_blank(), _speaks_of_policy, _not_empty],
    "applyConfiguration": [_patch("applyConfiguration", "ApplyConfiguration")],
    "applyConfiguration.expression": [not_blank(), _speaks_of_policy],
}
_MUTATING_POLICY: Final[Table] = {
    "spec": [struct, _POLICY],
    "spec.matchConstraints": [_mutating],
    "spec.mutations": [required("mutations must contain at least one item")],
    "spec.mutations[*]": _MUTATION,
    "spec.reinvocationPolicy": [required_and_one_of("IfNeeded", "Never")],
}


@always
def _name_or_selector(spot: Spot) -> Iterable[Refusal]:
    """The parameters are chosen by name or by label; ``spot`` says which."""
    name, selector = spot.child("name"), spot.child("selector")
    if name.text() and selector.there:
        return [each.forbidden("name and selector are mutually exclusive") for each in (name, selector)]
    if name.text() or selector.there or not spot.there:
        return ()
    return (spot.required("one of name or selector must be specified"),)


def _actions(spot: Spot) -> Iterable[Refusal]:
    actions = [item.value for item in spot.items()]
    words = (
        "must not contain both Deny and Warn (repeating the same validation failure information in the API response "
        "and headers serves no purpose)"
    )
    return (spot.invalid(words),) if {"Deny", "Warn"} <= set(actions) else ()


_BINDING: Final[Table] = {
    "spec": [struct],
    "spec.policyName": [required(), well_formed(dns_subdomain)],
    "spec.paramRef": [_name_or_selector],
    "spec.paramRef.name": [well_formed(path_segment)],
    "spec.paramRef.selector": LABEL_SELECTOR,
    "spec.paramRef.parameterNotFoundAction": [required_and_one_of("Deny", "Allow")],
    "spec.matchResources": _MATCH_RESOURCES,
}
_VALIDATING_BINDING: Final[Table] = {
    "": [_BINDING],
    "spec.validationActions": [required("at least one validation action is required"), unique(), _actions],
    "spec.validationActions[*]": [required_one_of("Audit", "Deny", "Warn")],
}
_MUTATING_BINDING: Final[Table] = {"": [_BINDING], "spec.matchResources": [_mutating]}

KINDS: Final[Group] = {
    (_GROUP, "ValidatingAdmissionPolicy"): Rules(_VALIDATING_POLICY, standard_finalizers=False),
    (_GROUP, "ValidatingAdmissionPolicyBinding"): Rules(_VALIDATING_BINDING, standard_finalizers=False),
    (_GROUP, "MutatingAdmissionPolicy"): Rules(_MUTATING_POLICY, standard_finalizers=False),
    (_GROUP, "MutatingAdmissionPolicyBinding"): Rules(_MUTATING_BINDING, standard_finalizers=False),
}
