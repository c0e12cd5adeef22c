"""Validation of slices of devices: kube-apiserver 1.36.3, dry runs of 2026-11-21."""

from typing import Final

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.validate.objects import rejection_messages

BASE: Final[JsonObject] = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "ResourceSlice",
    "metadata": {"name": "x"},
    "spec": {
        "driver": "gpu.example.com",
        "nodeName": "node-1",
        "pool": {"name": "node-1", "generation": 1, "resourceSliceCount": 1},
        "devices": [{"name": "gpu-0"}],
    },
}


NAME: Final = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with"
    " an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is"
    " '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
)
SHARED: Final = {"name": "memory", "counters": {"a": {"value": "1"}}}
DEVICE: Final = "spec.devices[0]"
TOGETHER: Final = "Invalid value: null: {} are required to use {}"


def device(**content: object) -> JsonObject:
    return {"spec": {"devices": [{"name": "gpu-0", **content}]}}


@pytest.mark.parametrize(
    ("patch", "errors"),
    [
        pytest.param({}, [], id="valid"),
        pytest.param(
            {"spec": {"driver": "A b"}},
            [
                (
                    'spec.driver: Invalid value: "A b": a lowercase RFC 1123 subdomain must consist '
                    "of lower case alphanumeric characters, '-' or '.', and must start and end with "
                    "an alphanumeric character (e.g. 'example.com', regex used for validation is "
                    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
                )
            ],
            id="driver",
        ),
        pytest.param(
            {"spec": {"nodeName": None}},
            [
                (
                    "spec: Required value: exactly one of `nodeName`, `nodeSelector`, `allNodes`, "
                    "`perDeviceNodeSelection` is required"
                )
            ],
            id="nowhere",
        ),
        pytest.param(
            {"spec": {"allNodes": True}},
            [
                (
                    'spec: Invalid value: "{`nodeName`, `allNodes`}": exactly one of `nodeName`, '
                    "`nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required, but multiple "
                    "fields are set"
                )
            ],
            id="everywhere and here",
        ),
        pytest.param({"spec": {"pool": {"name": ""}}}, ["spec.pool.name: Required value"], id="no pool"),
        pytest.param(
            {"spec": {"pool": {"resourceSliceCount": 0}}},
            ["spec.pool.resourceSliceCount: Invalid value: 0: must be greater than zero"],
            id="no slices",
        ),
        pytest.param(
            {"spec": {"devices": [{"name": "a"}, {"name": "a"}]}},
            ['spec.devices[1]: Duplicate value: "a"'],
            id="one device twice",
        ),
        pytest.param({"spec": {"devices": None, "sharedCounters": [SHARED]}}, [], id="counters"),
        pytest.param(
            {"spec": {"sharedCounters": [SHARED]}},
            ['spec: Invalid value: "": only one of `sharedCounters` or `devices` is allowed'],
            id="counters and devices",
        ),
        pytest.param(
            {"spec": {"devices": None, "sharedCounters": [SHARED, SHARED, {"name": "B"}]}},
            [
                'spec.sharedCounters[1]: Duplicate value: "memory"',
                "spec.sharedCounters[2].counters: Required value",
                f'spec.sharedCounters[2].name: Invalid value: "B": {NAME}',
            ],
            id="names of counter sets",
        ),
        pytest.param(
            device(consumesCounters=[{"counters": {f"m{number}": {"value": "1"} for number in range(33)}}]),
            [
                f"{DEVICE}.consumesCounters[0].counterSet: Required value",
                f"{DEVICE}.consumesCounters[0].counters: Too many: 33: must have at most 32 items",
            ],
            id="too many counters",
        ),
        pytest.param(
            device(bindingConditions=["a", "a"]),
            [
                f'{DEVICE}.bindingConditions[1]: Duplicate value: "a"',
                f"{DEVICE}.bindingFailureConditions: "
                + TOGETHER.format("bindingFailureConditions", "bindingConditions"),
            ],
            id="conditions without those of failures",
        ),
        pytest.param(
            device(bindingFailureConditions=["a"]),
            [f"{DEVICE}.bindingConditions: " + TOGETHER.format("bindingConditions", "bindingFailureConditions")],
            id="conditions of failures alone",
        ),
        pytest.param(
            device(bindingConditions=["a"], bindingFailureConditions=["a"]),
            [
                f'{DEVICE}.bindingFailureConditions[0]: Invalid value: "a": bindingFailureConditions must not overlap'
                " with bindingConditions"
            ],
            id="conditions that overlap",
        ),
        pytest.param(
            device(capacity={"memory": {"value": "1Gi", "requestPolicy": {"default": "1Gi", "validValues": ["1Gi"]}}}),
            [f"{DEVICE}.capacity[memory].requestPolicy: Forbidden: allowMultipleAllocations must be true"],
            id="a policy for one allocation",
        ),
        pytest.param(
            {"spec": {"devices": [{"name": f"d{n}", "consumesCounters": []} for n in range(129)]}},
            ["spec.devices: Too many: 129: must have at most 128 items"],
            id="too many devices",
        ),
    ],
)
def test_errors_of_slices_of_devices(patch: JsonObject, errors: list[str]) -> None:
    assert rejection_messages(BASE, patch) == errors
