"""Defaults of resource.k8s.io, as kube-apiserver 1.36 sets them."""

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.defaults.support import fields_with_defaults

CLAIM = "ResourceClaim"


@pytest.mark.parametrize(
    ("api_version", "kind", "fields", "added"),
    [
        pytest.param(
            "resource.k8s.io/v1",
            CLAIM,
            {
                "spec": {
                    "devices": {
                        "requests": [
                            {"exactly": {"tolerations": [{"key": "k"}]}},
                            {"firstAvailable": [{"allocationMode": "All"}]},
                        ]
                    }
                }
            },
            {
                "spec": {
                    "devices": {
                        "requests": [
                            {
                                "exactly": {
                                    "allocationMode": "ExactCount",
                                    "count": 1,
                                    "tolerations": [{"key": "k", "operator": "Equal"}],
                                }
                            },
                            {"firstAvailable": [{"allocationMode": "All"}]},
                        ]
                    }
                }
            },
            id="devices",
        ),
        pytest.param(
            "resource.k8s.io/v1beta1",
            CLAIM,
            {
                "spec": {
                    "devices": {
                        "requests": [
                            {"deviceClassName": "c"},
                            {"firstAvailable": [{}]},
                            {"deviceClassName": "c", "count": 2},
                        ]
                    }
                }
            },
            {
                "spec": {
                    "devices": {
                        "requests": [
                            {"deviceClassName": "c", "allocationMode": "ExactCount", "count": 1},
                            {"firstAvailable": [{"allocationMode": "ExactCount", "count": 1}]},
                            {"deviceClassName": "c", "allocationMode": "ExactCount", "count": 2},
                        ]
                    }
                }
            },
            id="devices of v1beta1",
        ),
    ],
)
def test_a_kind_gets_its_defaults(api_version: str, kind: str, fields: JsonObject, added: JsonObject) -> None:
    assert fields_with_defaults(api_version, kind, fields) == added


def test_an_old_claim_waits_for_its_pod() -> None:
    claim = fields_with_defaults("resource.k8s.io/v1alpha2", CLAIM, {"spec": {}}, "1.30")

    assert claim == {"spec": {"allocationMode": "WaitForFirstConsumer"}}
