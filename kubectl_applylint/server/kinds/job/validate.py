"""Validation of Jobs.

Mirrors ``pkg/apis/batch/validation`` and the options that ``pkg/registry/batch/job`` sets.
"""

from typing import Final

from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import Json, Missing, mapping
from kubectl_applylint.server.kinds.job.validate_spec import JOB_SPEC, is_indexed
from kubectl_applylint.server.kinds.job.validate_suspended import same_template
from kubectl_applylint.server.validate import dsl as v

_PREFIX: Final = "batch.kubernetes.io/"
_NEW_UID: Final = "(the uid of the new Job)"
"""A placeholder for the uid of a new Job, which differs from every uid in a manifest."""

_LABELS_ONCE_SINCE: Final = 37
"""The version since which the server checks its own labels and selector only at creation."""


def _own_labels(fld: v.FieldContext) -> v.FieldErrors:
    """Require the server's labels and selector, unless ``manualSelector`` is set; ``fld`` is the Job."""
    spec, labels = fld.child("spec"), fld.at("spec", "template", "metadata", "labels")
    is_settled = not fld.creating and fld.occasion.minor >= _LABELS_ONCE_SINCE
    is_manual = spec.flag("manualSelector") or not v.is_known(spec.get("manualSelector"))
    if is_settled or is_manual or not spec.sets("selector"):
        return
    expected = _expected_labels(fld)
    for key, value in expected.items():
        label = labels.entry(key)
        if not label.there:
            yield label.required(f"must be '{value}'")
        elif v.is_known(value) and v.is_known(label.value) and label.value != value:
            yield label.invalid(f"must be '{value}'", labels.value)
    selector = _with_new_uid(spec.get("selector")) if fld.creating else spec.get("selector")
    if v.is_usable(spec.get("selector")) and not v.chooses(selector, expected):
        yield spec.child("selector").invalid("`selector` not auto-generated")


def _expected_labels(fld: v.FieldContext) -> dict[str, Json]:
    """Return the server's labels of the pods of a Job; those from before 1.27 do not have half of them."""
    uid, name = fld.get("metadata", "uid"), fld.at("metadata", "name")
    uid = _NEW_UID if fld.creating and not v.is_known(uid) else uid
    old = fld.before().at("spec", "template", "metadata", "labels")
    prefixed = fld.creating or all(old.sets(f"{_PREFIX}{key}") for key in ("controller-uid", "job-name"))
    labels = {"controller-uid": uid, "job-name": name.value if name.there else ""}
    return labels | ({f"{_PREFIX}{key}": value for key, value in labels.items()} if prefixed else {})


def _with_new_uid(value: Json | Missing) -> Json | Missing:
    """Return the labels or the selector of a new Job with a placeholder for the server's values."""
    if not isinstance(value, dict):
        return value
    filled = {key: _NEW_UID if isinstance(one, Unknown) else one for key, one in mapping(value).items()}
    if "matchLabels" not in filled:
        return filled
    return {**filled, "matchLabels": _with_new_uid(filled["matchLabels"])}


def _matches_template(fld: v.FieldContext) -> v.FieldErrors:
    """Require that the selector matches the labels of the pods; ``fld`` is the ``spec``."""
    if not fld.creating:
        return v.matches_template(fld)
    selector, labels = fld.get("selector"), mapping(fld.get("template", "metadata", "labels"))
    return v.selector_matches_labels(fld, _with_new_uid(selector), mapping(_with_new_uid(labels)))


def _pod_host_names(fld: v.FieldContext) -> v.FieldErrors:
    """Require that the name of an indexed Job yields valid host names of its pods; ``fld`` is the Job."""
    spec, name = fld.child("spec"), fld.at("metadata", "name")
    if not is_indexed(spec) or spec.number("completions") <= 0 or not v.is_known(name.value):
        return ()
    last = f"{name.text()}-{spec.number('completions') - 1}"
    words = f"will not able to create pod with invalid DNS label: {last}"
    return (name.invalid(words),) if v.dns_label(last) else ()


@v.always
def _completions(fld: v.FieldContext) -> v.FieldErrors:
    """Allow a change of the completions only for indexed Jobs, and only to the value of the parallelism."""
    if fld.up is None or not is_indexed(fld.up):
        return v.unchangeable(fld)
    in_tandem = fld.unchanged or fld.number() == fld.up.number("parallelism")
    return () if in_tandem or not fld.there else (fld.invalid("can only be modified in tandem with spec.parallelism"),)


_JOB: Final[v.Table] = {
    "": [_own_labels, _pod_host_names],
    "spec": [v.struct, JOB_SPEC, _matches_template, same_template],
    "spec.selector": [v.set_at_all(), v.unchangeable, v.selector_table(tolerant=v.had_bad_selector)],
    "spec.completions": [v.on_update(_completions)],
    "spec.completionMode": [v.unchangeable],
    "spec.podFailurePolicy": [v.unchangeable],
    "spec.backoffLimitPerIndex": [v.unchangeable],
    "spec.managedBy": [v.unchangeable],
    "spec.successPolicy": [v.unchangeable],
}

KINDS: Final[v.Group] = {("batch", "Job"): v.Rules(_JOB)}
"""The rules of Jobs."""
