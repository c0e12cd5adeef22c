"""A pod costs what its RuntimeClass says, and nothing on top without one.

Mirrors ``plugin/pkg/admission/runtimeclass``.
"""

from kubectl_applylint.core.state import Absent, Knowledge, Present, Unknown
from kubectl_applylint.core.values import JsonObject, equal, mapping
from kubectl_applylint.server.classes import RUNTIME, overhead_of
from kubectl_applylint.server.plugins.asked import CONTENT, Asked, Denial, Opinion, forbidden


def refuse(asked: Asked) -> Denial | None:
    """Return why a new pod cannot have the RuntimeClass that it names, ``None`` where it can or where nobody knows."""
    spec = _spec(asked)
    match _class_of(asked, spec):
        case Absent():
            return forbidden(asked, f'pod rejected: RuntimeClass "{spec["runtimeClassName"]}" not found')
        case Present(chosen) if overhead_of(chosen) and not equal(overhead_of(chosen), spec.get("overhead")):
            return forbidden(asked, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead")
        case _:
            return None


def judge(asked: Asked) -> Opinion:
    """Return what is said of a new pod that costs something of itself."""
    spec = _spec(asked)
    known = _class_of(asked, spec)
    has_none = isinstance(known, Present) and not overhead_of(known.object)
    if not spec.get("overhead") or (spec.get("runtimeClassName") and not has_none):
        return CONTENT
    words = "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead"
    return Opinion(forbidden(asked, words))


def _spec(asked: Asked) -> JsonObject:
    """Return the spec of a new pod, an empty one for all else."""
    return mapping(asked.new.get("spec")) if asked.creating and asked.is_a("", "Pod") else {}


def _class_of(asked: Asked, spec: JsonObject) -> Knowledge:
    name = spec.get("runtimeClassName")
    return asked.surroundings.named(*RUNTIME, name) if name else Unknown("it names no RuntimeClass")
