"""Defaults of scheduling.k8s.io, as kube-apiserver 1.36 and 1.37 set them."""

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.defaults.support import fields_with_defaults


@pytest.mark.parametrize(
    ("api_version", "kind", "fields", "added"),
    [
        pytest.param(
            "scheduling.k8s.io/v1",
            "PriorityClass",
            {},
            {"preemptionPolicy": "PreemptLowerPriority"},
            id="priority class",
        ),
        pytest.param(
            "scheduling.k8s.io/v1",
            "PriorityClass",
            {"preemptionPolicy": "Never"},
            {"preemptionPolicy": "Never"},
            id="written",
        ),
        pytest.param(
            "scheduling.k8s.io/v1alpha2",
            "PodGroup",
            {"spec": {}},
            {"spec": {"disruptionMode": "Pod"}},
            id="a group of pods of 1.36",
        ),
    ],
)
def test_a_kind_gets_its_defaults(api_version: str, kind: str, fields: JsonObject, added: JsonObject) -> None:
    assert fields_with_defaults(api_version, kind, fields) == added


@pytest.mark.parametrize(
    ("api_version", "kind"),
    [
        ("scheduling.k8s.io/v1alpha3", "PodGroup"),
        ("scheduling.k8s.io/v1beta1", "PodGroup"),
        ("scheduling.k8s.io/v1alpha3", "CompositePodGroup"),
    ],
    ids=str,
)
def test_groups_of_pods_since_1_37(api_version: str, kind: str) -> None:
    disruption: JsonObject = {"disruptionMode": {"single": {}}}

    assert fields_with_defaults(api_version, kind, {"spec": {}}, "1.37") == {"spec": disruption}
