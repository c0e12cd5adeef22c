"""Choice of a default class, as seen on Kubernetes 1.36.3 with classes of storage."""

import pytest

from kubectl_applylint.core.state import UNSEEN
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.server.admission.default_class import DefaultClass, is_assumed, with_default_class
from kubectl_applylint.server.admission_inputs import STORAGE_CLASS
from tests.server.admission.objects import cluster_view, of_cluster, write_of

MARK, OLD_MARK = "is-default", "beta-is-default"
CLASS = DefaultClass(STORAGE_CLASS, (MARK, OLD_MARK), "storageClassName", "older")


def storage(name: str, mark: str = MARK, value: str = "true", since: str = "2026-01-01") -> JsonObject:
    found = of_cluster("storage.k8s.io/v1", "StorageClass", name, {mark: value})
    return {**found, "metadata": {**found["metadata"], "creationTimestamp": since}}


@pytest.mark.parametrize(
    ("classes", "chosen"),
    [
        pytest.param([], None, id="none"),
        pytest.param([storage("slow", value="false")], None, id="none is marked"),
        pytest.param([storage("slow", value="false"), storage("fast")], "fast", id="one"),
        pytest.param([storage("fast", OLD_MARK)], "fast", id="any of the marks"),
        pytest.param([storage("a"), storage("b", since="2026-02-01")], "b", id="the newest"),
        pytest.param([storage("b"), storage("a")], "a", id="the first by name"),
    ],
)
def test_the_class_of_a_claim(classes: list[JsonObject], chosen: str | None) -> None:
    write = write_of("v1", "PersistentVolumeClaim", {"spec": {}}, known=UNSEEN.with_objects(classes))
    result = with_default_class(write, CLASS).object

    assert result["spec"].get("storageClassName") == chosen


@pytest.mark.parametrize(
    ("new", "old"),
    [
        pytest.param({"spec": {"storageClassName": "slow"}}, None, id="a class"),
        pytest.param({"spec": {"storageClassName": ""}}, None, id="empty is a class, too"),
        pytest.param({"metadata": {"annotations": {"older": "x"}}, "spec": {}}, None, id="noted as of old"),
        pytest.param({"spec": {}}, {"spec": {}}, id="update"),
    ],
)
def test_objects_with_a_class_keep_it(new: JsonObject, old: JsonObject | None) -> None:
    write = write_of("v1", "PersistentVolumeClaim", new, old, UNSEEN.with_objects([storage("fast")]))

    assert with_default_class(write, CLASS).object == new


@pytest.mark.parametrize(
    ("spec", "old", "whole", "is_it"),
    [
        pytest.param({"storageClassName": None}, None, False, True, id="null is no class"),
        pytest.param({"storageClassName": ""}, None, False, False, id="empty is one"),
        pytest.param({}, {}, False, False, id="update"),
        pytest.param({}, None, True, False, id="all classes are known"),
    ],
)
def test_there_may_be_a_default_class_that_is_not_known(
    spec: JsonObject, old: JsonObject | None, whole: bool, is_it: bool
) -> None:
    known = cluster_view(whole=[(*STORAGE_CLASS, "")] if whole else [])

    assert is_assumed(write_of("v1", "PersistentVolumeClaim", {"spec": spec}, old, known), CLASS) == is_it
