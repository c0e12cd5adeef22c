"""What fields become inside the server, as seen on Kubernetes 1.36.3."""

from typing import Any

import pytest

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.schema.load import load
from kubectl_applylint.server.internal import through_internal


def through(api_version: str, name: str, new: JsonObject) -> Any:
    kind = load("1.36").kind(api_version, name)
    assert kind is not None
    return through_internal(new, kind)


@pytest.mark.parametrize(
    ("secret", "data"),
    [
        pytest.param({"stringData": {"a": "x"}}, {"a": "eA=="}, id="text"),
        pytest.param(
            {"stringData": {"a": "é"}, "data": {"a": "eQ==", "b": "eQ=="}}, {"a": "w6k=", "b": "eQ=="}, id="over data"
        ),
        pytest.param({"data": {"b": "eQ=="}}, {"b": "eQ=="}, id="data alone"),
        pytest.param({"stringData": {}}, None, id="empty"),
        pytest.param({}, None, id="nothing"),
    ],
)
def test_the_texts_of_a_secret_become_data(secret: JsonObject, data: JsonObject | None) -> None:
    result = through("v1", "Secret", secret)

    assert (result.get("data"), "stringData" in result) == (data, False)


@pytest.mark.parametrize(
    ("annotations", "after"),
    [
        pytest.param({"autoscaling.alpha.kubernetes.io/metrics": "[]"}, None, id="metrics"),
        pytest.param({"autoscaling.alpha.kubernetes.io/behavior": "{}", "a": "b"}, {"a": "b"}, id="behavior"),
        pytest.param({"a": "b"}, {"a": "b"}, id="others"),
    ],
)
def test_annotations_that_carried_fields_of_an_autoscaler(annotations: JsonObject, after: JsonObject | None) -> None:
    autoscaler = {"metadata": {"annotations": annotations}}

    assert through("autoscaling/v2", "HorizontalPodAutoscaler", autoscaler)["metadata"].get("annotations") == after


def test_other_kinds_stay_as_they_are() -> None:
    config = {"metadata": {"name": "c"}, "data": {"a": "b"}}

    assert through("v1", "ConfigMap", config) is config
