"""What a server takes from the classes of a cluster: for storage, ingresses, priorities and runtimes.

Mirrors the plugins DefaultStorageClass, DefaultIngressClass, Priority and RuntimeClass of plugin/pkg/admission.
"""

from typing import Final

from kubectl_applylint.core.state import Present, Surroundings, Unknown
from kubectl_applylint.core.values import Json, JsonObject, dig, items, mapping

STORAGE: Final = ("storage.k8s.io", "StorageClass")
INGRESS: Final = ("networking.k8s.io", "IngressClass")
PRIORITY: Final = ("scheduling.k8s.io", "PriorityClass")
RUNTIME: Final = ("node.k8s.io", "RuntimeClass")
SYSTEM: Final = {"system-cluster-critical": 2_000_000_000, "system-node-critical": 2_000_001_000}
"""The PriorityClasses that every cluster has, with their values."""
_PREEMPTING: Final = "PreemptLowerPriority"
_MARKS: Final = {
    STORAGE: ("storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class"),
    INGRESS: ("ingressclass.kubernetes.io/is-default-class",),
}
"""The annotations that make a class of a kind the default one."""


def default_name(kind: tuple[str, str], around: Surroundings) -> str | None:
    """Return the name of the default class that is known, of several the newest one, then the first by name."""
    marked = [item for item in around.known(*kind) if any(_annotation(item, mark) == "true" for mark in _MARKS[kind])]
    newest = sorted(marked, key=lambda item: str(dig(item, "metadata", "creationTimestamp")), reverse=True)
    return str(dig(newest[0], "metadata", "name")) if newest else None


def _annotation(item: JsonObject, name: str) -> Json:
    return mapping(dig(item, "metadata", "annotations")).get(name)


def default_priority(around: Surroundings) -> JsonObject | None:
    """Return the PriorityClass for pods that name none, of several the lowest; ``None`` where none is known."""
    classes = [item for item in around.known(*PRIORITY) if item.get("globalDefault") is True]
    return min(classes, key=lambda item: int(item.get("value") or 0), default=None)


def named(kind: tuple[str, str], name: str, around: Surroundings) -> JsonObject | None:
    """Return a class, ``None`` where nobody knows it."""
    found = around.named(*kind, name)
    return found.object if isinstance(found, Present) else None


def priority_of(spec: JsonObject, around: Surroundings) -> JsonObject:
    """Return the fields of a new pod's spec that its PriorityClass, or else the default one, decides about.

    Zero is the priority without any class; that of a class that nobody knows is ``Unknown``.
    """
    name = spec.get("priorityClassName")
    chosen = named(PRIORITY, name, around) if name else default_priority(around)
    if chosen is not None:
        policy = chosen.get("preemptionPolicy") or _PREEMPTING
        title = dig(chosen, "metadata", "name")
        return {"priorityClassName": title, "priority": chosen.get("value") or 0, "preemptionPolicy": policy}
    if not name or name in SYSTEM:
        return {"priority": SYSTEM[name] if name else 0, "preemptionPolicy": _PREEMPTING}
    policy = Unknown(f"the preemption policy of the PriorityClass {name}")
    return {"priority": Unknown(f"the priority of the PriorityClass {name}"), "preemptionPolicy": policy}


def overhead_of(chosen: JsonObject) -> JsonObject:
    """Return what a RuntimeClass says that running a pod costs, nothing where it says nothing."""
    return mapping(dig(chosen, "overhead", "podFixed"))


def runtime_fields(chosen: JsonObject, spec: JsonObject) -> JsonObject:
    """Return the fields of a pod spec that its RuntimeClass adds to: what it costs and where it may run."""
    fixed = overhead_of(chosen)
    selector = mapping(dig(chosen, "scheduling", "nodeSelector"))
    tolerations = dig(chosen, "scheduling", "tolerations")
    given = spec.get("tolerations") or []
    added = [item for item in items(tolerations) if item not in given]
    return {
        **({"overhead": fixed} if fixed and not spec.get("overhead") else {}),
        **({"nodeSelector": {**mapping(spec.get("nodeSelector")), **selector}} if selector else {}),
        **({"tolerations": [*given, *added]} if added else {}),
    }
