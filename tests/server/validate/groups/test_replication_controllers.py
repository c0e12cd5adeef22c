import pytest

from kubectl_applylint.core.values import Json, JsonObject
from tests.server.validate.objects import LABELS, a, fields, pod, template


def controller(**spec: Json) -> JsonObject:
    return a("v1", "ReplicationController", {"selector": LABELS, "template": template(), **spec})


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({}, []),
        ({"selector": {"app": "b"}}, ["spec.template.metadata.labels"]),
        ({"replicas": -1}, ["spec.replicas"]),
        ({"template": None}, ["spec.template"]),
        ({"template": template(restartPolicy="OnFailure")}, ["spec.template.spec.restartPolicy"]),
    ],
)
def test_replication_controllers(spec: JsonObject, expected: list[str]) -> None:
    assert fields(controller(**spec)) == expected


def test_a_template_alone() -> None:
    assert fields(a("v1", "PodTemplate", template={"spec": pod()["spec"]})) == []
    assert fields(a("v1", "PodTemplate", template={"spec": {}})) == ["template.spec.containers"]
