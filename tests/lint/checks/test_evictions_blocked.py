"""Properties of the check of disruption budgets that the cases of its rules do not show."""

import pytest

from kubectl_applylint.core.paths import render
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.lint import checks
from tests.rules.stories import subject


def budget(**bounds: Json) -> JsonObject:
    spec = {**bounds, "selector": {"matchLabels": {"app": "web"}}}
    return {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": "web"}, "spec": spec}


def workload(api_version: str, kind: str, **spec: Json) -> JsonObject:
    template = {"metadata": {"labels": {"app": "web"}}, "spec": {}}
    return {
        "apiVersion": api_version,
        "kind": kind,
        "metadata": {"name": "web"},
        "spec": {**spec, "template": template},
    }


DEPLOYMENT = workload("apps/v1", "Deployment", replicas=1)
SCALED: JsonObject = {
    "apiVersion": "keda.sh/v1alpha1",
    "kind": "ScaledObject",
    "metadata": {"name": "web"},
    "spec": {"scaleTargetRef": {"name": "web"}},
}


def hit_paths(bound: str, manifest: JsonObject, *peers: JsonObject) -> list[str]:
    hits = checks.load("evictions_blocked")(subject(manifest, peers=peers), params={"bound": bound})
    return [render(hit.path) for hit in hits]


@pytest.mark.parametrize(
    ("peers", "expected"),
    [
        ((DEPLOYMENT,), ["spec.minAvailable"]),
        ((DEPLOYMENT, SCALED), []),
        ((workload("batch/v1", "Job"),), []),
        ((DEPLOYMENT, workload("apps/v1", "StatefulSet", replicas=0)), ["spec.minAvailable"]),
    ],
    ids=["one workload", "scaled by KEDA", "not scaled", "another without pods"],
)
def test_a_minimum_is_compared_with_a_known_number_of_pods(peers: tuple[JsonObject, ...], expected: list[str]) -> None:
    assert hit_paths("replicas", budget(minAvailable=1), *peers) == expected


@pytest.mark.parametrize(
    "manifest",
    [budget(maxUnavailable=0, minAvailable=1), {**budget(), "spec": {"maxUnavailable": 0}}, budget()],
    ids=["refused", "without selector", "without bound"],
)
def test_a_budget_that_protects_nothing_blocks_nothing(manifest: JsonObject) -> None:
    assert hit_paths("always", manifest, DEPLOYMENT) == []


def test_a_share_counts_as_one_of_the_two_rules() -> None:
    assert hit_paths("replicas", budget(minAvailable="100%"), DEPLOYMENT) == []
    assert hit_paths("always", budget(minAvailable="100%"), DEPLOYMENT) == ["spec.minAvailable"]
