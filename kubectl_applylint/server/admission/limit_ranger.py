"""LimitRanger: defaults and limits for the resources of new pods and the size of claims.

Mirrors ``plugin/pkg/admission/limitranger``; errors that the server lists in the order of a Go map are sorted by name.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import JsonObject, dig, mapping, objects_at
from kubectl_applylint.server.admission.amounts import Amount, Amounts, amounts, pod_amounts, resources_of
from kubectl_applylint.server.admission.attributes import (
    ALLOWED,
    AdmissionAttributes,
    AdmissionResult,
    Mutation,
    forbidden,
)

_ANNOTATION: Final = "kubernetes.io/limit-ranger"
_LISTS: Final = (("containers", "container"), ("initContainers", "init container"))


def mutate(attributes: AdmissionAttributes) -> Mutation:
    """Return a new pod with the default resources of the limit ranges of its namespace."""
    pod = attributes.new
    if attributes.creating and attributes.is_a("", "Pod"):
        for limits in attributes.cluster_view.known_objects("", "LimitRange", attributes.namespace):
            pod = _with_defaults(pod, limits)
    return Mutation(pod)


def assumptions(attributes: AdmissionAttributes) -> tuple[str, ...]:
    """Return the assumption that no limit range sets resources of a new pod, if not all are known."""
    is_open = attributes.creating and attributes.is_a("", "Pod")
    known = attributes.cluster_view.all_objects("", "LimitRange", attributes.namespace)
    return ("no LimitRange of the namespace sets resources",) if is_open and isinstance(known, Unknown) else ()


def _with_defaults(pod: JsonObject, limits: JsonObject) -> JsonObject:
    """Return a pod with the defaults of one limit range, and the annotation that lists them."""
    items = [item for item in objects_at(limits, "spec", "limits") if item.get("type") == "Container"]
    sides = {
        "requests": {name: text for item in items for name, text in mapping(item.get("defaultRequest")).items()},
        "limits": {name: text for item in items for name, text in mapping(item.get("default")).items()},
    }
    spec, notes = dict(mapping(pod.get("spec"))), []
    for name, noun in _LISTS:
        notes += [words for container in spec.get(name) or [] for words in _missing_resources(container, noun, sides)]
        if spec.get(name):
            spec[name] = [_with_default_resources(container, sides) for container in spec[name]]
    if not notes:
        return pod
    metadata = mapping(pod.get("metadata"))
    annotations = {**mapping(metadata.get("annotations")), _ANNOTATION: f"LimitRanger plugin set: {'; '.join(notes)}"}
    return {**pod, "metadata": {**metadata, "annotations": annotations}, "spec": spec}


def _with_default_resources(container: JsonObject, sides: JsonObject) -> JsonObject:
    resources = mapping(container.get("resources"))
    filled = {side: {**given, **mapping(resources.get(side))} for side, given in sides.items()}
    return {**container, "resources": {**resources, **{side: given for side, given in filled.items() if given}}}


def _missing_resources(container: JsonObject, noun: str, sides: JsonObject) -> Iterator[str]:
    """Yield a text for each side, requests and limits, that lists the defaults that a container does not set."""
    for side, given in sides.items():
        missing = sorted({*given} - {*mapping(dig(container, "resources", side))})
        if missing:
            yield f"{', '.join(missing)} {side.removesuffix('s')} for {noun} {container.get('name')}"


def validate(attributes: AdmissionAttributes) -> AdmissionResult:
    """Reject an object that violates a limit range of its namespace; live pods and deleted objects are not checked."""
    bounded = attributes.is_a("", "PersistentVolumeClaim") or (attributes.is_a("", "Pod") and attributes.creating)
    if not bounded or isinstance(dig(attributes.old, "metadata", "deletionTimestamp"), str):
        return ALLOWED
    for limits in attributes.cluster_view.known_objects("", "LimitRange", attributes.namespace):
        found = list(dict.fromkeys(_faults(attributes, limits)))
        if found:
            return AdmissionResult(forbidden(attributes, found[0] if len(found) == 1 else f"[{', '.join(found)}]"))
    return ALLOWED


def _faults(attributes: AdmissionAttributes, limits: JsonObject) -> Iterator[str]:
    """Yield the violations of one limit range by an object."""
    for item in objects_at(limits, "spec", "limits"):
        kind, spec = str(item.get("type")), mapping(attributes.new.get("spec"))
        if kind == "Container" and attributes.is_a("", "Pod"):
            for container in (*(spec.get("containers") or []), *(spec.get("initContainers") or [])):
                yield from _bound_faults(
                    kind, item, resources_of(container, "requests"), resources_of(container, "limits")
                )
        elif kind == "Pod" and attributes.is_a("", "Pod"):
            yield from _bound_faults(
                kind,
                item,
                pod_amounts(spec, "requests", attributes.minor),
                pod_amounts(spec, "limits", attributes.minor),
            )
        elif kind == "PersistentVolumeClaim" and attributes.is_a("", kind):
            requests = resources_of(spec, "requests")
            yield from _min_faults(kind, item, requests, {})
            yield from _most_requested(kind, item, requests)


def _bound_faults(kind: str, item: JsonObject, requests: Amounts, limits: Amounts) -> Iterator[str]:
    yield from _min_faults(kind, item, requests, limits)
    yield from _max_faults(kind, item, requests, limits)
    yield from _ratio_faults(kind, item, requests, limits)


def _sorted_amounts(item: JsonObject, name: str) -> list[tuple[str, Amount]]:
    return sorted(amounts(item.get(name)).items())


def _min_faults(kind: str, item: JsonObject, requests: Amounts, limits: Amounts) -> Iterator[str]:
    for name, bound in _sorted_amounts(item, "min"):
        words = f"minimum {name} usage per {kind} is {bound}"
        if name not in requests:
            yield f"{words}.  No request is specified"
        elif requests[name].number < bound.number:
            yield f"{words}, but request is {requests[name]}"
        elif name in limits and limits[name].number < bound.number:
            yield f"{words}, but limit is {limits[name]}"


def _max_faults(kind: str, item: JsonObject, requests: Amounts, limits: Amounts) -> Iterator[str]:
    for name, bound in _sorted_amounts(item, "max"):
        words = f"maximum {name} usage per {kind} is {bound}"
        if name not in limits:
            yield f"{words}.  No limit is specified"
        elif limits[name].number > bound.number:
            yield f"{words}, but limit is {limits[name]}"
        elif name in requests and requests[name].number > bound.number:
            yield f"{words}, but request is {requests[name]}"


def _most_requested(kind: str, item: JsonObject, requests: Amounts) -> Iterator[str]:
    for name, bound in _sorted_amounts(item, "max"):
        words = f"maximum {name} usage per {kind} is {bound}"
        if name not in requests:
            yield f"{words}.  No request is specified"
        elif requests[name].number > bound.number:
            yield f"{words}, but request is {requests[name]}"


def _ratio_faults(kind: str, item: JsonObject, requests: Amounts, limits: Amounts) -> Iterator[str]:
    for name, bound in _sorted_amounts(item, "maxLimitRequestRatio"):
        words = f"{name} max limit to request ratio per {kind} is {bound}"
        request, limit = (side[name].number if name in side else Fraction(0) for side in (requests, limits))
        if not request:
            yield f"{words}, but no request is specified or request is 0"
        elif not limit:
            yield f"{words}, but no limit is specified or limit is 0"
        elif limit / request > bound.number:
            yield f"{words}, but provided ratio is {float(limit / request):f}"
