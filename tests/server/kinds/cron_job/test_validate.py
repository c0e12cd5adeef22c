import pytest

from kubectl_applylint.core.values import Json, JsonObject
from tests.server.validate.objects import LABELS, a, fields, messages, template


def cron(*, metadata: Json = None, of: Json = None, **spec: Json) -> JsonObject:
    jobs = {"spec": {"template": template(restartPolicy="Never"), **(of or {})}}
    return a("batch/v1", "CronJob", {"schedule": "* * * * *", "jobTemplate": jobs, **spec}, metadata=metadata or {})


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        pytest.param(cron(), [], id="good"),
        pytest.param(cron(metadata={"name": "a" * 53}), ["metadata.name"], id="long name"),
        pytest.param(cron(schedule=""), ["spec.schedule"], id="no schedule"),
        pytest.param(cron(schedule="x"), ["spec.schedule"], id="schedule"),
        pytest.param(cron(schedule="TZ=UTC * * * * *"), ["spec.schedule"], id="zone in the schedule"),
        pytest.param(cron(timeZone="Nowhere"), ["spec.timeZone"], id="zone"),
        pytest.param(cron(concurrencyPolicy="x"), ["spec.concurrencyPolicy"], id="at once"),
        pytest.param(cron(of={"manualSelector": True}), ["spec.jobTemplate.spec.manualSelector"], id="manual selector"),
        pytest.param(cron(of={"selector": {"matchLabels": LABELS}}), ["spec.jobTemplate.spec.selector"], id="selector"),
        pytest.param(
            cron(successfulJobsHistoryLimit=-1, failedJobsHistoryLimit=-1, startingDeadlineSeconds=-1),
            ["spec.failedJobsHistoryLimit", "spec.startingDeadlineSeconds", "spec.successfulJobsHistoryLimit"],
            id="numbers",
        ),
    ],
)
def test_cron_jobs(made: JsonObject, expected: list[str]) -> None:
    assert fields(made) == expected


@pytest.mark.parametrize(
    ("new", "old", "expected"),
    [
        pytest.param(cron(schedule="TZ=UTC 1 * * * *"), cron(schedule="TZ=UTC * * * * *"), [], id="as it is stored"),
        pytest.param(
            cron(schedule="TZ=UTC * * * * *", timeZone="UTC"),
            cron(schedule="TZ=UTC * * * * *"),
            [
                'spec.schedule: Invalid value: "TZ=UTC * * * * *": cannot use both timeZone field and TZ or CRON_TZ in '
                "schedule"
            ],
            id="two zones",
        ),
        pytest.param(cron(timeZone="Nowhere"), cron(timeZone="Nowhere"), [], id="a zone that is stored"),
        pytest.param(
            cron(metadata={"name": "a" * 53}), cron(metadata={"name": "a" * 53}), [], id="a name that is stored"
        ),
    ],
)
def test_cron_jobs_may_stay_as_they_are(new: JsonObject, old: JsonObject, expected: list[str]) -> None:
    assert messages(new, old) == expected
