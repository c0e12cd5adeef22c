"""PriorityClass, and the names of Workloads and PodGroups.

Mirrors ``pkg/apis/scheduling/validation``.
"""

from typing import Final

from kubectl_applylint.server.validate import dsl as v

_HIGHEST: Final = 1_000_000_000
_SYSTEM: Final = "system-"
_SYSTEM_CLASSES: Final = {"system-node-critical": 2_000_001_000, "system-cluster-critical": 2_000_000_000}


def _known_system_class(fld: v.FieldContext) -> v.FieldErrors:
    """Require one of Kubernetes' classes for a name with the system prefix; ``fld`` is the object."""
    name = fld.text("metadata", "name")
    if not name.startswith(_SYSTEM):
        return ()
    fault = _fault_of_system_class(fld, name, _SYSTEM_CLASSES.get(name))
    words = f"priority class names with '{_SYSTEM}' prefix are reserved for system use only. error: {fault}"
    return (fld.at("metadata", "name").forbidden(words),) if fault else ()


def _fault_of_system_class(fld: v.FieldContext, name: str, value: int | None) -> str:
    if value is None:
        return f"{name} is not a known system priority class"
    if fld.number("value") != value:
        return f"value of {name} PriorityClass must be {value}"
    return f"globalDefault of {name} PriorityClass must be false" if fld.flag("globalDefault") else ""


def _not_above_system(fld: v.FieldContext) -> v.FieldErrors:
    too_high = fld.number() > _HIGHEST and not fld.root.text("metadata", "name").startswith(_SYSTEM)
    return (fld.forbidden(f"maximum allowed value of a user defined priority is {_HIGHEST}"),) if too_high else ()


@v.always
def _immutable_value(fld: v.FieldContext) -> v.FieldErrors:
    """Forbid changes of the value; an absent one is 0."""
    return () if fld.number() == fld.before().number() else (fld.forbidden("may not be changed in an update."),)


_PRIORITY_CLASS: Final[v.Table] = {
    "": [v.on_create(_known_system_class)],
    "value": [v.on_create(_not_above_system), v.on_update(_immutable_value)],
    "preemptionPolicy": [v.on_create(v.if_set(v.required_and_one_of("PreemptLowerPriority", "Never"))), v.unchangeable],
}

KINDS: Final[v.Group] = {("scheduling.k8s.io", "PriorityClass"): v.Rules(_PRIORITY_CLASS)}
