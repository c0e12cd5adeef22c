"""Containers of pods and templates; the fields are those that kube-apiserver 1.36.3 named on 2026-11-21."""

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.validate.objects import CONTAINER, fields, messages, pod, template, workload

OTHER = {"name": "o", "image": "i"}
SIDECAR = {**OTHER, "restartPolicy": "Always"}
RESIZE = {"resourceName": "cpu", "restartPolicy": "NotRequired"}
RULE = {"action": "Restart", "exitCodes": {"operator": "In", "values": [42]}}

OF_ONE: dict[str, tuple[JsonObject, list[str]]] = {
    "good": ({"ports": [{"containerPort": 80, "name": "web"}], "env": [{"name": "A", "value": "b"}]}, []),
    "no image": ({"image": ""}, ["image"]),
    "blanks around the image": ({"image": " i "}, ["image"]),
    "no name": ({"name": ""}, ["name"]),
    "bad name": ({"name": "A_b"}, ["name"]),
    "pull policy": ({"imagePullPolicy": "Sometimes"}, ["imagePullPolicy"]),
    "message policy": ({"terminationMessagePolicy": "Log"}, ["terminationMessagePolicy"]),
    "port zero": ({"ports": [{"containerPort": 0}]}, ["ports[0].containerPort"]),
    "port too great": ({"ports": [{"containerPort": 65536}]}, ["ports[0].containerPort"]),
    "host port": ({"ports": [{"containerPort": 80, "hostPort": 70000}]}, ["ports[0].hostPort"]),
    "protocol": ({"ports": [{"containerPort": 80, "protocol": "HTTP"}]}, ["ports[0].protocol"]),
    "port name": ({"ports": [{"containerPort": 80, "name": "a_name-that-is-too-long"}]}, ["ports[0].name"] * 2),
    "port name twice": (
        {"ports": [{"containerPort": 80, "name": "a"}, {"containerPort": 81, "name": "a"}]},
        ["ports[1].name"],
    ),
    "host port twice": (
        {"ports": [{"containerPort": 80, "hostPort": 80}, {"containerPort": 81, "hostPort": 80}]},
        ["ports[1].hostPort"],
    ),
    "resize": ({"resizePolicy": [RESIZE]}, []),
    "resize twice": ({"resizePolicy": [RESIZE, RESIZE]}, ["resizePolicy[1]"]),
    "resize of what there is not": (
        {"resizePolicy": [{"resourceName": "gpu", "restartPolicy": "Perhaps"}]},
        ["resizePolicy", "resizePolicy"],
    ),
    "resize of nothing": ({"resizePolicy": [{"resourceName": "", "restartPolicy": ""}]}, ["resizePolicy"]),
    "restart rules": ({"restartPolicy": "Never", "restartPolicyRules": [RULE]}, []),
    "restart rules without a policy": ({"restartPolicyRules": [RULE]}, ["restartPolicy"]),
    "restart policy": ({"restartPolicy": "Once"}, ["restartPolicy"]),
    "restart action": (
        {"restartPolicy": "Never", "restartPolicyRules": [{**RULE, "action": "Stop"}]},
        ["restartPolicyRules[0].action"],
    ),
    "restart without codes": (
        {"restartPolicy": "Never", "restartPolicyRules": [{"action": "Restart"}]},
        ["restartPolicyRules[0].exitCodes"],
    ),
    "restart operator": (
        {"restartPolicy": "Never", "restartPolicyRules": [{**RULE, "exitCodes": {"operator": "Is", "values": [1]}}]},
        ["restartPolicyRules[0].exitCodes.operator"],
    ),
}
OF_ALL: dict[str, tuple[JsonObject, list[str]]] = {
    "no containers": ({"containers": []}, ["spec.containers"]),
    "two of one name": ({"containers": [CONTAINER, CONTAINER]}, ["spec.containers[1].name"]),
    "name of an init container": ({"initContainers": [CONTAINER]}, ["spec.initContainers[0].name"]),
    "init container": ({"initContainers": [OTHER]}, []),
    "init container with a probe": (
        {"initContainers": [{**OTHER, "readinessProbe": {"exec": {"command": ["a"]}}}]},
        ["spec.initContainers[0].readinessProbe"],
    ),
    "init container with a hook": (
        {"initContainers": [{**OTHER, "lifecycle": {"preStop": {"exec": {"command": ["a"]}}}}]},
        ["spec.initContainers[0].lifecycle"],
    ),
    "sidecar": ({"initContainers": [{**SIDECAR, "readinessProbe": {"exec": {"command": ["a"]}}}]}, []),
    "sidecar with a bad probe": (
        {"initContainers": [{**SIDECAR, "readinessProbe": {}}]},
        ["spec.initContainers[0].readinessProbe"],
    ),
    "init container that restarts by resize": (
        {"initContainers": [{**OTHER, "resizePolicy": [{**RESIZE, "restartPolicy": "RestartContainer"}]}]},
        ["spec.initContainers[0].resizePolicy[0].restartPolicy"],
    ),
    "one host port in two containers": (
        {
            "containers": [
                {**CONTAINER, "ports": [{"containerPort": 80, "hostPort": 80}]},
                {**OTHER, "ports": [{"containerPort": 80, "hostPort": 80}]},
            ]
        },
        ["spec.containers[1].ports[0].hostPort"],
    ),
    "one host port in two protocols": (
        {
            "containers": [
                {**CONTAINER, "ports": [{"containerPort": 80, "hostPort": 80}]},
                {**OTHER, "ports": [{"containerPort": 80, "hostPort": 80, "protocol": "UDP"}]},
            ]
        },
        [],
    ),
    "resize of a pod that never restarts": (
        {
            "restartPolicy": "Never",
            "containers": [{**CONTAINER, "resizePolicy": [{**RESIZE, "restartPolicy": "RestartContainer"}]}],
        },
        ["spec.containers[0].resizePolicy"],
    ),
}


@pytest.mark.parametrize(("container", "expected"), OF_ONE.values(), ids=OF_ONE)
def test_a_container(container: JsonObject, expected: list[str]) -> None:
    assert fields(pod(container=container)) == [f"spec.containers[0].{field}" for field in expected]


@pytest.mark.parametrize(("spec", "expected"), OF_ALL.values(), ids=OF_ALL)
def test_the_containers_of_a_pod(spec: JsonObject, expected: list[str]) -> None:
    assert fields(pod(**spec)) == expected


def test_a_template_may_have_blanks_around_an_image() -> None:
    assert fields(workload("Deployment", pods=template(container={"image": " i "}))) == []


@pytest.mark.parametrize(
    ("version", "container", "expected"),
    [
        ("1.33", {"restartPolicy": "Never"}, ["spec.containers[0].restartPolicy"]),
        ("1.35", {"restartPolicy": "Never"}, []),
    ],
)
def test_containers_have_a_policy_since(version: str, container: JsonObject, expected: list[str]) -> None:
    assert fields(pod(container=container), version=version) == expected


def test_the_words_for_a_missing_name() -> None:
    assert messages(pod(container={"name": ""})) == ["spec.containers[0].name: Required value"]
