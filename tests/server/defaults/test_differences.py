"""Defaults that only some minors have."""

import pytest

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.server.defaults.differences import SINCE, holds
from tests.server.defaults.support import fields_with_defaults

IMAGE: JsonObject = {"name": "v", "image": {"reference": "r:1"}}
ROLLING: JsonObject = {"spec": {"updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {}}}}


@pytest.mark.parametrize(("place", "minor"), sorted(SINCE.items()))
def test_a_default_holds_from_its_minor_on(place: str, minor: int) -> None:
    assert [holds(place, each) for each in (minor - 1, minor, minor + 1)] == [False, True, True]


def test_all_others_hold_always() -> None:
    assert holds("core.v1.Pod.spec.restartPolicy", 0)


def test_an_older_server_sets_no_pull_policy_for_images_that_are_mounted() -> None:
    def pull_policy(version: str) -> object:
        spec = fields_with_defaults("v1", "Pod", {"spec": {"volumes": [IMAGE]}}, version)["spec"]
        return spec["volumes"][0]["image"].get("pullPolicy")

    assert [pull_policy("1.34"), pull_policy("1.35")] == [None, "IfNotPresent"]


def test_an_older_server_leaves_the_unavailable_pods_of_a_stateful_set_open() -> None:
    def limit(version: str) -> object:
        spec = fields_with_defaults("apps/v1", "StatefulSet", ROLLING, version)["spec"]
        return spec["updateStrategy"]["rollingUpdate"].get("maxUnavailable")

    assert [limit("1.36"), limit("1.37")] == [None, 1]
