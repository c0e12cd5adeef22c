"""Validation of StatefulSets.

Mirrors ``ValidateStatefulSetSpec`` and ``ValidateStatefulSetUpdate``.
"""

from typing import Final

from kubectl_applylint.core.values import Json, mapping
from kubectl_applylint.server.validate import dsl as v
from kubectl_applylint.server.validate.groups.claims import CLAIM_SPEC
from kubectl_applylint.server.validate.pods.spec import POD_TEMPLATE, TEMPLATE_METADATA, never_ending

_TEMPLATE_CHECKED_SINCE: Final = 34
_HISTORY_CHANGEABLE_SINCE: Final = 33
_FIELD_BY_FIELD_SINCE: Final = 37
"""The version since which the server names the immutable field in its error."""
_CHANGEABLE: Final = (
    *("replicas", "ordinals", "template", "updateStrategy", "revisionHistoryLimit"),
    *("persistentVolumeClaimRetentionPolicy", "minReadySeconds"),
)
_RETAIN_OR_DELETE: Final = v.required_one_of("Retain", "Delete")

_ROLLING: Final = v.inside(
    {
        "partition": [v.at_least(0)],
        "maxUnavailable": [
            v.number_or_percent,
            lambda fld: () if v.size_of(fld.value) else (fld.invalid("cannot be 0"),),
            v.not_more_than_all,
        ],
    }
)


def _update_strategy(fld: v.FieldContext) -> v.FieldErrors:
    """Validate the update strategy; ``fld`` is the strategy."""
    rolling = fld.child("rollingUpdate")
    match fld.text("type"):
        case "OnDelete":
            words = "only allowed for updateStrategy 'RollingUpdate'"
            return (rolling.invalid(words),) if rolling.there else ()
        case "RollingUpdate":
            return _ROLLING(rolling) if rolling.there else ()
        case _:
            return (fld.invalid("must be 'RollingUpdate' or 'OnDelete'"),)


def _other_fields_unchanged(fld: v.FieldContext) -> v.FieldErrors:
    """Reject changes of immutable fields; ``fld`` is the spec."""
    changeable = [name for name in _CHANGEABLE if name != "revisionHistoryLimit" or _can_change_history(fld)]
    new, old = mapping(fld.value), mapping(fld.old)
    kept = {**new, **{name: old.get(name) for name in changeable}}
    if fld.creating or v.same(kept, dict(old)):
        return ()
    names = ", ".join(f"'{name}'" for name in changeable[:-1]) + f" and '{changeable[-1]}'"
    return (fld.forbidden(f"updates to statefulset spec for fields other than {names} are forbidden"),)


def _can_change_history(fld: v.FieldContext) -> bool:
    return fld.occasion.minor >= _HISTORY_CHANGEABLE_SINCE


_TEMPLATE: Final = v.inside(POD_TEMPLATE)
_TEMPLATE_METADATA: Final = v.inside({"metadata": TEMPLATE_METADATA})


def _pod_template(spec: v.FieldContext) -> v.FieldContext:
    """Return the template of the created pods: with the claims as volumes, without names that pods get anyway."""
    template = spec.child("template")
    pod = {key: value for key, value in mapping(template.get("spec")).items() if key not in ("subdomain", "hostname")}
    names = dict.fromkeys(map(_name_of_claim, spec.child("volumeClaimTemplates").items()))
    claimed = [{"name": name, "persistentVolumeClaim": {"claimName": name}} for name in names]
    others = [volume for volume in pod.get("volumes") or [] if volume.get("name", "") not in names]
    return template.with_value({**mapping(template.value), "spec": {**pod, "volumes": claimed + others}})


def _name_of_claim(claim: v.FieldContext) -> Json:
    """Return the name of a claim, the empty one if it has none; it may be unknown."""
    return claim.get("metadata", "name") if claim.sets("metadata", "name") else ""


def _pod_template_faults(fld: v.FieldContext) -> v.FieldErrors:
    """Validate the template; of one that is stored invalid only the metadata are checked. ``fld`` is the spec."""
    if fld.occasion.minor >= _TEMPLATE_CHECKED_SINCE:
        refusals = list(_TEMPLATE(_pod_template(fld)))
        if not refusals or fld.creating or not _is_stored_invalid(fld.before()):
            return refusals
    return _TEMPLATE_METADATA(fld.child("template"))


def _is_stored_invalid(stored: v.FieldContext) -> bool:
    return any(True for check in (_SPEC, lambda spec: _TEMPLATE(_pod_template(spec))) for _ in check(stored))


_SPEC: Final = v.inside(
    {
        "podManagementPolicy": [
            v.must(lambda fld: fld.value in ("OrderedReady", "Parallel"), "must be 'OrderedReady' or 'Parallel'")
        ],
        "updateStrategy": [v.struct, _update_strategy],
        "persistentVolumeClaimRetentionPolicy.whenDeleted": [_RETAIN_OR_DELETE],
        "persistentVolumeClaimRetentionPolicy.whenScaled": [_RETAIN_OR_DELETE],
        "replicas": [v.at_least(0)],
        "minReadySeconds": [v.at_least(0)],
        "ordinals.start": [v.at_least(0)],
        "selector": [v.required_selector("statefulset"), v.LABEL_SELECTOR],
        "": [v.if_selector_is_usable("", {"": [v.matches_template]})],
        "template": [v.struct, never_ending("StatefulSet")],
    }
)

_STATEFUL_SET: Final[v.Table] = {
    "spec": [v.struct, _SPEC, _pod_template_faults, v.until(_FIELD_BY_FIELD_SINCE - 1, _other_fields_unchanged)],
    "spec.volumeClaimTemplates": [v.since(_FIELD_BY_FIELD_SINCE, v.unchangeable)],
    "spec.volumeClaimTemplates[*].spec": [
        v.struct,
        v.since(_TEMPLATE_CHECKED_SINCE, v.on_create(v.inside(CLAIM_SPEC))),
    ],
    "spec.serviceName": [
        v.since(_HISTORY_CHANGEABLE_SINCE, v.on_create(v.well_formed(v.dns_label))),
        v.since(_FIELD_BY_FIELD_SINCE, v.unchangeable),
    ],
    "spec.selector": [v.since(_FIELD_BY_FIELD_SINCE, v.unchangeable)],
    "spec.podManagementPolicy": [v.since(_FIELD_BY_FIELD_SINCE, v.unchangeable)],
}

KINDS: Final[v.Group] = {("apps", "StatefulSet"): v.Rules(_STATEFUL_SET, name=v.dns_label)}
"""The rules of StatefulSets."""
