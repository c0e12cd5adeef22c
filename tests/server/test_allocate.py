"""Values that a server chooses for every new object, as seen on Kubernetes 1.36.3."""

import pytest

from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.schema.load import load
from kubectl_applylint.server.allocate import BIRTH, UID, allocate, clashes


@pytest.mark.parametrize(
    ("metadata", "name"),
    [
        pytest.param({"name": "n"}, "n", id="written"),
        pytest.param({"generateName": "n-"}, Unknown("n- and five characters that the server draws"), id="made up"),
    ],
)
def test_a_new_object(metadata: JsonObject, name: object) -> None:
    kind = load("1.36").kind("v1", "ConfigMap")
    assert kind is not None

    assert allocate({"metadata": metadata}, None, kind)["metadata"] == {
        **metadata,
        "name": name,
        "uid": UID,
        "creationTimestamp": BIRTH,
    }


def test_only_what_the_server_allocates_can_be_taken() -> None:
    metadata: JsonObject = {"name": "a"}
    service: JsonObject = {"apiVersion": "v1", "metadata": metadata, "spec": {"ports": [{"nodePort": 30000}]}}
    services, others = ({**service, "kind": kind} for kind in ("Service", "ConfigMap"))

    assert [clash.field for clash in clashes(services, [services])] == ["spec.ports[0].nodePort"]
    assert not list(clashes(others, [others]))
