"""Fields of features that are off."""

import pytest

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.schema import tables as schema_tables
from kubectl_applylint.server.gates import ONLY_IN, SINCE, without_disabled

DEPLOYMENT, AUTOSCALER = "io.k8s.api.apps.v1.Deployment", "io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler"


def template(spec: JsonObject) -> JsonObject:
    return {"spec": {"replicas": 1, "template": {"spec": spec}}}


@pytest.mark.parametrize(
    ("new", "old", "minor", "after"),
    [
        pytest.param({"hostUsers": False}, None, 30, {}, id="off"),
        pytest.param({"hostUsers": False}, None, 36, {"hostUsers": False}, id="on"),
        pytest.param({"hostUsers": False}, {"hostUsers": True}, 30, {"hostUsers": False}, id="in use"),
        pytest.param({"hostUsers": False}, {}, 30, {}, id="not in use"),
        pytest.param(
            {"containers": [{"name": "a", "resizePolicy": []}, {"name": "b"}]},
            None,
            30,
            {"containers": [{"name": "a"}, {"name": "b"}]},
            id="in a list",
        ),
        pytest.param({"containers": None, "hostUsers": False}, None, 30, {"containers": None}, id="beside null"),
        pytest.param(
            {"containers": [{"name": "a", "resizePolicy": [1]}], "initContainers": None},
            {"containers": [{"name": "b", "resizePolicy": [1]}]},
            30,
            {"containers": [{"name": "a", "resizePolicy": [1]}], "initContainers": None},
            id="in use by another",
        ),
        pytest.param({"dnsPolicy": "None"}, None, 30, {"dnsPolicy": "None"}, id="nothing of it"),
    ],
)
def test_a_field_of_a_pod_spec(new: JsonObject, old: JsonObject | None, minor: int, after: JsonObject) -> None:
    result = without_disabled(template(new), template(old) if old is not None else None, minor, DEPLOYMENT)

    assert result == template(after)


def test_a_field_of_the_values_of_a_map() -> None:
    lists, one = {"bools": [True]}, {"bool": True}

    def devices(attributes: JsonObject) -> JsonObject:
        return {"spec": {"devices": [{"name": "gpu-0", "attributes": attributes}]}}

    result = without_disabled(devices({"a": lists, "b": one}), None, 36, "io.k8s.api.resource.v1.ResourceSlice")

    assert result == devices({"a": {}, "b": one})


def test_an_object_without_gated_fields_is_returned_unchanged() -> None:
    manifest = template({"containers": [{"name": "a"}]})

    assert without_disabled(manifest, None, 30, DEPLOYMENT) is manifest


def test_image_volumes_go_with_their_mounts() -> None:
    mounts = [{"name": "a", "mountPath": "/a"}, {"name": "b", "mountPath": "/b"}]
    containers = [{"name": "c", "volumeMounts": mounts}, {"name": "d"}]
    volumes = [{"name": "a", "image": {"reference": "r"}}, {"name": "b", "emptyDir": {}}]
    result = without_disabled(template({"containers": containers, "volumes": volumes}), None, 34, DEPLOYMENT)

    assert result == template(
        {"containers": [{"name": "c", "volumeMounts": mounts[1:]}, {"name": "d"}], "volumes": volumes[1:]}
    )


@pytest.mark.parametrize(("minor", "kept"), [(34, True), (35, False), (36, True)])
def test_tolerations_of_devices(minor: int, kept: bool) -> None:
    claim = {"spec": {"devices": {"requests": [{"exactly": {"tolerations": [{"key": "k"}]}}]}}}
    result = without_disabled(claim, None, minor, "io.k8s.api.resource.v1.ResourceClaim")

    assert ("tolerations" in result["spec"]["devices"]["requests"][0]["exactly"]) is kept


@pytest.mark.parametrize(("minor", "kept"), [(34, False), (35, True)])
def test_tolerance_of_an_autoscaler(minor: int, kept: bool) -> None:
    autoscaler = {"spec": {"behavior": {"scaleUp": {"tolerance": "100m"}}}}
    result = without_disabled(autoscaler, None, minor, AUTOSCALER)

    assert ("tolerance" in result["spec"]["behavior"]["scaleUp"]) is kept


@pytest.mark.parametrize("place", sorted({**SINCE, **ONLY_IN}))
def test_every_field_exists(place: str) -> None:
    name, _, field = place.rpartition(".")
    package = "io.k8s.apiextensions-apiserver.pkg.apis." if name.startswith("apiextensions.") else "io.k8s.api."

    assert any(has(minor, package + name, field) for minor in range(schema_tables.OLDEST, schema_tables.NEWEST + 1))


def has(minor: int, struct: str, field: str) -> bool:
    try:
        return field in schema_tables.struct(minor, struct).fields
    except KeyError:
        return False
