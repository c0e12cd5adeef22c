"""MutatingAdmissionPolicy: policies with a binding may change the object, which is not predicted.

Mirrors which policies ``plugin/policy/mutating`` of apiserver evaluates. Their conditions, parameters and mutations are
not evaluated: each matching policy lowers the confidence, as a webhook does.
"""

from typing import Final

from kubectl_applylint.core.state import Present
from kubectl_applylint.core.values import JsonObject, dig, mapping
from kubectl_applylint.server.admission.attributes import ALLOWED, AdmissionAttributes, AdmissionResult
from kubectl_applylint.server.admission.policy_matching import matches
from kubectl_applylint.server.admission_inputs import MUTATING_BINDING, MUTATING_POLICY

_EXEMPT: Final = (
    *("MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding", "ValidatingAdmissionPolicy"),
    "ValidatingAdmissionPolicyBinding",
)


def validate(attributes: AdmissionAttributes) -> AdmissionResult:
    """Return the policies that may change the object as open questions."""
    if attributes.is_a(MUTATING_POLICY[0], *_EXEMPT):
        return ALLOWED
    bindings = attributes.cluster_view.known_objects(*MUTATING_BINDING)
    names = (dig(binding, "spec", "policyName") for binding in bindings if _may_change(attributes, binding))
    doubts = (f"unknown: what the MutatingAdmissionPolicy {name} changes" for name in names)
    return AdmissionResult(open=tuple(dict.fromkeys(doubts)))


def _may_change(attributes: AdmissionAttributes, binding: JsonObject) -> bool:
    policy = attributes.cluster_view.lookup(*MUTATING_POLICY, str(dig(binding, "spec", "policyName")))
    if not isinstance(policy, Present):
        return False
    criteria = (dig(policy.object, "spec", "matchConstraints"), dig(binding, "spec", "matchResources"))
    return all(matches(attributes, mapping(each)) is not False for each in criteria)
