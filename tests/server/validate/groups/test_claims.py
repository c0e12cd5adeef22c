import pytest

from kubectl_applylint.core.values import MISSING, Json, JsonObject
from kubectl_applylint.server.validate.groups.claims import CLAIM_SPEC, CLAIM_TEMPLATE
from tests.server.validate.objects import errors_of

SPEC = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
CLAIM = {"kind": "PersistentVolumeClaim", "name": "c"}
SNAPSHOT = {"apiGroup": "snapshot.storage.k8s.io", "kind": "VolumeSnapshot", "name": "s"}
BAD_SELECTOR = {"matchExpressions": [{"key": "a", "operator": "In", "values": ["b c"]}]}


def claim(**spec: Json) -> JsonObject:
    return {"spec": {**SPEC, **spec}}


def fields(value: Json, *, old: Json = MISSING, minor: int = 36) -> list[str]:
    errors = errors_of(value, {"spec": CLAIM_SPEC}, old=old, minor=minor)
    return sorted(text.partition(":")[0].removeprefix("a.spec.") for text in errors)


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        pytest.param({}, [], id="good"),
        pytest.param({"accessModes": None}, ["accessModes"], id="no modes"),
        pytest.param({"accessModes": ["Any"]}, ["accessModes"], id="a mode that there is not"),
        pytest.param({"accessModes": ["ReadWriteOnce", "ReadWriteOncePod"]}, ["accessModes"], id="not both"),
        pytest.param({"resources": {}}, ["resources[storage]"], id="no size"),
        pytest.param({"resources": {"requests": {"storage": "0"}}}, ["resources[storage]"], id="size of nothing"),
        pytest.param({"volumeMode": "Tape"}, ["volumeMode"], id="kind of volume"),
        pytest.param({"storageClassName": "A b"}, ["storageClassName"], id="class"),
        pytest.param({"dataSource": CLAIM, "dataSourceRef": CLAIM}, [], id="another claim"),
        pytest.param({"dataSource": {"kind": "Pod", "name": "p"}}, ["dataSource"], id="a pod"),
        pytest.param({"dataSource": {}}, ["dataSource", "dataSource.kind", "dataSource.name"], id="nothing"),
        pytest.param({"dataSourceRef": {**SNAPSHOT, "apiGroup": "A b"}}, ["dataSourceRef.apiGroup"], id="bad group"),
        pytest.param({"dataSourceRef": {**SNAPSHOT, "namespace": "A"}}, ["dataSourceRef.namespace"], id="namespace"),
        pytest.param({"dataSource": CLAIM, "dataSourceRef": SNAPSHOT}, [""], id="two sources"),
        pytest.param({"dataSource": CLAIM, "dataSourceRef": {**CLAIM, "namespace": "n"}}, [""], id="elsewhere"),
        pytest.param({"selector": BAD_SELECTOR}, ["selector.matchExpressions[0].values[0]"], id="selector"),
        pytest.param({"volumeAttributesClassName": "A b"}, ["volumeAttributesClassName"], id="attributes"),
    ],
)
def test_the_spec_of_a_claim(spec: JsonObject, expected: list[str]) -> None:
    assert [field.removeprefix("a.spec") for field in fields(claim(**spec))] == expected


def test_stored_invalid_values_may_stay() -> None:
    group = claim(dataSourceRef={**SNAPSHOT, "apiGroup": "A b"})

    assert fields(group, old=group) == []
    assert fields(claim(selector=BAD_SELECTOR), old=claim(selector=BAD_SELECTOR)) == []


def test_the_class_of_attributes_is_new() -> None:
    assert fields(claim(volumeAttributesClassName="A b"), minor=33) == []


def test_a_template_has_labels_and_annotations_only() -> None:
    template = {"metadata": {"name": "n", "uid": "u", "labels": {"a b": ""}, "annotations": {"a": "b"}}, "spec": SPEC}

    assert [text.partition(":")[0] for text in errors_of(template, CLAIM_TEMPLATE)] == [
        "a.metadata.name",
        "a.metadata.uID",
        "a.metadata.labels",
    ]
