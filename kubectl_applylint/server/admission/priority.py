"""Priority: a new pod gets the priority of its PriorityClass, and keeps it.

Mirrors ``plugin/pkg/admission/priority``. If no default class is known, none is assumed to exist.
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
"""The built-in PriorityClasses of every cluster, with their values."""
_PREEMPTING: Final = "PreemptLowerPriority"
_COMPUTED: Final = (("priority", "integer value of priority"), ("preemptionPolicy", "string value of PreemptionPolicy"))
"""The computed fields, and their names in the server's messages."""


def mutate(attributes: AdmissionAttributes) -> Mutation:
    """Return a pod with its priority; a new one is rejected if it sets another, or names an unknown class."""
    spec = mapping(attributes.new.get("spec"))
    if not attributes.creating:
        before = mapping(mapping(attributes.old).get("spec"))
        kept = {name: before[name] for name, _ in _COMPUTED if name in before}
        return Mutation(_with_priority(attributes.new, spec, kept))
    computed = _priority_fields(spec, attributes.cluster_view)
    return Mutation(_with_priority(attributes.new, spec, computed), _denial(attributes, spec, computed))


def assumptions(attributes: AdmissionAttributes) -> tuple[str, ...]:
    """Return the assumption that no default class exists, if a new pod names none and that is unknown."""
    is_open = attributes.creating and mapping(attributes.new.get("spec")).get("priorityClassName") is None
    if not is_open or not isinstance(attributes.cluster_view.all_objects(*PRIORITY_CLASS), Unknown):
        return ()
    return ("no PriorityClass is the default of the cluster",)


def _with_priority(pod: JsonObject, spec: JsonObject, fields: JsonObject) -> JsonObject:
    return with_spec(pod, {name: value for name, value in fields.items() if spec.get(name) is None})


def _priority_fields(spec: JsonObject, cluster_view: ClusterView) -> JsonObject:
    """Return the fields of a new pod's spec that its PriorityClass, or the default one, determines.

    The priority without any class is zero; that of a class that is not known is ``Unknown``.
    """
    name = spec.get("priorityClassName")
    chosen = _class_by_name(name, cluster_view) if name else _default(cluster_view)
    if chosen is not None:
        policy = chosen.get("preemptionPolicy") or _PREEMPTING
        title = dig(chosen, "metadata", "name")
        return {"priorityClassName": title, "priority": chosen.get("value") or 0, "preemptionPolicy": policy}
    if not name or name in _SYSTEM:
        return {"priority": _SYSTEM[name] if name else 0, "preemptionPolicy": _PREEMPTING}
    policy = Unknown(f"the preemption policy of the PriorityClass {name}")
    return {"priority": Unknown(f"the priority of the PriorityClass {name}"), "preemptionPolicy": policy}


def _class_by_name(name: str, cluster_view: ClusterView) -> JsonObject | None:
    found = cluster_view.lookup(*PRIORITY_CLASS, name)
    return found.object if isinstance(found, Present) else None


def _default(cluster_view: ClusterView) -> JsonObject | None:
    """Return the known default PriorityClass with the lowest value, or ``None``."""
    classes = [item for item in cluster_view.known_objects(*PRIORITY_CLASS) if item.get("globalDefault") is True]
    return min(classes, key=lambda item: int(item.get("value") or 0), default=None)


def _denial(attributes: AdmissionAttributes, spec: JsonObject, computed: JsonObject) -> AdmissionDenied | None:
    name = spec.get("priorityClassName")
    if name and name not in _SYSTEM and isinstance(attributes.cluster_view.lookup(*PRIORITY_CLASS, name), Absent):
        return forbidden(attributes, f"no PriorityClass with name {name} was found")
    words = next(_mismatches(spec, computed), "")
    return forbidden(attributes, words) if words else None


def _mismatches(spec: JsonObject, computed: JsonObject) -> Iterator[str]:
    """Yield the server's message for each field that the pod sets differently from the computed value."""
    for field, what in _COMPUTED:
        if _differ(spec.get(field), computed[field]):
            yield (
                f"the {what} ({spec[field]}) must not be provided in pod spec; priority admission controller computed "
                f"{computed[field]} from the given PriorityClass name"
            )


def _differ(given: Json, right: Json) -> bool:
    return given is not None and not isinstance(given, Unknown) and not isinstance(right, Unknown) and given != right
