import pytest

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.server.validate import validate
from tests.server.stored import kind_of
from tests.server.validate.objects import fields, messages, template, workload

CLAIM = {
    "metadata": {"name": "data"},
    "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}},
}
SIZELESS = {"metadata": {"name": "data"}, "spec": {"accessModes": ["ReadWriteOnce"]}}
MOUNT = {"volumeMounts": [{"name": "data", "mountPath": "/data"}]}
NO_IMAGE = template(container={"image": ""})
ONLY = (
    "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', "
    "'updateStrategy', {}'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden"
)


def stateful(**spec: Json) -> JsonObject:
    return workload("StatefulSet", **spec)


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({}, []),
        ({"serviceName": "a.b"}, ["serviceName"]),
        ({"podManagementPolicy": "x"}, ["podManagementPolicy"]),
        ({"updateStrategy": {"type": "x"}}, ["updateStrategy"]),
        ({"updateStrategy": {"type": "OnDelete"}}, []),
        ({"updateStrategy": {"type": "OnDelete", "rollingUpdate": {}}}, ["updateStrategy.rollingUpdate"]),
        (
            {"updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"partition": -1, "maxUnavailable": 0}}},
            ["updateStrategy.rollingUpdate.maxUnavailable", "updateStrategy.rollingUpdate.partition"],
        ),
        (
            {"persistentVolumeClaimRetentionPolicy": {"whenDeleted": "x"}},
            ["persistentVolumeClaimRetentionPolicy.whenDeleted"],
        ),
        (
            {"ordinals": {"start": -1}, "replicas": -1, "minReadySeconds": -1},
            ["minReadySeconds", "ordinals.start", "replicas"],
        ),
        ({"selector": {"matchLabels": {"a b": ""}}}, ["selector", "selector.matchLabels"]),
        ({"selector": None}, ["selector", "template.metadata.labels"]),
        ({"volumeClaimTemplates": [SIZELESS]}, ["volumeClaimTemplates[0].spec.resources[storage]"]),
        ({"volumeClaimTemplates": [CLAIM], "pods": template(container=MOUNT)}, []),
        ({"pods": template(container=MOUNT)}, ["template.spec.containers[0].volumeMounts[0].name"]),
        ({"pods": template(restartPolicy="Never")}, ["template.spec.restartPolicy"]),
        ({"pods": NO_IMAGE}, ["template.spec.containers[0].image"]),
        ({"pods": template(hostname="A_b")}, []),
    ],
)
def test_stateful_sets(spec: JsonObject, expected: list[str]) -> None:
    found = [field.removeprefix("spec.") for field in fields(stateful(**spec))]

    assert found == [*expected]


@pytest.mark.parametrize(
    ("new", "old", "version", "expected"),
    [
        pytest.param({"replicas": 5, "revisionHistoryLimit": 1}, {}, "1.33", [], id="what may change"),
        pytest.param({"revisionHistoryLimit": 1}, {}, "1.30", [ONLY.format("")], id="history up to 1.32"),
        pytest.param(
            {"podManagementPolicy": "Parallel"}, {}, "1.36", [ONLY.format("'revisionHistoryLimit', ")], id="the rest"
        ),
        pytest.param({"volumeClaimTemplates": [CLAIM]}, {"volumeClaimTemplates": [CLAIM]}, "1.36", [], id="claims"),
        pytest.param({"pods": NO_IMAGE}, {"pods": NO_IMAGE}, "1.36", [], id="a template that is stored wrong"),
        pytest.param(
            {"pods": NO_IMAGE},
            {},
            "1.36",
            ["spec.template.spec.containers[0].image: Required value"],
            id="a template that becomes wrong",
        ),
    ],
)
def test_most_of_a_stateful_set_stays(new: JsonObject, old: JsonObject, version: str, expected: list[str]) -> None:
    assert messages(stateful(**new), stateful(**old), version) == expected


def test_pods_are_not_validated_up_to_1_33() -> None:
    wrong = stateful(pods=template(container={"image": ""}, metadata={"annotations": {"a b": ""}}), serviceName="a.b")

    assert fields(wrong, version="1.30") == ["spec.template.annotations"]
    assert fields(wrong, version="1.33") == ["spec.serviceName", "spec.template.annotations"]


def test_from_1_37_on_the_field_that_must_stay_is_named() -> None:
    old = stateful(podManagementPolicy="OrderedReady", updateStrategy={"type": "OnDelete"}, serviceName="a")
    new = {**old, "spec": {**old["spec"], "podManagementPolicy": "Parallel", "serviceName": "b"}}
    kind = kind_of(new)

    assert sorted(refusal.field for refusal in validate(new, old, kind, "1.37")) == [
        "spec.podManagementPolicy",
        "spec.serviceName",
    ]
