"""Validation of claims to devices: kube-apiserver 1.36.3, dry runs of 2026-11-21."""

from typing import Final

import pytest

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.server.validate.formats import dns_label
from tests.server.validate.objects import rejection_messages, undeclared_reference

BASE: Final[JsonObject] = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "ResourceClaim",
    "metadata": {"name": "x", "namespace": "default"},
    "spec": {"devices": {"requests": [{"name": "gpu", "exactly": {"deviceClassName": "gpu.example.com"}}]}},
}


def selecting(expression: str) -> JsonObject:
    return {"deviceClassName": "gpu.example.com", "selectors": [{"cel": {"expression": expression}}]}


@pytest.mark.parametrize(
    ("patch", "errors"),
    [
        pytest.param({}, [], id="valid"),
        pytest.param(
            {"spec": {"devices": {"requests": [{"name": "gpu", "exactly": selecting("devise.driver == 'a'")}]}}},
            undeclared_reference(
                "spec.devices.requests[0].exactly.selectors[0].cel.expression", "devise.driver == 'a'", "devise"
            ),
            id="name that nothing declares",
        ),
        pytest.param(
            {"spec": {"devices": {"constraints": [{"requests": ["gpu", ""], "matchAttribute": "a.example.com/b"}]}}},
            [
                f'spec.devices.constraints[0].requests[1]: Invalid value: "": {words}'
                for words in (
                    *dns_label(""),
                    "must be the name of a request in the claim or the name of a request and "
                    "a subrequest separated by '/'",
                )
            ],
            id="request without a name",
        ),
        pytest.param(
            {"spec": {"devices": {"requests": [{"name": "gpu", "exactly": selecting("")}]}}},
            [
                (
                    'spec.devices.requests[0].exactly.selectors[0].cel.expression: Invalid value: "": compilation '
                    "failed: ERROR: <input>:1:0: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', "
                    "'.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}"
                )
            ],
            id="nothing to compile",
        ),
        pytest.param(
            {"spec": {"devices": {"requests": [{"name": "A b", "exactly": {"deviceClassName": "a"}}]}}},
            [
                (
                    'spec.devices.requests[0].name: Invalid value: "A b": a lowercase RFC 1123 label '
                    "must consist of lower case alphanumeric characters or '-', and must start and "
                    "end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used "
                    "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
                )
            ],
            id="name",
        ),
        pytest.param(
            {"spec": {"devices": {"requests": [{"name": "a"}]}}},
            ["spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required"],
            id="neither",
        ),
        pytest.param(
            {"spec": {"devices": {"requests": [{"name": "a", "exactly": {"deviceClassName": ""}}]}}},
            ["spec.devices.requests[0].exactly.deviceClassName: Required value"],
            id="class",
        ),
        pytest.param(
            {
                "spec": {
                    "devices": {
                        "requests": [{"name": "a", "exactly": {"deviceClassName": "a", "allocationMode": "Some"}}]
                    }
                }
            },
            [
                (
                    'spec.devices.requests[0].exactly.allocationMode: Unsupported value: "Some": '
                    'supported values: "All", "ExactCount"'
                )
            ],
            id="mode",
        ),
        pytest.param(
            {
                "spec": {
                    "devices": {
                        "requests": [
                            {
                                "name": "a",
                                "exactly": {"deviceClassName": "a", "allocationMode": "ExactCount", "count": -1},
                            }
                        ]
                    }
                }
            },
            ["spec.devices.requests[0].exactly.count: Invalid value: -1: must be greater than zero"],
            id="none of them",
        ),
        pytest.param(
            {
                "spec": {
                    "devices": {
                        "requests": [
                            {"name": "a", "exactly": {"deviceClassName": "a", "allocationMode": "All", "count": 5}}
                        ]
                    }
                }
            },
            [
                (
                    "spec.devices.requests[0].exactly.count: Invalid value: 5: must not be specified "
                    "when allocationMode is 'All'"
                )
            ],
            id="all of five",
        ),
        pytest.param(
            {"spec": {"devices": {"constraints": [{"requests": ["b"], "matchAttribute": "example.com/a"}]}}},
            [
                (
                    'spec.devices.constraints[0].requests[0]: Invalid value: "b": must be the name '
                    "of a request in the claim or the name of a request and a subrequest separated "
                    "by '/'"
                )
            ],
            id="requests that are not there",
        ),
    ],
)
def test_errors_of_claims_to_devices(patch: JsonObject, errors: list[str]) -> None:
    assert rejection_messages(BASE, patch) == errors
