"""The spec of a Job, alone and in a CronJob, as kube-apiserver 1.36 takes it."""

import pytest

from kubectl_applylint.core.values import Json, JsonObject
from tests.server.validate.objects import a, fields, job, messages, template

INDEXED: JsonObject = {"completionMode": "Indexed", "completions": 5, "parallelism": 2}
MANY: JsonObject = {**INDEXED, "completions": 100001, "backoffLimitPerIndex": 1}


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        pytest.param({"parallelism": -1, "completions": -1}, ["completions", "parallelism"], id="numbers"),
        pytest.param({"pods": template(restartPolicy="Always")}, ["template.spec.restartPolicy"], id="endless"),
        pytest.param({"pods": template(restartPolicy="x")}, ["template.spec.restartPolicy"] * 2, id="restarts"),
        pytest.param({"completionMode": "x"}, ["completionMode"], id="mode"),
        pytest.param({"completionMode": "Indexed", "parallelism": 2}, ["completions"], id="indexed without number"),
        pytest.param(INDEXED, [], id="indexed"),
        pytest.param(
            {**INDEXED, "maxFailedIndexes": 6, "backoffLimitPerIndex": 1}, ["maxFailedIndexes"], id="too many"
        ),
        pytest.param({**INDEXED, "completions": -1}, ["completions"], id="indexed up to less than none"),
        pytest.param({**INDEXED, "maxFailedIndexes": 1}, ["backoffLimitPerIndex"], id="failures without limit"),
        pytest.param({**INDEXED, "parallelism": 100001}, ["parallelism"], id="wide"),
        pytest.param({**MANY, "maxFailedIndexes": 10000}, [], id="many"),
        pytest.param(MANY, ["maxFailedIndexes"], id="many without limit"),
        pytest.param(
            {**MANY, "maxFailedIndexes": 10001, "parallelism": 10001},
            ["maxFailedIndexes", "parallelism"],
            id="many wide",
        ),
        pytest.param(
            {**MANY, "maxFailedIndexes": 100001}, ["maxFailedIndexes", "maxFailedIndexes"], id="many failures"
        ),
        pytest.param(
            {"backoffLimitPerIndex": 1, "maxFailedIndexes": 1},
            ["backoffLimitPerIndex", "maxFailedIndexes"],
            id="only for indexed",
        ),
        pytest.param({"managedBy": "a"}, ["managedBy"], id="manager"),
        pytest.param({"podReplacementPolicy": "x"}, ["podReplacementPolicy"], id="replacement"),
        pytest.param({"parallelism": 0, "completions": 0, "activeDeadlineSeconds": 0}, [], id="zero"),
        pytest.param({"managedBy": ""}, ["managedBy"], id="empty manager"),
        pytest.param({"managedBy": f"a/{'b' * 62}"}, ["managedBy"], id="long manager"),
        pytest.param(
            {"backoffLimit": -1, "ttlSecondsAfterFinished": -1, "activeDeadlineSeconds": -1},
            ["activeDeadlineSeconds", "backoffLimit", "ttlSecondsAfterFinished"],
            id="limits below zero",
        ),
    ],
)
def test_the_spec_of_a_job(spec: JsonObject, expected: list[str]) -> None:
    assert [field.removeprefix("spec.") for field in fields(job(**spec))] == expected


RULE: Json = {"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}]}


@pytest.mark.parametrize(
    ("spec", "refused"),
    [
        pytest.param({}, [], id="never"),
        pytest.param(
            {"pods": template(restartPolicy="OnFailure")},
            [
                'spec.template.spec.restartPolicy: Invalid value: "OnFailure": only "Never" is supported when '
                "podFailurePolicy is specified"
            ],
            id="on failure",
        ),
        pytest.param(
            {"podReplacementPolicy": "TerminatingOrFailed"},
            ['spec.podReplacementPolicy: Unsupported value: "TerminatingOrFailed": supported values: "Failed"'],
            id="pods that end",
        ),
    ],
)
def test_with_a_policy_for_failures_pods_fail_once(spec: JsonObject, refused: list[str]) -> None:
    assert messages(job(podFailurePolicy={"rules": [RULE]}, **spec)) == refused


def test_the_same_is_asked_of_the_template_of_a_cron_job() -> None:
    pods = template(restartPolicy="Never")
    cron = a("batch/v1", "CronJob", {"schedule": "* * * * *", "jobTemplate": {"spec": {"template": pods, **MANY}}})

    assert fields(cron) == ["spec.jobTemplate.spec.maxFailedIndexes"]
