"""Defaults of pods and pod templates."""

import pytest

from kubectl_applylint.core.values import Json, JsonObject
from tests.server.defaults.support import POD_SPEC, defaulted_spec

MESSAGE = {"terminationMessagePath": "/dev/termination-log", "terminationMessagePolicy": "File"}


def pod(spec: JsonObject, version: str = "1.36") -> JsonObject:
    return defaulted_spec("v1", "Pod", spec, version)


def container(fields: JsonObject, spec: JsonObject | None = None) -> Json:
    return pod({**(spec or {}), "containers": [fields]})["containers"][0]


def template_container(fields: JsonObject) -> Json:
    spec = defaulted_spec("apps/v1", "Deployment", {"template": {"spec": {"containers": [fields]}}})
    return spec["template"]["spec"]["containers"][0]


def test_a_pod_gets_its_constants() -> None:
    assert pod({}) == {**POD_SPEC, "enableServiceLinks": True}


@pytest.mark.parametrize("kind", ["containers", "initContainers", "ephemeralContainers"])
def test_every_container_gets_its_constants(kind: str) -> None:
    assert pod({kind: [{"image": "app:1"}]})[kind] == [{"image": "app:1", "imagePullPolicy": "IfNotPresent", **MESSAGE}]


def test_a_written_pull_policy_stays_for_every_image() -> None:
    assert container({"image": "app:latest", "imagePullPolicy": "Never"})["imagePullPolicy"] == "Never"


@pytest.mark.parametrize(
    ("probe", "expected"),
    [
        pytest.param({}, {}, id="constants"),
        pytest.param({"failureThreshold": 9}, {"failureThreshold": 9}, id="one written"),
        pytest.param({"httpGet": {"port": 80}}, {"httpGet": {"port": 80, "path": "/", "scheme": "HTTP"}}, id="http"),
        pytest.param({"grpc": {"port": 1}}, {"grpc": {"port": 1, "service": ""}}, id="grpc"),
        pytest.param({"tcpSocket": {"port": 1}}, {"tcpSocket": {"port": 1}}, id="tcp"),
    ],
)
@pytest.mark.parametrize("kind", ["livenessProbe", "readinessProbe", "startupProbe"])
def test_probes(kind: str, probe: JsonObject, expected: JsonObject) -> None:
    constants = {"timeoutSeconds": 1, "periodSeconds": 10, "successThreshold": 1, "failureThreshold": 3}

    assert container({kind: probe})[kind] == {**constants, **expected}


def test_handlers_of_the_life_cycle_are_like_probes() -> None:
    lifecycle = container({"lifecycle": {"preStop": {"httpGet": {"port": 80}}}})["lifecycle"]

    assert lifecycle == {"preStop": {"httpGet": {"port": 80, "path": "/", "scheme": "HTTP"}}}


def test_environment_from_fields_and_files() -> None:
    env = [
        {"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}},
        {"name": "B", "valueFrom": {"fileKeyRef": {"key": "k", "path": "p", "volumeName": "v"}}},
        {"name": "C", "value": "c"},
    ]
    field, file, plain = container({"env": env})["env"]

    assert field["valueFrom"]["fieldRef"] == {"fieldPath": "metadata.name", "apiVersion": "v1"}
    assert file["valueFrom"]["fileKeyRef"]["optional"] is False
    assert plain == {"name": "C", "value": "c"}


def test_ports_are_tcp() -> None:
    assert container({"ports": [{"containerPort": 53}, {"containerPort": 53, "protocol": "UDP"}]})["ports"] == [
        {"containerPort": 53, "protocol": "TCP"},
        {"containerPort": 53, "protocol": "UDP"},
    ]


@pytest.mark.parametrize(
    ("port", "expected"),
    [
        pytest.param({"containerPort": 80}, 80, id="same port"),
        pytest.param({"containerPort": 80, "hostPort": 81}, 81, id="written port"),
    ],
)
def test_a_pod_in_the_hosts_network_has_host_ports(port: JsonObject, expected: int) -> None:
    assert container({"ports": [port]}, {"hostNetwork": True})["ports"][0]["hostPort"] == expected


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        pytest.param({"serviceAccount": "a"}, ("a", "a"), id="old name"),
        pytest.param({"serviceAccountName": "a"}, ("a", "a"), id="new name"),
        pytest.param({"serviceAccountName": "a", "serviceAccount": "b"}, ("a", "a"), id="the new name wins"),
        pytest.param({}, (None, None), id="none"),
    ],
)
def test_both_names_of_the_service_account(spec: JsonObject, expected: tuple[str | None, str | None]) -> None:
    result = pod(spec)

    assert (result.get("serviceAccountName"), result.get("serviceAccount")) == expected


@pytest.mark.parametrize(
    ("resources", "requests"),
    [
        pytest.param({"limits": {"cpu": "1"}}, {"cpu": "1"}, id="limit"),
        pytest.param(
            {"limits": {"cpu": "1", "memory": "1Gi"}, "requests": {"cpu": "100m"}},
            {"cpu": "100m", "memory": "1Gi"},
            id="the one that lacks",
        ),
        pytest.param({"requests": {"cpu": "1"}}, {"cpu": "1"}, id="no limit"),
    ],
)
def test_a_pods_containers_ask_for_their_limits(resources: JsonObject, requests: JsonObject) -> None:
    assert container({"resources": resources})["resources"]["requests"] == requests


def test_limits_in_a_template_set_no_requests() -> None:
    limited = {"resources": {"limits": {"cpu": "1"}}}

    assert template_container(limited)["resources"] == {"limits": {"cpu": "1"}}


def test_amounts_are_rounded_up_to_thousandths() -> None:
    resources = template_container({"resources": {"limits": {"cpu": "1500u", "memory": "1Gi"}}})["resources"]

    assert resources == {"limits": {"cpu": "2m", "memory": "1Gi"}}


@pytest.mark.parametrize(("seconds", "expected"), [(-5, 1), (0, 0), (60, 60)], ids=["negative", "at once", "a minute"])
def test_the_grace_period_of_a_pod(seconds: int, expected: int) -> None:
    assert pod({"terminationGracePeriodSeconds": seconds})["terminationGracePeriodSeconds"] == expected
