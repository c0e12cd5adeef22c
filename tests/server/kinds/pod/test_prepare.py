"""New pods, as seen on Kubernetes 1.36.3 (and 1.33.13 for the annotations that it writes)."""

import pytest

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.server.kinds.pod.prepare import create, prepare, prepare_status

KEY = "container.apparmor.security.beta.kubernetes.io/c"
REQUIRED, PREFERRED = (
    "requiredDuringSchedulingIgnoredDuringExecution",
    "preferredDuringSchedulingIgnoredDuringExecution",
)
LABELS: JsonObject = {"tier": "web", "app": "shop"}
DEFAULT: JsonObject = {"type": "RuntimeDefault"}
PLAIN: JsonObject = {"labelSelector": {"matchLabels": {"x": "y"}}, "matchLabelKeys": ["tier"]}
OWN: JsonObject = {"key": "tier", "operator": "In", "values": ["web"]}
SELECTING: JsonObject = {**PLAIN, "labelSelector": {"matchLabels": {"x": "y"}, "matchExpressions": [OWN]}}


def created_pod(spec: JsonObject, minor: int = 36, annotations: JsonObject | None = None) -> JsonObject:
    return create({"metadata": {"labels": LABELS, "annotations": annotations or {}}, "spec": spec}, minor)


@pytest.mark.parametrize(
    ("term", "after"),
    [
        pytest.param(PLAIN, SELECTING, id="own label"),
        pytest.param(
            {"labelSelector": {"matchExpressions": [OWN]}, "mismatchLabelKeys": ["app"]},
            {
                "labelSelector": {"matchExpressions": [OWN, {"key": "app", "operator": "NotIn", "values": ["shop"]}]},
                "mismatchLabelKeys": ["app"],
            },
            id="not the own label",
        ),
        pytest.param({"matchLabelKeys": ["tier"]}, {"matchLabelKeys": ["tier"]}, id="no selector"),
        pytest.param(
            {"labelSelector": {}, "matchLabelKeys": ["none"]},
            {"labelSelector": {}, "matchLabelKeys": ["none"]},
            id="a label that the pod lacks",
        ),
        pytest.param({"labelSelector": {}}, {"labelSelector": {}}, id="no keys"),
    ],
)
def test_terms_select_by_the_pods_own_labels(term: JsonObject, after: JsonObject) -> None:
    assert created_pod({"affinity": {"podAffinity": {REQUIRED: [term]}}})["spec"] == {
        "affinity": {"podAffinity": {REQUIRED: [after]}}
    }


@pytest.mark.parametrize(
    ("field", "before", "after", "since"),
    [
        pytest.param(
            "affinity",
            {"nodeAffinity": {}, "podAntiAffinity": {PREFERRED: [{"podAffinityTerm": PLAIN}]}},
            {"nodeAffinity": {}, "podAntiAffinity": {PREFERRED: [{"podAffinityTerm": SELECTING}]}},
            31,
            id="affinity",
        ),
        pytest.param("topologySpreadConstraints", [PLAIN], [SELECTING], 34, id="spreading"),
    ],
)
def test_preparations_begin_with_a_minor(field: str, before: Json, after: Json, since: int) -> None:
    assert created_pod({field: before}, since)["spec"][field] == after
    assert created_pod({field: before}, since - 1)["spec"][field] == before


@pytest.mark.parametrize(
    ("text", "profile"),
    [
        pytest.param("runtime/default", DEFAULT, id="default"),
        pytest.param("unconfined", {"type": "Unconfined"}, id="unconfined"),
        pytest.param("localhost/mine", {"type": "Localhost", "localhostProfile": "mine"}, id="a profile of the node"),
        pytest.param("localhost/", None, id="no name"),
        pytest.param("other", None, id="not valid"),
    ],
)
def test_annotated_profiles_become_fields(text: str, profile: JsonObject | None) -> None:
    spec = created_pod({"containers": [{"name": "c"}, {"name": "d"}]}, annotations={KEY: text})["spec"]
    contexts = [container.get("securityContext") for container in spec["containers"]]

    assert contexts == [{"appArmorProfile": profile} if profile else None, None]


@pytest.mark.parametrize(
    "spec",
    [
        pytest.param(
            {"securityContext": {"appArmorProfile": DEFAULT}, "containers": [{"name": "c"}]}, id="the pod's own"
        ),
        pytest.param(
            {"containers": [{"name": "c", "securityContext": {"appArmorProfile": {"type": "Unconfined"}}}]},
            id="written",
        ),
        pytest.param({"os": {"name": "windows"}, "containers": [{"name": "c"}]}, id="windows"),
    ],
)
def test_profiles_that_need_no_field(spec: JsonObject) -> None:
    assert created_pod(spec, annotations={KEY: "runtime/default"})["spec"] == spec


@pytest.mark.parametrize(
    ("minor", "annotations", "after"),
    [
        pytest.param(33, {}, {KEY: "runtime/default"}, id="written until 1.33"),
        pytest.param(33, {KEY: "unconfined"}, {KEY: "unconfined"}, id="never overwritten"),
        pytest.param(34, {}, {}, id="not since"),
        pytest.param(29, {}, {}, id="not before 1.30"),
    ],
)
def test_annotations_for_the_pods_profile(minor: int, annotations: JsonObject, after: JsonObject) -> None:
    spec = {"securityContext": {"appArmorProfile": DEFAULT}, "containers": [{"name": "c"}]}

    assert created_pod(spec, minor, annotations)["metadata"]["annotations"] == after


def test_an_annotation_for_a_profile_of_the_node() -> None:
    profile = {"type": "Localhost", "localhostProfile": "mine"}
    pod = created_pod({"containers": [{"name": "c", "securityContext": {"appArmorProfile": profile}}]}, 33)

    assert pod["metadata"]["annotations"] == {KEY: "localhost/mine"}


def test_the_labels_of_a_stored_pod_do_not_change_it() -> None:
    pod: JsonObject = {"metadata": {"labels": {"a": "b"}}, "spec": {}}

    assert prepare(pod, pod, 36) is pod


@pytest.mark.parametrize(
    ("written", "stored", "after"),
    [
        pytest.param({}, {"qosClass": "Burstable"}, {"qosClass": "Burstable"}, id="not written"),
        pytest.param({"qosClass": "Guaranteed"}, {"qosClass": "Burstable"}, {"qosClass": "Guaranteed"}, id="written"),
        pytest.param({"phase": "Running"}, {}, {"phase": "Running"}, id="there is none"),
    ],
)
def test_the_class_of_service_stays_in_the_status(written: JsonObject, stored: JsonObject, after: JsonObject) -> None:
    assert prepare_status({"status": written}, {"status": stored}) == {"status": after}
