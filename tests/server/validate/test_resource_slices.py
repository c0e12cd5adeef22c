"""What a server says of slices of devices: kube-apiserver 1.36.3, dry runs of 2026-11-21."""

from typing import Final

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.validate.objects import refused

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


@pytest.mark.parametrize(
    ("patch", "said"),
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
    ],
)
def test_what_is_said_of_slices_of_devices(patch: JsonObject, said: list[str]) -> None:
    assert refused(BASE, patch) == said
