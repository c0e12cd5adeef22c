"""Defaults of flowcontrol.apiserver.k8s.io, as kube-apiserver 1.36 sets them."""

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.defaults.support import fields_with_defaults

ALPHA = "PriorityLevelConfiguration"
KEEPS_ZERO = {"annotations": {"flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares": ""}}


@pytest.mark.parametrize(
    ("api_version", "kind", "fields", "added"),
    [
        pytest.param(
            "flowcontrol.apiserver.k8s.io/v1",
            "FlowSchema",
            {"spec": {}},
            {"spec": {"matchingPrecedence": 1000}},
            id="flow schema",
        ),
        pytest.param(
            "flowcontrol.apiserver.k8s.io/v1",
            ALPHA,
            {"spec": {"limited": {"limitResponse": {"queuing": {}}}}},
            {
                "spec": {
                    "limited": {
                        "nominalConcurrencyShares": 30,
                        "lendablePercent": 0,
                        "limitResponse": {"queuing": {"queues": 64, "handSize": 8, "queueLengthLimit": 50}},
                    }
                }
            },
            id="limited level",
        ),
        pytest.param(
            "flowcontrol.apiserver.k8s.io/v1",
            ALPHA,
            {"spec": {"exempt": {}}},
            {"spec": {"exempt": {"nominalConcurrencyShares": 0, "lendablePercent": 0}}},
            id="exempt level",
        ),
    ],
)
def test_a_kind_gets_its_defaults(api_version: str, kind: str, fields: JsonObject, added: JsonObject) -> None:
    assert fields_with_defaults(api_version, kind, fields) == added


@pytest.mark.parametrize(
    ("metadata", "limited", "shares"),
    [
        pytest.param({}, {"nominalConcurrencyShares": 0}, 30, id="zero is none"),
        pytest.param(KEEPS_ZERO, {"nominalConcurrencyShares": 0}, 0, id="zero is meant"),
        pytest.param({}, {"nominalConcurrencyShares": 5}, 5, id="written"),
    ],
)
def test_shares_of_the_old_version(metadata: JsonObject, limited: JsonObject, shares: int) -> None:
    level = {"metadata": metadata, "spec": {"limited": limited}}
    result = fields_with_defaults("flowcontrol.apiserver.k8s.io/v1beta3", ALPHA, level, "1.30")

    assert result["spec"]["limited"] == {"nominalConcurrencyShares": shares, "lendablePercent": 0}
