"""ValidatingAdmissionPolicy, MutatingAdmissionPolicy and their bindings; in expressions only the names are checked.

Mirrors ``pkg/apis/admissionregistration/validation``.
"""

import re
from collections.abc import Iterator
from typing import Final

from kubectl_applylint.core.regex import regex
from kubectl_applylint.server.validate import dsl as v
from kubectl_applylint.server.validate.cel_names import RESERVED, uses_only_variables
from kubectl_applylint.server.validate.groups.admission_rules import (
    REQUEST,
    RULE,
    distinct,
    match_conditions,
    not_blank,
)

_GROUP: Final = "admissionregistration.k8s.io"
_IDENTIFIER: Final = regex("[_a-zA-Z][_a-zA-Z0-9]*")
_MUTATING_OPERATIONS: Final = ("*", "CONNECT", "CREATE", "UPDATE")
_MOST_ANNOTATIONS: Final = 20
_LONGEST_EXPRESSION: Final = 5120
_NOTHING_TO_DO: Final = "validations or auditAnnotations must contain at least one item"


def _version(fld: v.FieldContext) -> v.FieldErrors:
    """Require a version of an API group for the parameters."""
    group, slash, version = fld.text().rpartition("/")
    if "/" in group:
        yield fld.invalid(f"unexpected GroupVersion string: {fld.text()}")
        return
    group_faults = v.join_faults(v.dns_subdomain(group)) if slash and group else ()
    yield from (fld.invalid(fault, group) for fault in group_faults)
    if not version:
        yield fld.invalid("version must be specified")
    else:
        yield from (fld.invalid(fault, version) for fault in v.join_faults(v.dns_1035_label(version)))


def _of_request(fld: v.FieldContext) -> Iterator[str]:
    """Yield the variables of an expression of a policy: ``params`` only if the policy declares their kind."""
    yield from REQUEST
    if fld.nearest(".spec").sets("paramKind"):
        yield "params"


def _of_policy(fld: v.FieldContext) -> Iterator[str]:
    """Yield the variables of an expression that may also use those of the policy."""
    yield from _of_request(fld)
    variables = fld.nearest(".spec").child("variables").items()
    if not all(v.is_known(variable.get("name")) for variable in variables):
        yield "variables"
        return
    if variables:
        yield from ("variables", "variables.")
    own = fld.parent.step if fld.parent.parent.step == ".variables" else ""
    for variable in variables:
        if variable.step == own:
            return  # a variable can use those before it
        if variable.text("expression").strip() or not v.is_known(variable.get("expression")):
            yield f"variables.{variable.text('name')}"


_speaks_of_policy: Final = uses_only_variables(_of_policy)
_speaks_of_object: Final = uses_only_variables(lambda fld: {*_of_policy(fld)} - {"authorizer"})


def _identifier(fld: v.FieldContext) -> v.FieldErrors:
    """Require an identifier as the name of a variable."""
    if not fld.text().strip():
        return ()
    good = _IDENTIFIER.fullmatch(fld.text()) is not None and fld.text() not in RESERVED
    return () if good else (fld.invalid("must be a valid CEL identifier"),)


def _something_to_do(fld: v.FieldContext) -> v.FieldErrors:
    """Require validations or audit annotations of a policy; ``fld`` is the spec."""
    if fld.has("validations") or fld.has("auditAnnotations"):
        return ()
    return [fld.child(name).required(_NOTHING_TO_DO) for name in ("validations", "auditAnnotations")]


@v.always
def _audit_key(fld: v.FieldContext) -> v.FieldErrors:
    """Require a key that, after the policy's name, is a valid annotation key."""
    name = fld.root.text("metadata", "name")
    if not name:
        return (fld.invalid("requires metadata.name be non-empty", fld.text()),)
    whole = f"{name}/{fld.text()}"
    return [fld.invalid(fault, whole) for fault in v.qualified_name(whole)]


def _not_too_long(fld: v.FieldContext) -> v.FieldErrors:
    long = len(fld.text().strip().encode()) > _LONGEST_EXPRESSION
    return (fld.required(f"must not exceed {_LONGEST_EXPRESSION} bytes in length"),) if long else ()


_conditions: Final = v.inside({"matchConditions": match_conditions(_of_request)})


def _new_conditions(fld: v.FieldContext) -> v.FieldErrors:
    """Check the conditions if they or the parameters changed; ``fld`` is the spec."""
    old = fld.before()
    kept = all(v.same(fld.get(name), old.get(name)) for name in ("paramKind", "matchConditions"))
    return () if not fld.creating and kept else _conditions(fld)


_NAMED_RULE: Final[v.Table] = {
    "": [RULE],
    "resourceNames": [v.unique()],
    "resourceNames[*]": [v.well_formed(v.path_segment, even_empty=True)],
}
_MATCH_RESOURCES: Final[v.Table] = {
    "matchPolicy": [v.set_at_all(), v.if_set(v.required_one_of("Equivalent", "Exact"))],
    "namespaceSelector": [v.set_at_all(), v.LABEL_SELECTOR],
    "objectSelector": [v.set_at_all(), v.LABEL_SELECTOR],
    "resourceRules[*]": _NAMED_RULE,
    "excludeResourceRules[*]": _NAMED_RULE,
}


def _mutating(fld: v.FieldContext) -> v.FieldErrors:
    """Forbid mutation of deletes; the path in errors is that of a single rule. ``fld`` has the rules."""
    place = fld.at("resourceRules", "operations")
    for rule in fld.child("resourceRules").items():
        for item in rule.child("operations").items():
            if item.value not in _MUTATING_OPERATIONS:
                yield place.with_value(item.value).not_supported(_MUTATING_OPERATIONS)


_POLICY: Final[v.Table] = {
    "": [_new_conditions],
    "failurePolicy": [v.set_at_all(), v.if_set(v.required_one_of("Fail", "Ignore"))],
    "paramKind.apiVersion": [v.required(), _version],
    "paramKind.kind": [v.required(), v.well_formed(v.kind_name)],
    "matchConstraints": [v.set_at_all(), _MATCH_RESOURCES],
    "matchConstraints.resourceRules": [v.required()],
    "variables[*].name": [not_blank("name is not specified"), _identifier],
    "variables[*].expression": [not_blank("expression is not specified"), _speaks_of_policy],
}
_NOT_ONLY_SPACES: Final = v.must(
    lambda fld: not fld.text() or fld.text().strip() != "", "must be non-empty if specified"
)
_VALIDATING_POLICY: Final[v.Table] = {
    "spec": [v.struct, _POLICY, _something_to_do],
    "spec.validations[*]": {
        "expression": [not_blank("expression is not specified"), _speaks_of_policy],
        "messageExpression": [_NOT_ONLY_SPACES, _speaks_of_object],
        "message": [
            _NOT_ONLY_SPACES,
            v.must(lambda fld: not re.search(r"[\n\r]", fld.text().strip()), "must not contain line breaks"),
        ],
        "reason": [v.if_set(v.required_one_of("Forbidden", "Invalid", "RequestEntityTooLarge"))],
    },
    "spec.auditAnnotations": [
        v.must(
            lambda fld: fld.size() <= _MOST_ANNOTATIONS, f"must not have more than {_MOST_ANNOTATIONS} auditAnnotations"
        ),
        distinct("key"),
    ],
    "spec.auditAnnotations[*]": {
        "key": [_audit_key],
        "valueExpression": [not_blank("valueExpression is not specified"), _not_too_long, _speaks_of_policy],
    },
}


def _patch(name: str, kind: str) -> v.Constraint:
    """Require the expression of one type of patch, and forbid it for other types."""

    def check(fld: v.FieldContext) -> v.FieldErrors:
        if fld.there:
            words = f"must not be specified when patchType is {_OTHER_TYPE[kind]}"
            wrong = fld.parent.text("patchType") == _OTHER_TYPE[kind]
            return (fld.invalid(words, f"{{{name}}}"),) if wrong else ()
        lacks = fld.parent.text("patchType") == kind
        return (fld.required(f"must be specified when patchType is {kind}"),) if lacks else ()

    return v.always(check)


def _not_empty(fld: v.FieldContext) -> v.FieldErrors:
    """Forbid an empty list of patches, since it has no type."""
    text = fld.text().strip()
    empty = re.fullmatch(r"\[\s*\]", text)
    return (fld.invalid("must evaluate to list(JSONPatch) but got list(dyn)", text),) if empty else ()


_OTHER_TYPE: Final = {"JSONPatch": "ApplyConfiguration", "ApplyConfiguration": "JSONPatch"}
_MUTATION: Final[v.Table] = {
    "patchType": [v.required_and_one_of("ApplyConfiguration", "JSONPatch")],
    "jsonPatch": [_patch("jsonPatch", "JSONPatch")],
    "jsonPatch.expression": [not_blank(), _speaks_of_policy, _not_empty],
    "applyConfiguration": [_patch("applyConfiguration", "ApplyConfiguration")],
    "applyConfiguration.expression": [not_blank(), _speaks_of_policy],
}
_MUTATING_POLICY: Final[v.Table] = {
    "spec": [v.struct, _POLICY],
    "spec.matchConstraints": [_mutating],
    "spec.mutations": [v.required("mutations must contain at least one item")],
    "spec.mutations[*]": _MUTATION,
    "spec.reinvocationPolicy": [v.required_and_one_of("IfNeeded", "Never")],
}


@v.always
def _name_or_selector(fld: v.FieldContext) -> v.FieldErrors:
    """Require parameters chosen by either name or label; ``fld`` is the reference."""
    name, selector = fld.child("name"), fld.child("selector")
    if name.text() and selector.there:
        return [each.forbidden("name and selector are mutually exclusive") for each in (name, selector)]
    if name.text() or selector.there or not fld.there:
        return ()
    return (fld.required("one of name or selector must be specified"),)


def _actions(fld: v.FieldContext) -> v.FieldErrors:
    actions = [item.value for item in fld.items()]
    words = (
        "must not contain both Deny and Warn (repeating the same validation failure information in the API response "
        "and headers serves no purpose)"
    )
    return (fld.invalid(words),) if {"Deny", "Warn"} <= set(actions) else ()


_BINDING: Final[v.Table] = {
    "spec": [v.struct],
    "spec.policyName": [v.required(), v.well_formed(v.dns_subdomain)],
    "spec.paramRef": [_name_or_selector],
    "spec.paramRef.name": [v.well_formed(v.path_segment)],
    "spec.paramRef.selector": v.LABEL_SELECTOR,
    "spec.paramRef.parameterNotFoundAction": [v.required_and_one_of("Deny", "Allow")],
    "spec.matchResources": _MATCH_RESOURCES,
}
_VALIDATING_BINDING: Final[v.Table] = {
    "": [_BINDING],
    "spec.validationActions": [v.required("at least one validation action is required"), v.unique(), _actions],
    "spec.validationActions[*]": [v.required_one_of("Audit", "Deny", "Warn")],
}
_MUTATING_BINDING: Final[v.Table] = {"": [_BINDING], "spec.matchResources": [_mutating]}

KINDS: Final[v.Group] = {
    (_GROUP, "ValidatingAdmissionPolicy"): v.Rules(_VALIDATING_POLICY, standard_finalizers=False),
    (_GROUP, "ValidatingAdmissionPolicyBinding"): v.Rules(_VALIDATING_BINDING, standard_finalizers=False),
    (_GROUP, "MutatingAdmissionPolicy"): v.Rules(_MUTATING_POLICY, standard_finalizers=False),
    (_GROUP, "MutatingAdmissionPolicyBinding"): v.Rules(_MUTATING_BINDING, standard_finalizers=False),
}
