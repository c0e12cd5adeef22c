"""Jobs and CronJobs: pods that end.

Mirrors ``pkg/apis/batch/validation`` and the options that ``pkg/registry/batch/job`` sets.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from kubectl_applylint.core.outcome import Refusal
from kubectl_applylint.core.values import Json
from kubectl_applylint.server.validate.constraints import (
    at_least,
    no_longer_than,
    on_create,
    on_update,
    required_and_one_of,
    set_at_all,
    unchangeable,
    well_formed,
)
from kubectl_applylint.server.validate.field_context import FieldContext, Table, always, known, struct
from kubectl_applylint.server.validate.formats import dns_label, domain_prefixed_path, must_be_no_more_than
from kubectl_applylint.server.validate.job_policies import POLICIES, policies
from kubectl_applylint.server.validate.pods.spec import POD_TEMPLATE
from kubectl_applylint.server.validate.rules import Group, Rules
from kubectl_applylint.server.validate.schedules import schedule_faults, time_zone_faults
from kubectl_applylint.server.validate.selectors import (
    chooses,
    has_bad_values,
    is_usable,
    matches_template,
    selector_table,
)
from kubectl_applylint.server.validate.suspended_jobs import same_template

_PREFIX: Final = "batch.kubernetes.io/"
_MOST_PARALLEL: Final = 100_000
_MOST_FAILED: Final = 100_000
_MANY_COMPLETIONS: Final = 100_000
_MOST_OF_MANY: Final = 10_000
_LONGEST_CRON_NAME: Final = 52
_INDEXED: Final = "Indexed"
_MODES: Final = ("NonIndexed", _INDEXED)


def _is_indexed(fld: FieldContext) -> bool:
    return fld.text("completionMode") == _INDEXED


def _indexed(fld: FieldContext) -> Iterator[Refusal]:
    """What only Jobs may say whose pods are numbered; ``fld`` is the spec of a Job."""
    mode, failed = fld.get("completionMode"), fld.child("maxFailedIndexes")
    if failed.there and not fld.sets("backoffLimitPerIndex"):
        yield fld.child("backoffLimitPerIndex").required("when maxFailedIndexes is specified")
    if _is_indexed(fld):
        yield from _numbers_of_indexed(fld)
        yield from _many_completions(fld)
    elif not fld.sets("completionMode") or mode == "NonIndexed":
        for name in ("backoffLimitPerIndex", "maxFailedIndexes"):
            if fld.sets(name):
                yield fld.child(name).invalid("requires indexed completion mode")


def _numbers_of_indexed(fld: FieldContext) -> Iterator[Refusal]:
    completions, parallelism, failed = (fld.child(name) for name in ("completions", "parallelism", "maxFailedIndexes"))
    if not completions.there:
        yield completions.required("when completion mode is Indexed")
    if parallelism.number() > _MOST_PARALLEL:
        yield parallelism.invalid(f"must be less than or equal to {_MOST_PARALLEL} when completion mode is Indexed")
    if completions.there and failed.there and failed.number() > completions.number():
        yield failed.invalid("must be less than or equal to completions")
    if failed.number() > _MOST_FAILED:
        yield failed.invalid(f"must be less than or equal to {_MOST_FAILED}")


def _many_completions(fld: FieldContext) -> Iterator[Refusal]:
    failed, parallelism = fld.child("maxFailedIndexes"), fld.child("parallelism")
    if fld.number("completions") <= _MANY_COMPLETIONS or not fld.sets("backoffLimitPerIndex"):
        return
    words = (
        f"must be less than or equal to {_MOST_OF_MANY} when completions are above {_MANY_COMPLETIONS} and used with "
        "backoff limit per index"
    )
    if not failed.there:
        yield failed.required(f"must be specified when completions is above {_MANY_COMPLETIONS}")
    yield from (number.invalid(words) for number in (parallelism, failed) if number.number() > _MOST_OF_MANY)


def _restart_policy(fld: FieldContext) -> Iterable[Refusal]:
    """The pods of a Job can end; ``fld`` is the spec of a Job."""
    policy = fld.at("template", "spec", "restartPolicy")
    if policy.text() in ("", "Always"):
        return (policy.required('valid values: "OnFailure", "Never"'),)
    if policy.value not in ("OnFailure", "Never"):
        return (policy.unsupported(("OnFailure", "Never")),)
    if fld.sets("podFailurePolicy") and policy.value != "Never":
        return (policy.invalid('only "Never" is supported when podFailurePolicy is specified'),)
    return ()


def _replacement_policy(fld: FieldContext) -> Iterable[Refusal]:
    with_failure_policy = fld.up is not None and fld.up.sets("podFailurePolicy")
    allowed = ("Failed",) if with_failure_policy else ("Failed", "TerminatingOrFailed")
    return () if fld.value in allowed else (fld.unsupported(allowed),)


def _not_empty(fld: FieldContext) -> Iterable[Refusal]:
    return () if fld.text() else (fld.required(),)


def _completion_mode(fld: FieldContext) -> Iterable[Refusal]:
    return () if fld.value in _MODES else (fld.unsupported(_MODES),)


JOB_SPEC: Final[Table] = {
    "": [_indexed, policies, _restart_policy],
    "parallelism": [at_least(0)],
    "completions": [at_least(0)],
    "activeDeadlineSeconds": [at_least(0)],
    "backoffLimit": [at_least(0)],
    "ttlSecondsAfterFinished": [at_least(0)],
    "backoffLimitPerIndex": [at_least(0)],
    "maxFailedIndexes": [at_least(0)],
    "managedBy": [_not_empty, well_formed(domain_prefixed_path), no_longer_than(63)],
    "completionMode": [_completion_mode],
    **POLICIES,
    "podReplacementPolicy": [_replacement_policy],
    "template": [struct, POD_TEMPLATE],
}
"""The constraints of the spec of a Job, be it part of a CronJob."""


def _had_bad_values(fld: FieldContext) -> bool:
    return has_bad_values(fld.nearest(".spec").before().get("selector"))


_LABELS_ONCE_SINCE: Final = 37
"""From this version on the labels and the selector that the server made are looked at only when a Job is created."""


def _own_labels(fld: FieldContext) -> Iterator[Refusal]:
    """The server labels the pods of a Job and selects them by that, if nobody else does; ``fld`` is the Job."""
    spec, labels = fld.child("spec"), fld.at("spec", "template", "metadata", "labels")
    is_settled = not fld.creating and fld.occasion.minor >= _LABELS_ONCE_SINCE
    if is_settled or spec.flag("manualSelector") or not spec.sets("selector"):
        return
    expected = _expected_labels(fld)
    for key, value in expected.items():
        label = labels.entry(key)
        if not label.there:
            yield label.required(f"must be '{value}'")
        elif known(value) and known(label.value) and label.value != value:
            yield label.invalid(f"must be '{value}'", labels.value)
    if is_usable(spec.get("selector")) and not chooses(spec.get("selector"), expected):
        yield spec.child("selector").invalid("`selector` not auto-generated")


def _expected_labels(fld: FieldContext) -> dict[str, Json]:
    """Return the labels of the pods of a Job that select themselves; Jobs from before 1.27 lack half of them."""
    uid, name = fld.get("metadata", "uid"), fld.at("metadata", "name")
    old = fld.before().at("spec", "template", "metadata", "labels")
    prefixed = fld.creating or all(old.sets(f"{_PREFIX}{key}") for key in ("controller-uid", "job-name"))
    labels = {"controller-uid": uid, "job-name": name.value if name.there else ""}
    return labels | ({f"{_PREFIX}{key}": value for key, value in labels.items()} if prefixed else {})


def _pod_host_names(fld: FieldContext) -> Iterable[Refusal]:
    """The pods of an indexed Job can be named after it; ``fld`` is the Job."""
    spec, name = fld.child("spec"), fld.at("metadata", "name")
    if not _is_indexed(spec) or spec.number("completions") <= 0 or not known(name.value):
        return ()
    last = f"{name.text()}-{spec.number('completions') - 1}"
    words = f"will not able to create pod with invalid DNS label: {last}"
    return (name.invalid(words),) if dns_label(last) else ()


@always
def _completions(fld: FieldContext) -> Iterable[Refusal]:
    """How many pods must succeed changes for indexed Jobs only, and with the number of those that run at a time."""
    if fld.up is None or not _is_indexed(fld.up):
        return unchangeable(fld)
    in_tandem = fld.unchanged or fld.number() == fld.up.number("parallelism")
    return () if in_tandem or not fld.there else (fld.invalid("can only be modified in tandem with spec.parallelism"),)


_JOB: Final[Table] = {
    "": [_own_labels, _pod_host_names],
    "spec": [struct, JOB_SPEC, matches_template, same_template],
    "spec.selector": [set_at_all(), unchangeable, selector_table(tolerant=_had_bad_values)],
    "spec.completions": [on_update(_completions)],
    "spec.completionMode": [unchangeable],
    "spec.podFailurePolicy": [unchangeable],
    "spec.backoffLimitPerIndex": [unchangeable],
    "spec.managedBy": [unchangeable],
    "spec.successPolicy": [unchangeable],
}


@always
def _schedule(fld: FieldContext) -> Iterator[Refusal]:
    """The schedule is one that cron understands; it names no time zone, if the stored one does not either."""
    text, with_zone = fld.text(), "TZ" in fld.before().text()
    if not text:
        yield fld.required()
        return
    yield from (fld.invalid(fault) for fault in schedule_faults(text))
    zoned = fld.up is not None and fld.up.sets("timeZone")
    if "TZ" in text and with_zone and zoned:
        yield fld.invalid("cannot use both timeZone field and TZ or CRON_TZ in schedule")
    elif "TZ" in text and not with_zone:
        yield fld.invalid("cannot use TZ or CRON_TZ in schedule, use timeZone field instead")


def _time_zone(fld: FieldContext) -> Iterable[Refusal]:
    return () if fld.unchanged else [fld.invalid(fault) for fault in time_zone_faults(fld.text())]


def _no_manual_selector(fld: FieldContext) -> Iterable[Refusal]:
    return (fld.unsupported(("nil", "false")),) if fld.value is True else ()


def _short_cron_name(fld: FieldContext) -> Iterable[Refusal]:
    """The names of the Jobs of a CronJob have room for a time."""
    long = len(fld.text()) > _LONGEST_CRON_NAME
    return (fld.invalid(must_be_no_more_than(_LONGEST_CRON_NAME)),) if long else ()


_CRON_JOB: Final[Table] = {
    "metadata.name": [on_create(_short_cron_name)],
    "spec": [struct],
    "spec.schedule": [_schedule],
    "spec.startingDeadlineSeconds": [at_least(0)],
    "spec.timeZone": [_time_zone],
    "spec.concurrencyPolicy": [required_and_one_of("Allow", "Forbid", "Replace")],
    "spec.jobTemplate": [struct],
    "spec.jobTemplate.spec": [struct, JOB_SPEC],
    "spec.jobTemplate.spec.selector": [lambda fld: (fld.invalid("`selector` will be auto-generated"),)],
    "spec.jobTemplate.spec.manualSelector": [_no_manual_selector],
    "spec.successfulJobsHistoryLimit": [at_least(0)],
    "spec.failedJobsHistoryLimit": [at_least(0)],
}

KINDS: Final[Group] = {("batch", "Job"): Rules(_JOB), ("batch", "CronJob"): Rules(_CRON_JOB)}
"""The rules of what runs pods to their end."""
