"""Priority: a new pod has the priority of its PriorityClass, and no other; later it keeps what it has.

Mirrors ``plugin/pkg/admission/priority``. Where no default class is known there is taken to be none.
"""

from collections.abc import Iterator
from typing import Final

from kubectl_applylint.core.state import Absent, ClusterView, Present, Unknown
from kubectl_applylint.core.values import Json, JsonObject, dig, mapping
from kubectl_applylint.server.admission.attributes import (
    AdmissionAttributes,
    AdmissionDenied,
    Mutation,
    forbidden,
    with_spec,
)
from kubectl_applylint.server.admission_inputs import PRIORITY_CLASS

_SYSTEM: Final = {"system-cluster-critical": 2_000_000_000, "system-node-critical": 2_000_001_000}
"""The PriorityClasses that every cluster has, with their values."""
_PREEMPTING: Final = "PreemptLowerPriority"
_COMPUTED: Final = (("priority", "integer value of priority"), ("preemptionPolicy", "string value of PreemptionPolicy"))
"""The fields that are computed, and what the server calls them."""


def mutate(attributes: AdmissionAttributes) -> Mutation:
    """Return a pod with its priority; a new one is refused where it brings another one, or names no class there is."""
    spec = mapping(attributes.new.get("spec"))
    if not attributes.creating:
        before = mapping(mapping(attributes.old).get("spec"))
        kept = {name: before[name] for name, _ in _COMPUTED if name in before}
        return Mutation(_with_priority(attributes.new, spec, kept))
    computed = _priority_fields(spec, attributes.surroundings)
    return Mutation(_with_priority(attributes.new, spec, computed), _denial(attributes, spec, computed))


def assumptions(attributes: AdmissionAttributes) -> tuple[str, ...]:
    """Return that there is taken to be no default class, where a new pod names none and that is not known."""
    is_open = attributes.creating and mapping(attributes.new.get("spec")).get("priorityClassName") is None
    if not is_open or not isinstance(attributes.surroundings.all_objects(*PRIORITY_CLASS), Unknown):
        return ()
    return ("no PriorityClass is the default of the cluster",)


def _with_priority(pod: JsonObject, spec: JsonObject, fields: JsonObject) -> JsonObject:
    return with_spec(pod, {name: value for name, value in fields.items() if spec.get(name) is None})


def _priority_fields(spec: JsonObject, surroundings: ClusterView) -> JsonObject:
    """Return the fields of a new pod's spec that its PriorityClass, or else the default one, decides about.

    Zero is the priority without any class; that of a class that is not known is ``Unknown``.
    """
    name = spec.get("priorityClassName")
    chosen = _class_by_name(name, surroundings) if name else _default(surroundings)
    if chosen is not None:
        policy = chosen.get("preemptionPolicy") or _PREEMPTING
        title = dig(chosen, "metadata", "name")
        return {"priorityClassName": title, "priority": chosen.get("value") or 0, "preemptionPolicy": policy}
    if not name or name in _SYSTEM:
        return {"priority": _SYSTEM[name] if name else 0, "preemptionPolicy": _PREEMPTING}
    policy = Unknown(f"the preemption policy of the PriorityClass {name}")
    return {"priority": Unknown(f"the priority of the PriorityClass {name}"), "preemptionPolicy": policy}


def _class_by_name(name: str, surroundings: ClusterView) -> JsonObject | None:
    found = surroundings.lookup(*PRIORITY_CLASS, name)
    return found.object if isinstance(found, Present) else None


def _default(surroundings: ClusterView) -> JsonObject | None:
    """Return the PriorityClass for pods that name none, of several the lowest; ``None`` where none is known."""
    classes = [item for item in surroundings.known_objects(*PRIORITY_CLASS) if item.get("globalDefault") is True]
    return min(classes, key=lambda item: int(item.get("value") or 0), default=None)


def _denial(attributes: AdmissionAttributes, spec: JsonObject, computed: JsonObject) -> AdmissionDenied | None:
    name = spec.get("priorityClassName")
    if name and name not in _SYSTEM and isinstance(attributes.surroundings.lookup(*PRIORITY_CLASS, name), Absent):
        return forbidden(attributes, f"no PriorityClass with name {name} was found")
    words = next(_mismatches(spec, computed), "")
    return forbidden(attributes, words) if words else None


def _mismatches(spec: JsonObject, computed: JsonObject) -> Iterator[str]:
    """Yield what the server says of each field that the pod brings and that is not what is computed."""
    for field, what in _COMPUTED:
        if _differ(spec.get(field), computed[field]):
            yield (
                f"the {what} ({spec[field]}) must not be provided in pod spec; priority admission controller computed "
                f"{computed[field]} from the given PriorityClass name"
            )


def _differ(given: Json, right: Json) -> bool:
    return given is not None and not isinstance(given, Unknown) and not isinstance(right, Unknown) and given != right
