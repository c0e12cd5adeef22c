"""CronJobs: Jobs at certain times.

Mirrors ``pkg/apis/batch/validation``.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.server.kinds.job.validate_spec import JOB_SPEC
from kubectl_applylint.server.validate.constraints import (
    at_least,
    on_create,
    required_and_one_of,
)
from kubectl_applylint.server.validate.field_context import FieldContext, Table, always, struct
from kubectl_applylint.server.validate.formats import must_be_no_more_than
from kubectl_applylint.server.validate.rules import Group, Rules
from kubectl_applylint.server.validate.schedules import schedule_faults, time_zone_faults

_LONGEST_CRON_NAME: Final = 52


@always
def _schedule(fld: FieldContext) -> Iterator[FieldError]:
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


def _time_zone(fld: FieldContext) -> Iterable[FieldError]:
    return () if fld.unchanged else [fld.invalid(fault) for fault in time_zone_faults(fld.text())]


def _no_manual_selector(fld: FieldContext) -> Iterable[FieldError]:
    return (fld.unsupported(("nil", "false")),) if fld.value is True else ()


def _short_cron_name(fld: FieldContext) -> Iterable[FieldError]:
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

KINDS: Final[Group] = {("batch", "CronJob"): Rules(_CRON_JOB)}
"""The rules of CronJobs."""
