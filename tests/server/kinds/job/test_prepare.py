"""Fields that a server adds to new Jobs, as seen on Kubernetes 1.36.3."""

import pytest

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.schema.load import load
from kubectl_applylint.server.defaults import apply_defaults
from kubectl_applylint.server.kinds.job.prepare import CONTROLLER_UID, prepare

UID_LABEL, NAME_LABEL = "batch.kubernetes.io/controller-uid", "batch.kubernetes.io/job-name"


def test_a_new_job_selects_its_pods() -> None:
    job = {"metadata": {"name": "j"}, "spec": {"template": {"metadata": {"labels": {"a": "b", "job-name": "mine"}}}}}
    result = prepare(job, None, 36)

    assert result["spec"]["selector"] == {"matchLabels": {UID_LABEL: CONTROLLER_UID}}
    assert result["spec"]["template"]["metadata"]["labels"] == {
        "a": "b",
        "job-name": "mine",
        NAME_LABEL: "j",
        "controller-uid": CONTROLLER_UID,
        UID_LABEL: CONTROLLER_UID,
    }
    assert "labels" not in result["metadata"]


def test_the_pods_of_a_job_without_a_name_are_labelled_with_none() -> None:
    job: JsonObject = {"metadata": {}, "spec": {"template": {}}}

    assert prepare(job, None, 36)["spec"]["template"]["metadata"]["labels"]["job-name"] == ""


def test_a_job_that_took_its_templates_labels_gets_the_new_ones_too() -> None:
    kind = load("1.36").kind("batch/v1", "Job")
    assert kind is not None
    job = {"metadata": {"name": "j"}, "spec": {"template": {"metadata": {"labels": {"a": "b"}}}}}
    result = prepare(apply_defaults(job, kind, "1.36"), None, 36)

    assert sorted(result["metadata"]["labels"]) == ["a", UID_LABEL, NAME_LABEL, "controller-uid", "job-name"]


@pytest.mark.parametrize(
    ("spec", "old"),
    [
        pytest.param({"manualSelector": True}, None, id="it selects itself"),
        pytest.param({}, {"spec": {}}, id="it exists"),
    ],
)
def test_otherwise_a_job_gets_no_selector(spec: JsonObject, old: JsonObject | None) -> None:
    assert prepare({"metadata": {"name": "j"}, "spec": spec}, old, 36)["spec"] == spec
