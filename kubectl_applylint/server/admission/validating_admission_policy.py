"""ValidatingAdmissionPolicy: rejections and warnings of policies with their bindings.

Mirrors ``plugin/policy/validating`` of apiserver; a policy whose expressions need unknown values (who applies,
namespaces of parameters) stays open.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.state import Present
from kubectl_applylint.core.values import Json, JsonObject, dig, items, mapping
from kubectl_applylint.server.admission.attributes import (
    ALLOWED,
    INVALID,
    AdmissionAttributes,
    AdmissionDenied,
    AdmissionResult,
)
from kubectl_applylint.server.admission.policy_matching import matches
from kubectl_applylint.server.admission.policy_parameters import parameters
from kubectl_applylint.server.admission_inputs import BINDING, POLICY
from kubectl_applylint.server.validate.custom.evaluation import Evaluation, Failed, Undecided, Value
from kubectl_applylint.server.validate.custom.expressions import evaluate_with

_GROUP: Final = "admissionregistration.k8s.io"
_EXEMPT: Final = (
    *("MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding", "ValidatingAdmissionPolicy"),
    "ValidatingAdmissionPolicyBinding",
)
_STATUS: Final = {"Unauthorized": 401, "Forbidden": 403, "Invalid": INVALID, "RequestEntityTooLarge": 413}
_OPEN: Final = {
    r"\bauthorizer\b": "the permissions of the user are unknown",
    r"\brequest\.userInfo\b": "the user is unknown",
    r"\brequest\.options\b": "the options of the request are unknown",
}
"""The variables of expressions whose values are always unknown."""
_VARIABLE: Final = regex(r"\bvariables\.(\w+)")


@dataclass(frozen=True, slots=True)
class _Denial:
    """The failure of one validation; ``reason`` is empty if it could not be evaluated.

    ``always`` states that the write is denied whatever the actions of the binding are.
    """

    message: str
    reason: str = ""
    always: bool = False


_Finding: TypeAlias = _Denial | Undecided


@dataclass(frozen=True, slots=True)
class _Variables:
    """The values of a policy's variables by name, and the errors of some of them."""

    values: Mapping[str, Json]
    lacking: Mapping[str, Failed | Undecided]


def validate(attributes: AdmissionAttributes) -> AdmissionResult:
    """Return the results of the known policies for a write."""
    bindings = attributes.cluster_view.known_objects(*BINDING)
    if not bindings or attributes.is_a(_GROUP, *_EXEMPT):
        return ALLOWED
    denials: list[AdmissionDenied] = []
    warnings: list[str] = []
    left_open: list[str] = []
    for binding in bindings:
        policy = attributes.cluster_view.lookup(*POLICY, str(dig(binding, "spec", "policyName")))
        if not isinstance(policy, Present):
            continue
        names = f"'{_name(policy.object)}' with binding '{_name(binding)}'"
        actions = items(dig(binding, "spec", "validationActions"))
        for finding in _findings(attributes, policy.object, binding):
            if isinstance(finding, Undecided):
                left_open.append(f"the result of ValidatingAdmissionPolicy {names} is unknown: {finding.why}")
                continue
            if finding.always or "Deny" in actions:
                denials.append(_denial(attributes, f"ValidatingAdmissionPolicy {names} denied request", finding))
            if "Warn" in actions and not finding.always:
                warnings.append(f"Validation failed for ValidatingAdmissionPolicy {names}: {finding.message}")
    return AdmissionResult(denials[0] if denials else None, tuple(warnings), tuple(left_open))


def _name(item: JsonObject) -> str:
    return str(dig(item, "metadata", "name"))


def _denial(attributes: AdmissionAttributes, words: str, failure: _Denial) -> AdmissionDenied:
    reason = failure.reason or "Invalid"
    return AdmissionDenied(
        _STATUS.get(reason, INVALID), (FieldError("", reason, attributes.forbids(f"{words}: {failure.message}")),)
    )


def _findings(attributes: AdmissionAttributes, policy: JsonObject, binding: JsonObject) -> Iterator[_Finding]:
    """Yield the failures of a policy for a write, and its open questions."""
    spec, bound = mapping(policy.get("spec")), mapping(binding.get("spec"))
    meant = [matches(attributes, mapping(each)) for each in (spec.get("matchConstraints"), bound.get("matchResources"))]
    if False in meant:
        return
    if None in meant:
        yield Undecided(f"the labels of the namespace {attributes.namespace} are unknown")
        return
    match parameters(attributes, mapping(spec.get("paramKind")), mapping(bound.get("paramRef"))):
        case Failed(words) if spec.get("failurePolicy") != "Ignore":
            yield _Denial(f"failed to configure binding: {words}", always=True)
        case Failed():
            return
        case Undecided() as undecided:
            scene = _scene(attributes)
            yield from _evaluate_policy(spec, replace(scene, lacking={**scene.lacking, "params": undecided}))
        case found:
            scene = _scene(attributes)
            for given in found:
                yield from _evaluate_policy(spec, replace(scene, values={**scene.values, "params": given}))


def _evaluate_policy(spec: JsonObject, given: _Variables) -> Iterator[_Finding]:
    """Yield the failures of a policy whose expressions use the variables in ``given``."""
    scene = _with_variables(given, spec)
    stopped = _reason_to_skip(spec, scene)
    if stopped is not None:
        yield from _error_findings(stopped, spec)
        return
    for validation in _list_of(spec, "validations"):
        yield from _validate(validation, spec, scene)


def _list_of(spec: JsonObject, name: str) -> list[JsonObject]:
    return [mapping(item) for item in spec.get(name) or []]


_DOES_NOT_MATCH: Final = Value(False)


def _reason_to_skip(spec: JsonObject, scene: _Variables) -> Evaluation | None:
    """Return why the validations are not evaluated, ``None`` if they are: a match condition is false or fails."""
    results = [(each, _evaluate(str(each.get("expression")), scene)) for each in _list_of(spec, "matchConditions")]
    if any(result == _DOES_NOT_MATCH for _, result in results):
        return _DOES_NOT_MATCH
    return next((result for _, result in results if not isinstance(result, Value)), None)


def _error_findings(result: Evaluation, spec: JsonObject) -> Iterator[_Finding]:
    """Yield the failure for an expression that cannot be evaluated; none if errors are ignored."""
    match result:
        case Undecided():
            yield result
        case Failed(words) if spec.get("failurePolicy") != "Ignore":
            yield _Denial(words)
        case _:
            return


def _validate(validation: JsonObject, spec: JsonObject, scene: _Variables) -> Iterator[_Finding]:
    """Yield the failure of one validation, if its expression is not true."""
    expression = str(validation.get("expression"))
    match _evaluate(expression, scene):
        case Value(True):
            return
        case Value():
            yield _Denial(_message(validation, expression, scene), str(validation.get("reason") or "Invalid"))
        case Failed(words):
            failed = Failed(f"expression '{expression}' resulted in error: {words}")
            yield from _error_findings(failed, spec)
        case Undecided() as undecided:
            yield undecided


def _message(validation: JsonObject, expression: str, scene: _Variables) -> str:
    given = validation.get("messageExpression")
    if isinstance(given, str) and given:
        match _evaluate(given, scene):
            case Value(str(words)) if words.strip() and "\n" not in words.strip():
                return words.strip()
            case _:
                pass
    return str(validation.get("message") or "").strip() or f"failed expression: {expression.strip()}"


def _evaluate(expression: str, scene: _Variables) -> Evaluation:
    """Return the value of an expression; the first variable with an error takes precedence."""
    for pattern, why in _OPEN.items():
        if re.search(pattern, expression):
            return Undecided(why)
    spoken = [name for name in scene.lacking if "." not in name and re.search(rf"\b{name}\b", expression)]
    spoken += [f"variables.{name}" for name in _VARIABLE.findall(expression) if f"variables.{name}" in scene.lacking]
    return scene.lacking[spoken[0]] if spoken else evaluate_with(expression, scene.values)


def _scene(attributes: AdmissionAttributes) -> _Variables:
    values: dict[str, Json] = {"object": attributes.new, "oldObject": attributes.old, "request": _request(attributes)}
    namespace = attributes.cluster_view.lookup("", "Namespace", attributes.namespace)
    if not attributes.namespace:
        return _Variables({**values, "namespaceObject": None}, {})
    if isinstance(namespace, Present):
        return _Variables({**values, "namespaceObject": namespace.object}, {})
    return _Variables(values, {"namespaceObject": Undecided(f"the namespace {attributes.namespace} is unknown")})


def _request(attributes: AdmissionAttributes) -> JsonObject:
    """Return the variable ``request`` of expressions."""
    version = attributes.kind.api_version.rpartition("/")[2]
    return {
        "operation": "CREATE" if attributes.creating else "UPDATE",
        "kind": {"group": attributes.group, "version": version, "kind": attributes.kind.name},
        "resource": {"group": attributes.group, "version": version, "resource": attributes.kind.resource},
        "name": attributes.name,
        "namespace": attributes.namespace,
        "dryRun": False,
    }


def _with_variables(scene: _Variables, spec: JsonObject) -> _Variables:
    """Return the variables extended by those of a policy, which may use the ones before them."""
    for variable in _list_of(spec, "variables"):
        name = str(variable.get("name"))
        result = _evaluate(str(variable.get("expression")), scene)
        if isinstance(result, Value):
            known = {**mapping(scene.values.get("variables")), name: result.value}
            scene = replace(scene, values={**scene.values, "variables": known})
        else:
            scene = replace(scene, lacking={**scene.lacking, f"variables.{name}": result})
    return scene
