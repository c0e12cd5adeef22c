"""Validation of volumes of pods: kube-apiserver 1.36.3, dry runs of 2026-11-21."""

from typing import Final

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.validate.objects import pod, rejection_messages

BASE: Final = pod()


@pytest.mark.parametrize(
    ("patch", "errors"),
    [
        pytest.param({}, [], id="valid"),
        pytest.param(
            {"spec": {"volumes": [{"name": "A b", "emptyDir": {}}]}},
            [
                (
                    'spec.volumes[0].name: Invalid value: "A b": a lowercase RFC 1123 label must '
                    "consist of lower case alphanumeric characters or '-', and must start and end "
                    "with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for "
                    "validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
                )
            ],
            id="name",
        ),
        pytest.param(
            {"spec": {"volumes": [{"name": "v", "emptyDir": {}}, {"name": "v", "emptyDir": {}}]}},
            ['spec.volumes[1].name: Duplicate value: "v"'],
            id="one name twice",
        ),
        pytest.param(
            {"spec": {"volumes": [{"name": "v", "emptyDir": {}, "hostPath": {"path": "/a"}}]}},
            ["spec.volumes[0].hostPath: Forbidden: may not specify more than 1 volume type"],
            id="two sources",
        ),
        pytest.param(
            {"spec": {"volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": ""}}]}},
            ["spec.volumes[0].persistentVolumeClaim.claimName: Required value"],
            id="no claim",
        ),
        pytest.param(
            {"spec": {"volumes": [{"name": "v", "configMap": {"name": "a", "defaultMode": 512}}]}},
            [
                (
                    "spec.volumes[0].configMap.defaultMode: Invalid value: 512: must be a number "
                    "between 0 and 0777 (octal), both inclusive"
                )
            ],
            id="mode",
        ),
        pytest.param(
            {"spec": {"volumes": [{"name": "v", "secret": {"secretName": "a", "items": [{"key": "", "path": "b"}]}}]}},
            ["spec.volumes[0].secret.items[0].key: Required value"],
            id="item",
        ),
        pytest.param(
            {"spec": {"volumes": [{"name": "v", "hostPath": {"path": "/a", "type": "Tree"}}]}},
            [
                (
                    'spec.volumes[0].hostPath.type: Unsupported value: "Tree": supported values: "", '
                    '"BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", '
                    '"FileOrCreate", "Socket"'
                )
            ],
            id="kind of path",
        ),
        pytest.param(
            {"spec": {"volumes": [{"name": "v", "emptyDir": {"sizeLimit": "-1"}}]}},
            ["spec.volumes[0].emptyDir.sizeLimit: Forbidden: SizeLimit field must be a valid resource quantity"],
            id="size",
        ),
    ],
)
def test_errors_of_volumes_of_pods(patch: JsonObject, errors: list[str]) -> None:
    assert rejection_messages(BASE, patch) == errors
