"""A new pod has the priority of its PriorityClass, and no other.

Mirrors ``plugin/pkg/admission/priority``. Where no default class is known there is taken to be none.
"""

from typing import Final

from kubectl_applylint.core.state import Absent, Unknown
from kubectl_applylint.core.values import Json, JsonObject, mapping
from kubectl_applylint.server import classes
from kubectl_applylint.server.plugins.asked import Asked, Denial, forbidden

_DECIDED: Final = (("priority", "integer value of priority"), ("preemptionPolicy", "string value of PreemptionPolicy"))


def refuse(asked: Asked) -> Denial | None:
    """Return why a new pod cannot have the priority that it brings, ``None`` where it can or where nobody knows."""
    if not asked.creating or not asked.is_a("", "Pod"):
        return None
    spec, around = mapping(asked.new.get("spec")), asked.surroundings
    name = spec.get("priorityClassName")
    if name and name not in classes.SYSTEM and isinstance(around.named(*classes.PRIORITY, name), Absent):
        return forbidden(asked, f"no PriorityClass with name {name} was found")
    words = _words(spec, classes.priority_of(spec, around))
    return forbidden(asked, words) if words else None


def _words(spec: JsonObject, right: JsonObject) -> str:
    for field, what in _DECIDED:
        if _differ(spec.get(field), right[field]):
            return (
                f"the {what} ({spec[field]}) must not be provided in pod spec; priority admission controller computed "
                f"{right[field]} from the given PriorityClass name"
            )
    return ""


def _differ(given: Json, right: Json) -> bool:
    return given is not None and not isinstance(given, Unknown) and not isinstance(right, Unknown) and given != right
