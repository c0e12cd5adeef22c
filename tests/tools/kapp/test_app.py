"""The labels of an app, and the annotation that says which object kapp has written."""

import pytest

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.tools.kapp.app import (
    IDENTITY,
    KappApp,
    KappWrite,
    as_compared,
    association,
    is_written_by_kapp,
    unique_key,
    with_identity,
    without_identity,
)
from kubectl_applylint.tools.kapp.paths import PathError
from kubectl_applylint.tools.kapp.rules import KappRules

APP = KappApp("app", "ns", "7")
OWN = {"kapp.k14s.io/app": "7"}
DEPLOYMENT: dict[str, Json] = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "web", "namespace": "ns"},
    "spec": {"selector": {"matchLabels": {"app": "web"}}, "template": {"metadata": {"labels": {"app": "web"}}}},
}


def test_the_label_of_the_association_is_the_one_that_kapp_writes() -> None:
    job = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "once", "namespace": "rel-k2-32"}}

    assert unique_key(DEPLOYMENT) == "ns/apps/Deployment/web"
    assert association(job) == "v1.9eb7928c5779a90a104176f10f9d3772"


def test_labels_reach_into_pods_and_selectors() -> None:
    labelled = APP.with_app_labels(DEPLOYMENT, KappRules())
    both = {**OWN, "kapp.k14s.io/association": association(DEPLOYMENT)}

    assert APP.owns(labelled)
    assert labelled["metadata"]["labels"] == both
    assert labelled["spec"]["template"]["metadata"]["labels"] == {"app": "web", **both}
    assert labelled["spec"]["selector"]["matchLabels"] == {"app": "web", **OWN}


def test_selectors_stay_without_label_scoping() -> None:
    config = {"additionalLabels": {"team": "a"}}
    labelled = APP.with_app_labels(DEPLOYMENT, KappRules((config,)), is_scoped=False)

    assert labelled["spec"]["selector"]["matchLabels"] == {"app": "web"}
    assert labelled["metadata"]["labels"]["team"] == "a"


def test_labels_that_are_no_map_are_a_fault() -> None:
    fault = "StringMapAppendMod for path 'metadata,labels' on resource 'deployment/web .apps/v1. namespace: ns'"
    with pytest.raises(PathError, match=fault):
        APP.with_app_labels({**DEPLOYMENT, "metadata": {**DEPLOYMENT["metadata"], "labels": "x"}}, KappRules())


def test_an_object_of_kapp_is_known_by_its_annotation() -> None:
    written: JsonObject = with_identity(DEPLOYMENT)

    assert written["metadata"]["annotations"] == {IDENTITY: "v1;ns/apps/Deployment/web;apps/v1"}
    assert is_written_by_kapp(written)
    assert not is_written_by_kapp(DEPLOYMENT)
    assert without_identity(written)["metadata"]["annotations"] == {}
    assert not is_written_by_kapp({**written, "metadata": {**written["metadata"], "name": "copy"}})


def test_an_object_that_is_found_by_its_label_is_compared_without_the_annotation() -> None:
    written = with_identity(APP.with_app_labels(DEPLOYMENT, KappRules()))

    assert as_compared(written, APP) == without_identity(written)
    assert as_compared(with_identity(DEPLOYMENT), APP) == with_identity(DEPLOYMENT)


def test_kapp_uses_its_record_and_the_default_strategy() -> None:
    how = KappWrite(KappApp("app", "ns", "7"))

    assert (how.by_memory, how.strategy, how.is_new_version) == (True, "", False)
