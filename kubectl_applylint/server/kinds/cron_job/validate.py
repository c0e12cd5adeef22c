"""Validation of CronJobs.

Mirrors ``pkg/apis/batch/validation``.
"""

from typing import Final

from kubectl_applylint.server.kinds.job.validate_spec import JOB_SPEC
from kubectl_applylint.server.validate import dsl as v
from kubectl_applylint.server.validate.schedules import schedule_faults, time_zone_faults

_LONGEST_CRON_NAME: Final = 52


@v.always
def _schedule(fld: v.FieldContext) -> v.FieldErrors:
    """Reject an invalid schedule, and one with a time zone unless the stored one also does."""
    text, with_zone = fld.text(), "TZ" in fld.before().text()
    if not text:
        yield fld.required()
        return
    yield from (fld.invalid(fault) for fault in schedule_faults(text))
    zoned = fld.parent.sets("timeZone")
    if "TZ" in text and with_zone and zoned:
        yield fld.invalid("cannot use both timeZone field and TZ or CRON_TZ in schedule")
    elif "TZ" in text and not with_zone:
        yield fld.invalid("cannot use TZ or CRON_TZ in schedule, use timeZone field instead")


def _no_manual_selector(fld: v.FieldContext) -> v.FieldErrors:
    return (fld.not_supported(("nil", "false")),) if fld.value is True else ()


def _short_cron_name(fld: v.FieldContext) -> v.FieldErrors:
    """Reject names that leave no room for the suffix of Job names."""
    long = len(fld.text()) > _LONGEST_CRON_NAME
    return (fld.invalid(v.must_be_no_more_than(_LONGEST_CRON_NAME)),) if long else ()


_CRON_JOB: Final[v.Table] = {
    "metadata.name": [v.on_create(_short_cron_name)],
    "spec": [v.struct],
    "spec.schedule": [_schedule],
    "spec.startingDeadlineSeconds": [v.at_least(0)],
    "spec.timeZone": [v.ratchet(v.well_formed(time_zone_faults, even_empty=True))],
    "spec.concurrencyPolicy": [v.required_and_one_of("Allow", "Forbid", "Replace")],
    "spec.jobTemplate": [v.struct],
    "spec.jobTemplate.spec": [v.struct, JOB_SPEC],
    "spec.jobTemplate.spec.selector": [lambda fld: (fld.invalid("`selector` will be auto-generated"),)],
    "spec.jobTemplate.spec.manualSelector": [_no_manual_selector],
    "spec.successfulJobsHistoryLimit": [v.at_least(0)],
    "spec.failedJobsHistoryLimit": [v.at_least(0)],
}

KINDS: Final[v.Group] = {("batch", "CronJob"): v.Rules(_CRON_JOB)}
"""The rules of CronJobs."""
