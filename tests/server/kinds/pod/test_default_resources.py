"""Amounts of a pod as a whole."""

import pytest

from kubectl_applylint.core.values import Json, JsonObject
from tests.server.defaults.support import defaulted_spec


def asks(name: str, amount: str, **fields: Json) -> JsonObject:
    return {**fields, "resources": {"requests": {name: amount}}}


LIMITED = {"limits": {"cpu": "4", "memory": "2Gi"}}


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        pytest.param({"containers": []}, {"cpu": "4", "memory": "2Gi"}, id="no container asks for anything"),
        pytest.param(
            {"containers": [asks("cpu", "500m"), asks("cpu", "1")]},
            {"cpu": "1500m", "memory": "2Gi"},
            id="containers add up",
        ),
        pytest.param(
            {"containers": [asks("cpu", "500m")], "initContainers": [asks("cpu", "2")]},
            {"cpu": "2", "memory": "2Gi"},
            id="the start needs more",
        ),
        pytest.param(
            {
                "containers": [asks("cpu", "1")],
                "initContainers": [asks("cpu", "1", restartPolicy="Always"), asks("cpu", "500m")],
            },
            {"cpu": "2", "memory": "2Gi"},
            id="a sidecar runs beside them",
        ),
        pytest.param({"containers": [asks("gpu", "1")]}, {"cpu": "4", "memory": "2Gi"}, id="others do not count"),
    ],
)
def test_a_pod_with_limits_asks_for(spec: JsonObject, expected: JsonObject) -> None:
    result = defaulted_spec("v1", "Pod", {**spec, "resources": LIMITED})

    assert result["resources"] == {**LIMITED, "requests": expected}


def test_written_requests_stay() -> None:
    resources = {**LIMITED, "requests": {"cpu": "1", "memory": "1Gi"}}

    assert defaulted_spec("v1", "Pod", {"resources": resources})["resources"] == resources


def test_huge_pages_are_limited_to_what_the_containers_are() -> None:
    container = {"resources": {"limits": {"hugepages-2Mi": "4Mi"}}}
    spec = defaulted_spec("v1", "Pod", {"containers": [container, container], "resources": {"requests": {"cpu": "1"}}})

    assert spec["resources"] == {
        "limits": {"hugepages-2Mi": "8Mi"},
        "requests": {"cpu": "1", "hugepages-2Mi": "8Mi"},
    }


@pytest.mark.parametrize(
    ("resources", "version"),
    [
        pytest.param(LIMITED, "1.33", id="before 1.34"),
        pytest.param({"requests": {"cpu": "1"}}, "1.36", id="no limits"),
        pytest.param({}, "1.36", id="nothing"),
    ],
)
def test_otherwise_nothing_is_derived(resources: JsonObject, version: str) -> None:
    assert defaulted_spec("v1", "Pod", {"resources": resources}, version)["resources"] == resources
