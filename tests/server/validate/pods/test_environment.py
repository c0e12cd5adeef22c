"""Environment variables; the fields are those that kube-apiserver 1.36.3 named on 2026-11-21."""

import pytest

from kubectl_applylint.core.values import Json, JsonObject
from tests.server.validate.objects import fields, pod


def source(**valuefrom: Json) -> JsonObject:
    return {"env": [{"name": "A", "valueFrom": valuefrom}]}


KEY = {"name": "m", "key": "k"}
FROM = "env[0].valueFrom"
CASES: dict[str, tuple[JsonObject, list[str]]] = {
    "value": ({"env": [{"name": "A", "value": "b"}]}, []),
    "no name": ({"env": [{"name": "", "value": "b"}]}, ["env[0].name"]),
    "name with an equals sign": ({"env": [{"name": "A=B", "value": "b"}]}, ["env[0].name"]),
    "name with a blank": ({"env": [{"name": "A B", "value": "b"}]}, []),
    "empty source": (source(), [FROM]),
    "value and source": ({"env": [{"name": "A", "value": "b", "valueFrom": {"secretKeyRef": KEY}}]}, [FROM]),
    "two sources": (source(secretKeyRef=KEY, configMapKeyRef=KEY), [FROM]),
    "secret": (source(secretKeyRef=KEY), []),
    "no key": (source(secretKeyRef={"name": "m"}), [f"{FROM}.secretKeyRef.key"]),
    "bad key": (source(configMapKeyRef={"name": "m", "key": "a b"}), [f"{FROM}.configMapKeyRef.key"]),
    "no map": (source(configMapKeyRef={"key": "k"}), [f"{FROM}.configMapKeyRef.name"]),
    "bad map": (source(configMapKeyRef={"name": "A_b", "key": "k"}), [f"{FROM}.configMapKeyRef.name"]),
    "field": (source(fieldRef={"fieldPath": "metadata.name"}), []),
    "label": (source(fieldRef={"fieldPath": "metadata.labels['a']"}), []),
    "label of no name": (source(fieldRef={"fieldPath": "metadata.labels['a b']"}), [f"{FROM}.fieldRef"]),
    "no field": (source(fieldRef={"fieldPath": ""}), [f"{FROM}.fieldRef.fieldPath"]),
    "field that there is not": (source(fieldRef={"fieldPath": "spec.nothing"}), [f"{FROM}.fieldRef.fieldPath"]),
    "field for files": (source(fieldRef={"fieldPath": "metadata.labels"}), [f"{FROM}.fieldRef.fieldPath"]),
    "field of another version": (
        source(fieldRef={"apiVersion": "v7", "fieldPath": "metadata.name"}),
        [f"{FROM}.fieldRef.fieldPath"],
    ),
    "amount": (source(resourceFieldRef={"resource": "limits.cpu", "divisor": "1m"}), []),
    "no amount": (source(resourceFieldRef={"resource": ""}), [f"{FROM}.resourceFieldRef.resource"]),
    "amount that there is not": (
        source(resourceFieldRef={"resource": "limits.gpu"}),
        [f"{FROM}.resourceFieldRef.resource"],
    ),
    "divisor": (
        source(resourceFieldRef={"resource": "limits.memory", "divisor": "3"}),
        [f"{FROM}.resourceFieldRef.divisor"],
    ),
    "file": (source(fileKeyRef={"volumeName": "v", "path": "a", "key": "K"}), []),
    "file outside": (
        source(fileKeyRef={"volumeName": "v", "path": "../a", "key": "K"}),
        [f"{FROM}.fileKeyRef.path"],
    ),
    "all of a map": ({"envFrom": [{"configMapRef": {"name": "m"}, "prefix": "P_"}]}, []),
    "all of nothing": ({"envFrom": [{"prefix": "P_"}]}, ["envFrom"]),
    "all of two": ({"envFrom": [{"configMapRef": {"name": "m"}, "secretRef": {"name": "m"}}]}, ["envFrom"]),
    "all of no name": ({"envFrom": [{"secretRef": {}}]}, ["envFrom[0].secretRef.name"]),
    "bad prefix": ({"envFrom": [{"configMapRef": {"name": "m"}, "prefix": "P="}]}, ["envFrom[0].prefix"]),
}


@pytest.mark.parametrize(("container", "expected"), CASES.values(), ids=CASES)
def test_variables(container: JsonObject, expected: list[str]) -> None:
    volumes = [{"name": "v", "emptyDir": {}}]

    assert fields(pod(container=container, volumes=volumes)) == [f"spec.containers[0].{field}" for field in expected]


@pytest.mark.parametrize(
    ("version", "expected"), [("1.30", ["spec.containers[0].env[0].name"]), ("1.33", [])], ids=["1.30", "1.33"]
)
def test_names_were_stricter(version: str, expected: list[str]) -> None:
    assert fields(pod(container={"env": [{"name": "A B", "value": "b"}]}), version=version) == expected


def test_a_name_outside_of_the_old_form_may_stay() -> None:
    variable = {"env": [{"name": "A B", "value": "b"}]}

    assert fields(pod(container=variable), pod(container=variable), version="1.30") == []
