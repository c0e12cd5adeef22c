"""Defaults of jobs."""

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.defaults.support import POD_SPEC, defaulted_spec, fields_with_defaults

JOB = {
    "completionMode": "NonIndexed",
    "suspend": False,
    "manualSelector": False,
    "completions": 1,
    "parallelism": 1,
    "backoffLimit": 6,
    "podReplacementPolicy": "TerminatingOrFailed",
}


def test_a_job_runs_once() -> None:
    assert defaulted_spec("batch/v1", "Job", {}) == {**JOB, "template": {"spec": POD_SPEC}}


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        pytest.param({"parallelism": 3}, {"parallelism": 3}, id="a work queue has no completions"),
        pytest.param({"completions": 5}, {"completions": 5, "parallelism": 1}, id="one after the other"),
        pytest.param({"parallelism": 0}, {"parallelism": 0}, id="paused"),
    ],
)
def test_completions_and_parallelism(spec: JsonObject, expected: JsonObject) -> None:
    result = defaulted_spec("batch/v1", "Job", spec)

    assert {key: result[key] for key in ("completions", "parallelism") if key in result} == expected


@pytest.mark.parametrize(
    ("spec", "field", "expected"),
    [
        pytest.param({"backoffLimitPerIndex": 2}, "backoffLimit", 2147483647, id="limit by index"),
        pytest.param({"backoffLimit": 0}, "backoffLimit", 0, id="written limit"),
        pytest.param({"podFailurePolicy": {"rules": []}}, "podReplacementPolicy", "Failed", id="failure policy"),
        pytest.param({"podReplacementPolicy": "Failed"}, "podReplacementPolicy", "Failed", id="written policy"),
    ],
)
def test_defaults_of_a_job_depend_on_other_fields(spec: JsonObject, field: str, expected: object) -> None:
    assert defaulted_spec("batch/v1", "Job", spec)[field] == expected


@pytest.mark.parametrize(
    ("metadata", "labels"),
    [
        pytest.param({}, {"app": "a"}, id="none of its own"),
        pytest.param({"labels": {"own": "b"}}, {"own": "b"}, id="its own"),
    ],
)
def test_a_job_takes_the_labels_of_its_template(metadata: JsonObject, labels: JsonObject) -> None:
    job = {"metadata": metadata, "spec": {"template": {"metadata": {"labels": {"app": "a"}}}}}

    assert fields_with_defaults("batch/v1", "Job", job)["metadata"]["labels"] == labels


def test_a_pattern_of_a_failure_policy_matches_true() -> None:
    policy = {"rules": [{"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget"}]}]}
    rule = defaulted_spec("batch/v1", "Job", {"podFailurePolicy": policy})["podFailurePolicy"]["rules"][0]

    assert rule["onPodConditions"] == [{"type": "DisruptionTarget", "status": "True"}]
