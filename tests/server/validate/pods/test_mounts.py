"""Validation of mounts: kube-apiserver 1.36.3, dry runs of 2026-11-21."""

from typing import Final

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.validate.objects import rejection_messages

CONTAINER: Final[JsonObject] = {"name": "c", "image": "i"}
BASE: Final[JsonObject] = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "x", "namespace": "default"},
    "spec": {"containers": [CONTAINER], "volumes": [{"name": "v", "emptyDir": {}}]},
}


@pytest.mark.parametrize(
    ("patch", "errors"),
    [
        pytest.param({}, [], id="valid"),
        pytest.param(
            {"spec": {"containers": [{**CONTAINER, "volumeMounts": [{"name": "w", "mountPath": "/a"}]}]}},
            ['spec.containers[0].volumeMounts[0].name: Not found: "w"'],
            id="no such volume",
        ),
        pytest.param(
            {"spec": {"containers": [{**CONTAINER, "volumeDevices": [{"name": "", "devicePath": "/dev/a"}]}]}},
            [
                'spec.containers[0].volumeDevices[0].name: Not found: ""',
                "spec.containers[0].volumeDevices[0].name: Required value",
            ],
            id="device without a name",
        ),
        pytest.param(
            {"spec": {"containers": [{**CONTAINER, "volumeMounts": [{"name": "v", "mountPath": ""}]}]}},
            ["spec.containers[0].volumeMounts[0].mountPath: Required value"],
            id="nowhere",
        ),
        pytest.param(
            {
                "spec": {
                    "containers": [
                        {
                            **CONTAINER,
                            "volumeMounts": [{"name": "v", "mountPath": "/a"}, {"name": "v", "mountPath": "/a"}],
                        }
                    ]
                }
            },
            ['spec.containers[0].volumeMounts[1].mountPath: Invalid value: "/a": must be unique'],
            id="one place twice",
        ),
        pytest.param(
            {
                "spec": {
                    "containers": [{**CONTAINER, "volumeMounts": [{"name": "v", "mountPath": "/a", "subPath": "../b"}]}]
                }
            },
            ["spec.containers[0].volumeMounts.subPath: Invalid value: \"../b\": must not contain '..'"],
            id="upwards",
        ),
        pytest.param(
            {
                "spec": {
                    "containers": [{**CONTAINER, "volumeMounts": [{"name": "v", "mountPath": "/a", "subPath": "/b"}]}]
                }
            },
            ['spec.containers[0].volumeMounts.subPath: Invalid value: "/b": must be a relative path'],
            id="absolute part",
        ),
        pytest.param(
            {
                "spec": {
                    "containers": [
                        {
                            **CONTAINER,
                            "volumeMounts": [{"name": "v", "mountPath": "/a", "subPath": "b", "subPathExpr": "c"}],
                        }
                    ]
                }
            },
            [
                (
                    'spec.containers[0].volumeMounts[0].subPathExpr: Invalid value: "c": subPathExpr '
                    "and subPath are mutually exclusive"
                )
            ],
            id="two parts",
        ),
    ],
)
def test_errors_of_mounts(patch: JsonObject, errors: list[str]) -> None:
    assert rejection_messages(BASE, patch) == errors
