"""Normal forms: what differs from run to run is fixed, what people wrote stays."""

import pytest

from kubectl_applylint.core.values import Json
from tests.cluster.normal import RESOURCE_VERSION, TIME, UID, after_form, differing, live_form

SINCE = "2026-11-21T10:00:00Z"
NOW = "2026-11-21T10:00:01Z"
JOB: dict[str, Json] = {
    "metadata": {
        "name": "once",
        "namespace": "case-7",
        "uid": "abc-1",
        "resourceVersion": "812",
        "generation": 2,
        "creationTimestamp": NOW,
        "annotations": {"last": '{"namespace":"case-7"}', "written": "2020-02-02T00:00:00Z"},
        "managedFields": [
            {"manager": "b", "operation": "Update", "time": NOW},
            {"manager": "a", "operation": "Update", "time": NOW},
            {"manager": "c", "operation": "Apply", "time": NOW},
        ],
    },
    "spec": {"selector": {"matchLabels": {"controller-uid": "abc-1"}}},
    "status": {"startTime": NOW},
}


def test_the_live_form_has_fixed_uid_version_namespace_and_times() -> None:
    live = live_form(JOB, namespace="case-7", since=SINCE)
    metadata = live["metadata"]

    assert (metadata["uid"], metadata["resourceVersion"], metadata["creationTimestamp"]) == (
        UID,
        RESOURCE_VERSION,
        TIME,
    )
    assert metadata["annotations"] == {"last": '{"namespace":"default"}', "written": "2020-02-02T00:00:00Z"}
    assert live["spec"]["selector"]["matchLabels"] == {"controller-uid": UID}
    assert live["status"] == {"startTime": TIME}


def test_owners_are_sorted_without_their_times() -> None:
    live = live_form(JOB, namespace="case-7", since=SINCE)

    assert [entry["manager"] for entry in live["metadata"]["managedFields"]] == ["c", "a", "b"]


def test_the_form_afterwards_has_nothing_that_the_server_made() -> None:
    after = after_form(JOB, namespace="case-7", since=SINCE)

    assert set(after) == {"metadata", "spec"}
    assert set(after["metadata"]) == {"name", "namespace", "annotations", "managedFields"}
    assert after["metadata"]["managedFields"][0] == {"manager": "c", "operation": "Apply"}


@pytest.mark.parametrize(
    ("left", "right", "paths"),
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": 1}, {"a": 1.0}, ["a"]),
        ({"a": {"b": [1, 2]}}, {"a": {"b": [1]}}, ["a.b[1]"]),
        (None, {"a": 1}, ["", "a"]),
        ({"clusterIP": "10.0.0.1"}, {"clusterIP": "10.0.0.2"}, []),
        ({"clusterIP": "10.0.0.1"}, {"clusterIP": "None"}, ["clusterIP"]),
        ({"clusterIPs": ["10.0.0.1"]}, {"clusterIPs": ["10.0.0.2"]}, []),
        ({"clusterIPs": ["10.0.0.1"]}, {"clusterIPs": None}, ["clusterIPs", "clusterIPs[0]"]),
        ({"nodePort": 30001}, {"nodePort": 30002}, []),
        ({"nodePort": 30001}, {"nodePort": 80}, ["nodePort"]),
    ],
    ids=[
        "same",
        "integer and float",
        "one more",
        "absent",
        "address",
        "headless",
        "addresses",
        "no addresses",
        "port",
        "port out of range",
    ],
)
def test_only_what_the_server_hands_out_may_differ(left: Json, right: Json, paths: list[str]) -> None:
    assert differing(left, right) == paths


def test_the_status_of_a_definition_does_not_count() -> None:
    early = {"kind": "CustomResourceDefinition", "metadata": {"managedFields": []}, "spec": {"group": "a"}}
    owner = {"manager": "kube-apiserver", "subresource": "status"}
    late = {**early, "metadata": {"managedFields": [owner]}, "status": {"conditions": []}}

    assert differing(early, late) == []
    assert differing(early, {**late, "spec": {"group": "b"}}) == ["spec.group"]
