"""Drift detection of helm-controller 1.6.3: which objects and fields are compared, and how they are corrected."""

import pytest

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.tools.helm.drift import DriftDetection, correction, is_excluded

SWITCH = {"helm.toolkit.fluxcd.io/driftDetection": "Disabled"}


def deployment(replicas: int = 1, **metadata: Json) -> JsonObject:
    names = {"name": "web", "namespace": "shop", "labels": {"app": "web"}, "annotations": {"team": "a"}}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {**names, **metadata},
        "spec": {"replicas": replicas},
    }


@pytest.mark.parametrize(
    ("target", "is_selected"),
    [
        pytest.param(None, True, id="no target"),
        pytest.param({}, True, id="empty target"),
        pytest.param({"kind": "Deploy.*", "group": "apps", "version": "v1"}, True, id="patterns"),
        pytest.param({"kind": "Deploy"}, False, id="a part of the kind"),
        pytest.param({"name": "web", "namespace": "shop"}, True, id="name and namespace"),
        pytest.param({"name": "other"}, False, id="another name"),
        pytest.param({"name": "("}, False, id="no pattern"),
        pytest.param({"labelSelector": "app in (web)", "annotationSelector": "team=a"}, True, id="selectors"),
        pytest.param({"labelSelector": "app!=web"}, False, id="another label"),
        pytest.param({"annotationSelector": "=="}, False, id="no selector"),
    ],
)
def test_a_rule_applies_to_the_objects_of_its_target(target: JsonObject | None, is_selected: bool) -> None:
    rule: JsonObject = {"paths": ["/spec/replicas"], **({} if target is None else {"target": target})}

    assert DriftDetection(rules=(rule,)).ignored_paths(deployment()) == (("/spec/replicas",) if is_selected else ())


@pytest.mark.parametrize(
    ("objects", "paths", "expected"),
    [
        pytest.param([deployment(), None], ["/spec"], False, id="compared"),
        pytest.param([deployment(labels=SWITCH), None], [], True, id="label of the manifest"),
        pytest.param([deployment(), deployment(annotations=SWITCH)], [], True, id="annotation in the cluster"),
        pytest.param([deployment()], ["/spec", ""], True, id="ignored as a whole"),
    ],
)
def test_objects_are_left_out_by_a_mark_or_a_rule(
    objects: list[JsonObject | None], paths: list[str], expected: bool
) -> None:
    assert is_excluded(objects, paths) is expected


def test_a_correction_sets_what_differs_and_leaves_ignored_paths_and_labels_of_others() -> None:
    live = {**deployment(5, labels={"app": "old", "other": "x"}, annotations={}), "status": {"replicas": 5}}

    assert correction(live, deployment(1), ["/spec/replicas"]) == (
        {"op": "add", "path": "/metadata/annotations/team", "value": "a"},
        {"op": "replace", "path": "/metadata/labels/app", "value": "web"},
    )
    assert correction(live, deployment(1), [])[-1] == {"op": "replace", "path": "/spec/replicas", "value": 1}
    assert correction(live, live, []) == ()
