"""Validation of ranges of addresses: kube-apiserver 1.36.3, dry runs of 2026-11-21."""

from typing import Final

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.validate.objects import rejection_messages

BASE: Final[JsonObject] = {
    "apiVersion": "networking.k8s.io/v1",
    "kind": "ServiceCIDR",
    "metadata": {"name": "x"},
    "spec": {"cidrs": ["10.0.0.0/24"]},
}


@pytest.mark.parametrize(
    ("patch", "errors"),
    [
        pytest.param({}, [], id="valid"),
        pytest.param({"spec": {"cidrs": []}}, ["spec.cidrs: Required value: at least one CIDR required"], id="none"),
        pytest.param(
            {"spec": {"cidrs": ["10.0.0.0/24", "10.0.1.0/24"]}},
            [
                (
                    'spec.cidrs: Invalid value: ["10.0.0.0/24","10.0.1.0/24"]: may specify no more '
                    "than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64"
                )
            ],
            id="of one family",
        ),
        pytest.param(
            {"spec": {"cidrs": ["10.0.0.0/24", "fd00::/112", ""]}},
            ['spec.cidrs: Invalid value: {"CIDRs":["10.0.0.0/24","fd00::/112",""]}: may only hold up to 2 values'],
            id="three",
        ),
        pytest.param(
            {"spec": {"cidrs": ["10.0.0.0"]}},
            [
                (
                    'spec.cidrs[0]: Invalid value: "10.0.0.0": must be a valid CIDR value, (e.g. '
                    "10.9.8.0/24 or 2001:db8::/64)"
                )
            ],
            id="no range",
        ),
    ],
)
def test_errors_of_ranges_of_addresses(patch: JsonObject, errors: list[str]) -> None:
    assert rejection_messages(BASE, patch) == errors
