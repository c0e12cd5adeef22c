"""Changes of the pod template of a Job, which are allowed only while it is suspended.

Mirrors ``validatePodTemplateUpdate`` and ``validationOptionsForJob``.
"""

from typing import Final

from kubectl_applylint.core.values import Json, JsonObject, mapping
from kubectl_applylint.server.validate import dsl as v

_RESOURCES_SINCE: Final = 36
"""The version since which suspended Jobs that ran before may change, also in their resources."""
_SCHEDULING: Final = ("nodeSelector", "tolerations", "schedulingGates")


def same_template(fld: v.FieldContext) -> v.FieldErrors:
    """Reject changes of the pod template that are not allowed for the stored Job; ``fld`` is the spec."""
    if fld.creating:
        return ()
    template = fld.child("template")
    old = mapping(template.old)
    job = fld.up.before() if fld.up is not None else fld
    if _may_reschedule(job):
        old = _with_scheduling(old, mapping(template.value))
    if job.occasion.minor < _RESOURCES_SINCE or not _is_idle(job):
        return () if v.same(mapping(template.value), old) else (template.immutable(),)
    spec, old_spec = template.child("spec").with_step(".spec"), mapping(old.get("spec"))
    return () if v.same(mapping(spec.value), _with_resources(old_spec, mapping(spec.value))) else (spec.immutable(),)


def _is_idle(job: v.FieldContext) -> bool:
    """Return whether a stored Job is suspended and has no running pods."""
    suspended = any(
        each.get("type") == "Suspended" and each.get("status") == "True"
        for each in job.at("status", "conditions").items()
    )
    return job.flag("spec", "suspend") and (suspended or not _has_started(job)) and job.number("status", "active") == 0


def _has_started(job: v.FieldContext) -> bool:
    return job.sets("status", "startTime")


def _may_reschedule(job: v.FieldContext) -> bool:
    if job.occasion.minor >= _RESOURCES_SINCE:
        return _is_idle(job)
    return job.flag("spec", "suspend") and not _has_started(job)


def _with_scheduling(old: JsonObject, new: JsonObject) -> JsonObject:
    """Return the stored template with the scheduling fields of the new one."""
    old_spec, new_spec = mapping(old.get("spec")), mapping(new.get("spec"))
    metadata = {**mapping(old.get("metadata")), **_parts(new.get("metadata"), ("labels", "annotations"))}
    affinity = _with_node_affinity(mapping(old_spec.get("affinity")), new_spec.get("affinity"))
    spec = {**old_spec, **_parts(new_spec, _SCHEDULING), "affinity": affinity}
    is_bare = all(map(v.is_absent, metadata.values()))
    return {**old, "metadata": None if is_bare else metadata, "spec": spec}


def _parts(value: Json, names: tuple[str, ...]) -> JsonObject:
    return {name: mapping(value).get(name) for name in names}


def _with_node_affinity(old: JsonObject, new: Json) -> Json:
    merged = {**old, "nodeAffinity": mapping(new).get("nodeAffinity")}
    return None if v.is_absent(new) and all(map(v.is_absent, merged.values())) else merged


def _with_resources(old: JsonObject, new: JsonObject) -> JsonObject:
    """Return the stored pod spec with the resources of the new one, for containers of equal position and name."""
    return {
        **old,
        **{kind: _with_container_resources(old.get(kind), new.get(kind)) for kind in ("containers", "initContainers")},
    }


def _with_container_resources(old: Json, new: Json) -> Json:
    if not old or len(old) != len(new or []):
        return old
    return [
        {**before, "resources": after.get("resources")} if before.get("name") == after.get("name") else before
        for before, after in zip(old, new, strict=True)
    ]
