"""Properties of single checks that the cases of the rules do not show."""

import pytest

from kubectl_applylint.core.paths import render
from kubectl_applylint.core.state import LAST_APPLIED, Present
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.lint import checks
from tests.rules.stories import subject


def hit_paths(name: str, manifest: JsonObject, params: JsonObject, live: JsonObject | None = None) -> list[str]:
    asked = subject(manifest, live=Present(live)) if live else subject(manifest)
    return [render(hit.path) for hit in checks.load(name)(asked, params=params)]


def pod(spec: JsonObject) -> JsonObject:
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web"}, "spec": spec}


def job(**spec: Json) -> JsonObject:
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "once"}, "spec": spec}


WIDGET: JsonObject = {
    "apiVersion": "example.com/v1",
    "kind": "Widget",
    "metadata": {"name": "w"},
    "spec": {"ports": [{"port": 1}, {"port": 1}]},
}


@pytest.mark.parametrize(
    ("copy", "expected"),
    [(WIDGET, []), ({**WIDGET, "spec": {}}, ["metadata.name"]), ({**WIDGET, "kind": "Gadget"}, [])],
    ids=["the same", "another content", "another kind"],
)
def test_a_copy_that_says_the_same_does_no_harm(copy: JsonObject, expected: list[str]) -> None:
    hits = checks.load("duplicate_objects")(subject(WIDGET, peers=[copy]), params={})

    assert [render(hit.path) for hit in hits] == expected


def test_an_unknown_kind_has_no_spread_constraints() -> None:
    assert hit_paths("spread_without_selector", WIDGET, {}) == []


@pytest.mark.parametrize(
    ("name", "params"),
    [("duplicate_merge_keys", {"twins": "same"}), ("list_entries_lost", {})],
    ids=["duplicates", "lost"],
)
def test_lists_of_custom_resources_do_not_merge(name: str, params: JsonObject) -> None:
    assert hit_paths(name, WIDGET, params) == []


def test_elements_without_a_key_are_no_twins() -> None:
    manifest = pod({"containers": [{"name": "a", "env": [{"value": "x"}, {"value": "y"}, "odd", {"name": None}]}]})

    assert hit_paths("duplicate_merge_keys", manifest, {"twins": "same"}) == []
    assert hit_paths("list_entries_lost", manifest, {}) == []


def test_a_third_twin_is_found_too() -> None:
    manifest = pod({"imagePullSecrets": [{"name": "a"}, {"name": "a"}, {"name": "b"}, {"name": "a"}]})

    assert hit_paths("duplicate_merge_keys", manifest, {"twins": "same"}) == [
        "spec.imagePullSecrets[1]",
        "spec.imagePullSecrets[3]",
    ]


def test_a_selector_that_the_live_job_has_is_its_own() -> None:
    selector = {"matchLabels": {"batch.kubernetes.io/controller-uid": "1"}}

    assert hit_paths("job_selector_set", job(selector=selector), {}, live=job(selector=selector)) == []
    assert hit_paths("job_selector_set", job(selector=selector), {}) == ["spec.selector"]


def test_a_kind_without_the_union_has_no_leftover() -> None:
    assert hit_paths("union_member_leftover", pod({}), {"unions": {}, "written": True}) == []


def test_annotations_of_an_object_that_cannot_be_made_have_no_size() -> None:
    live = {**WIDGET, "metadata": {"name": "w", "annotations": {LAST_APPLIED: "{"}}}

    assert hit_paths("annotations_size", WIDGET, {"over": 0}, live=live) == []


def test_a_namespace_of_the_autoscaler_counts() -> None:
    deployment = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web", "namespace": "shop"},
        "spec": {"replicas": 2},
    }
    autoscaler = {
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": "web", "namespace": "other"},
        "spec": {"scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}},
    }
    params: Json = {"autoscalers": {"HorizontalPodAutoscaler.autoscaling": {}}}

    assert list(checks.load("autoscaled_replicas")(subject(deployment, peers=[autoscaler]), params=params)) == []


def test_a_check_is_found_by_its_name() -> None:
    assert checks.exists("duplicate_objects")
    assert not checks.exists("_lists")
    assert not checks.exists("gone")
    assert not checks.exists("../duplicate_objects")
