"""Validation of resources: kube-apiserver 1.36.3, dry runs of 2026-11-21."""

from typing import Final

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.validate.objects import CONTAINER, pod, rejection_messages

BASE: Final = pod()


@pytest.mark.parametrize(
    ("patch", "errors"),
    [
        pytest.param({}, [], id="valid"),
        pytest.param(
            {"spec": {"containers": [{**CONTAINER, "resources": {"requests": {"cpu": "-1"}}}]}},
            ['spec.containers[0].resources.requests[cpu]: Invalid value: "-1": must be greater than or equal to 0'],
            id="less than nothing",
        ),
        pytest.param(
            {"spec": {"containers": [{**CONTAINER, "resources": {"requests": {"cpu": "2"}, "limits": {"cpu": "1"}}}]}},
            [
                (
                    'spec.containers[0].resources.requests: Invalid value: "2": must be less than or '
                    "equal to cpu limit of 1"
                )
            ],
            id="more asked for than allowed",
        ),
        pytest.param(
            {"spec": {"containers": [{**CONTAINER, "resources": {"limits": {"fish": "1"}}}]}},
            [
                (
                    'spec.containers[0].resources.limits[fish]: Invalid value: "fish": must be a '
                    "standard resource for containers"
                ),
                (
                    'spec.containers[0].resources.limits[fish]: Invalid value: "fish": must be a '
                    "standard resource type or fully qualified"
                ),
                (
                    'spec.containers[0].resources.requests[fish]: Invalid value: "fish": must be a '
                    "standard resource for containers"
                ),
                (
                    'spec.containers[0].resources.requests[fish]: Invalid value: "fish": must be a '
                    "standard resource type or fully qualified"
                ),
            ],
            id="unknown",
        ),
        pytest.param(
            {"spec": {"containers": [{**CONTAINER, "resources": {"requests": {"example.com/gpu": "1"}}}]}},
            [
                (
                    "spec.containers[0].resources.limits: Required value: Limit must be set for non "
                    "overcommitable resources"
                )
            ],
            id="device without limit",
        ),
        pytest.param(
            {"spec": {"containers": [{**CONTAINER, "resources": {"limits": {"example.com/gpu": "500m"}}}]}},
            [
                ('spec.containers[0].resources.limits[example.com/gpu]: Invalid value: "500m": must be an integer'),
                ('spec.containers[0].resources.requests[example.com/gpu]: Invalid value: "500m": must be an integer'),
            ],
            id="part of a device",
        ),
        pytest.param(
            {"spec": {"containers": [{**CONTAINER, "resources": {"limits": {"hugepages-2Mi": "2Mi"}}}]}},
            ["spec.containers[0].resources: Forbidden: HugePages require cpu or memory"],
            id="huge pages alone",
        ),
    ],
)
def test_errors_of_resources(patch: JsonObject, errors: list[str]) -> None:
    assert rejection_messages(BASE, patch) == errors
