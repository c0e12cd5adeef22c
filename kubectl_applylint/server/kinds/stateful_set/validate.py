"""StatefulSets: pods with names and storage of their own.

Mirrors ``ValidateStatefulSetSpec`` and ``ValidateStatefulSetUpdate``.
"""

from collections.abc import Iterable
from typing import Final

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.core.values import mapping
from kubectl_applylint.server.validate.claims import CLAIM_SPEC
from kubectl_applylint.server.validate.constraints import (
    at_least,
    on_create,
    required_one_of,
    same,
    since,
    unchangeable,
    until,
    well_formed,
)
from kubectl_applylint.server.validate.field_context import FieldContext, Table, struct
from kubectl_applylint.server.validate.formats import dns_label
from kubectl_applylint.server.validate.pods.spec import POD_TEMPLATE, TEMPLATE_METADATA, never_ending
from kubectl_applylint.server.validate.portions import not_more_than_all, number_or_percent, size_of
from kubectl_applylint.server.validate.rules import Group, Rules
from kubectl_applylint.server.validate.selectors import (
    LABEL_SELECTOR,
    if_selector_is_usable,
    matches_template,
    required_selector,
)
from kubectl_applylint.server.validate.walk import inside

_TEMPLATE_CHECKED_SINCE: Final = 34
_HISTORY_CHANGEABLE_SINCE: Final = 33
_FIELD_BY_FIELD_SINCE: Final = 37
"""From this version on the server names the field that may not change."""
_CHANGEABLE: Final = (
    *("replicas", "ordinals", "template", "updateStrategy", "revisionHistoryLimit"),
    *("persistentVolumeClaimRetentionPolicy", "minReadySeconds"),
)
_RETAIN_OR_DELETE: Final = required_one_of("Retain", "Delete")

_ROLLING: Final = inside(
    {
        "partition": [at_least(0)],
        "maxUnavailable": [
            number_or_percent,
            lambda fld: () if size_of(fld.value) else (fld.invalid("cannot be 0"),),
            not_more_than_all,
        ],
    }
)


def _update_strategy(fld: FieldContext) -> Iterable[FieldError]:
    """How a StatefulSet gets from old pods to new ones; ``fld`` is the strategy."""
    rolling = fld.child("rollingUpdate")
    match fld.text("type"):
        case "OnDelete":
            words = "only allowed for updateStrategy 'RollingUpdate'"
            return (rolling.invalid(words),) if rolling.there else ()
        case "RollingUpdate":
            return _ROLLING(rolling) if rolling.there else ()
        case _:
            return (fld.invalid("must be 'RollingUpdate' or 'OnDelete'"),)


def _management_policy(fld: FieldContext) -> Iterable[FieldError]:
    known = fld.value in ("OrderedReady", "Parallel")
    return () if known else (fld.invalid("must be 'OrderedReady' or 'Parallel'"),)


def _other_fields_unchanged(fld: FieldContext) -> Iterable[FieldError]:
    """Of a stored StatefulSet only some fields may change; ``fld`` is the spec."""
    changeable = [name for name in _CHANGEABLE if name != "revisionHistoryLimit" or _can_change_history(fld)]
    new, old = mapping(fld.value), mapping(fld.old)
    kept = {**new, **{name: old.get(name) for name in changeable}}
    if fld.creating or same(kept, dict(old)):
        return ()
    names = ", ".join(f"'{name}'" for name in changeable[:-1]) + f" and '{changeable[-1]}'"
    return (fld.forbidden(f"updates to statefulset spec for fields other than {names} are forbidden"),)


def _can_change_history(fld: FieldContext) -> bool:
    return fld.occasion.minor >= _HISTORY_CHANGEABLE_SINCE


_TEMPLATE: Final = inside(POD_TEMPLATE)
_TEMPLATE_METADATA: Final = inside({"metadata": TEMPLATE_METADATA})


def _as_made(spec: FieldContext) -> FieldContext:
    """Return the template as pods are made of it: with the claims as volumes, without names that pods get anyway."""
    template = spec.child("template")
    pod = {key: value for key, value in mapping(template.get("spec")).items() if key not in ("subdomain", "hostname")}
    names = dict.fromkeys(claim.text("metadata", "name") for claim in spec.child("volumeClaimTemplates").items())
    claimed = [{"name": name, "persistentVolumeClaim": {"claimName": name}} for name in names]
    others = [volume for volume in pod.get("volumes") or [] if volume.get("name", "") not in names]
    return template.with_value({**mapping(template.value), "spec": {**pod, "volumes": claimed + others}})


def _template(fld: FieldContext) -> Iterable[FieldError]:
    """The template is right; of one that is stored wrong only the metadata are looked at. ``fld`` is the spec."""
    if fld.occasion.minor >= _TEMPLATE_CHECKED_SINCE:
        refusals = list(_TEMPLATE(_as_made(fld)))
        if not refusals or fld.creating or not _is_stored_wrong(fld.before()):
            return refusals
    return _TEMPLATE_METADATA(fld.child("template"))


def _is_stored_wrong(stored: FieldContext) -> bool:
    return any(True for check in (_SPEC, lambda spec: _TEMPLATE(_as_made(spec))) for _ in check(stored))


_SPEC: Final = inside(
    {
        "podManagementPolicy": [_management_policy],
        "updateStrategy": [struct, _update_strategy],
        "persistentVolumeClaimRetentionPolicy.whenDeleted": [_RETAIN_OR_DELETE],
        "persistentVolumeClaimRetentionPolicy.whenScaled": [_RETAIN_OR_DELETE],
        "replicas": [at_least(0)],
        "minReadySeconds": [at_least(0)],
        "ordinals.start": [at_least(0)],
        "selector": [required_selector("statefulset"), LABEL_SELECTOR],
        "": [if_selector_is_usable("", {"": [matches_template]})],
        "template": [struct, never_ending("StatefulSet")],
    }
)

_STATEFUL_SET: Final[Table] = {
    "spec": [struct, _SPEC, _template, until(_FIELD_BY_FIELD_SINCE - 1, _other_fields_unchanged)],
    "spec.volumeClaimTemplates": [since(_FIELD_BY_FIELD_SINCE, unchangeable)],
    "spec.volumeClaimTemplates[*].spec": [
        struct,
        since(_TEMPLATE_CHECKED_SINCE, on_create(inside(CLAIM_SPEC))),
    ],
    "spec.serviceName": [
        since(_HISTORY_CHANGEABLE_SINCE, on_create(well_formed(dns_label))),
        since(_FIELD_BY_FIELD_SINCE, unchangeable),
    ],
    "spec.selector": [since(_FIELD_BY_FIELD_SINCE, unchangeable)],
    "spec.podManagementPolicy": [since(_FIELD_BY_FIELD_SINCE, unchangeable)],
}

KINDS: Final[Group] = {("apps", "StatefulSet"): Rules(_STATEFUL_SET, name=dns_label)}
"""The rules of StatefulSets."""
