"""RuntimeClass: sets the overhead of a pod to that of its RuntimeClass, and to nothing without one.

Mirrors ``plugin/pkg/admission/runtimeclass``.
"""

from kubectl_applylint.core.state import Absent, Present, Unknown
from kubectl_applylint.core.values import JsonObject, dig, equal, items, mapping
from kubectl_applylint.server.admission.attributes import (
    ALLOWED,
    AdmissionAttributes,
    AdmissionResult,
    Mutation,
    forbidden,
    with_spec,
)
from kubectl_applylint.server.admission_inputs import RUNTIME_CLASS


def mutate(attributes: AdmissionAttributes) -> Mutation:
    """Return a new pod with the fields of its RuntimeClass; rejected if the class is missing or contradicts the pod."""
    spec = mapping(attributes.new.get("spec"))
    name = spec.get("runtimeClassName")
    if not attributes.creating or not name:
        return Mutation(attributes.new)
    match attributes.cluster_view.lookup(*RUNTIME_CLASS, name):
        case Present(chosen):
            result = with_spec(attributes.new, _added_fields(chosen, spec))
            given, fixed = spec.get("overhead"), _overhead_of(chosen)
            if not given or not fixed or equal(fixed, given):
                return Mutation(result)
            words = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead"
            return Mutation(result, forbidden(attributes, words))
        case Absent():
            words = f'pod rejected: RuntimeClass "{name}" not found'
            return Mutation(_with_unknown_overhead(attributes.new, name), forbidden(attributes, words))
        case Unknown():
            return Mutation(_with_unknown_overhead(attributes.new, name))


def validate(attributes: AdmissionAttributes) -> AdmissionResult:
    """Reject a new pod with an overhead that its RuntimeClass does not define."""
    spec = mapping(attributes.new.get("spec"))
    if not attributes.creating or not spec.get("overhead"):
        return ALLOWED
    name = spec.get("runtimeClassName")
    known = attributes.cluster_view.lookup(*RUNTIME_CLASS, name) if name else Unknown("it names no RuntimeClass")
    has_none = isinstance(known, Present) and not _overhead_of(known.object)
    if spec.get("runtimeClassName") and not has_none:
        return ALLOWED
    words = "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead"
    return AdmissionResult(forbidden(attributes, words))


def _overhead_of(chosen: JsonObject) -> JsonObject:
    """Return the overhead that a RuntimeClass declares, or nothing."""
    return mapping(dig(chosen, "overhead", "podFixed"))


def _with_unknown_overhead(pod: JsonObject, name: str) -> JsonObject:
    if mapping(pod.get("spec")).get("overhead"):
        return pod
    return with_spec(pod, {"overhead": Unknown(f"the overhead that the RuntimeClass {name} states, if any")})


def _added_fields(chosen: JsonObject, spec: JsonObject) -> JsonObject:
    """Return the fields of a pod spec that its RuntimeClass changes: overhead and scheduling."""
    fixed = _overhead_of(chosen)
    selector = mapping(dig(chosen, "scheduling", "nodeSelector"))
    tolerations = dig(chosen, "scheduling", "tolerations")
    given = spec.get("tolerations") or []
    added = [item for item in items(tolerations) if item not in given]
    return {
        **({"overhead": fixed} if fixed and not spec.get("overhead") else {}),
        **({"nodeSelector": {**mapping(spec.get("nodeSelector")), **selector}} if selector else {}),
        **({"tolerations": [*given, *added]} if added else {}),
    }
