"""Fields that depend on the node are those that kube-apiserver 1.36.3 named on 2026-11-21."""

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.validate.objects import CONTAINER, fields, pod, template, workload

HOST_PROCESS = {"windowsOptions": {"hostProcess": True}}
PORT = {"ports": [{"containerPort": 80, "hostPort": 81}]}
CASES: dict[str, tuple[JsonObject, list[str]]] = {
    "linux": ({"os": {"name": "linux"}, "securityContext": {"runAsUser": 5}}, []),
    "no system": ({"os": {"name": ""}}, ["spec.os.name"]),
    "other system": ({"os": {"name": "plan9"}}, ["spec.os"]),
    "windows on linux": (
        {"os": {"name": "linux"}, "securityContext": {"windowsOptions": {"runAsUserName": "a"}}},
        ["spec.securityContext.windowsOptions"],
    ),
    "linux on windows": (
        {"os": {"name": "windows"}, "hostPID": True, "securityContext": {"runAsUser": 5, "fsGroup": 5}},
        ["spec.hostPID", "spec.securityContext.fsGroup", "spec.securityContext.runAsUser"],
    ),
    "linux container on windows": (
        {"os": {"name": "windows"}, "containers": [{**CONTAINER, "securityContext": {"privileged": True}}]},
        ["spec.containers[0].securityContext.privileged"],
    ),
    "process of the host": ({"hostNetwork": True, "securityContext": HOST_PROCESS}, []),
    "process of the host in a network of its own": ({"securityContext": HOST_PROCESS}, ["spec.hostNetwork"]),
    "some processes of the host": (
        {
            "hostNetwork": True,
            "containers": [{**CONTAINER, "securityContext": HOST_PROCESS}, {"name": "o", "image": "i"}],
        },
        ["spec"],
    ),
    "container against the pod": (
        {
            "hostNetwork": True,
            "securityContext": HOST_PROCESS,
            "containers": [{**CONTAINER, "securityContext": {"windowsOptions": {"hostProcess": False}}}],
        },
        ["spec.containers[0].securityContext.windowsOptions.hostProcess"],
    ),
    "network of the host": ({"hostNetwork": True, "containers": [{**CONTAINER, "ports": [{"containerPort": 80}]}]}, []),
    "another port of the host": (
        {"hostNetwork": True, "containers": [{**CONTAINER, **PORT}]},
        ["spec.containers[0].ports[0].hostPort"],
    ),
    "own users": ({"hostUsers": False}, []),
    "own users in namespaces of the host": (
        {"hostUsers": False, "hostPID": True, "hostIPC": True},
        ["spec.HostIPC", "spec.HostPID"],
    ),
    "own users in the network of the host": ({"hostUsers": False, "hostNetwork": True}, ["spec.hostNetwork"]),
    "name": ({"hostnameOverride": "a.b"}, []),
    "name that is none": ({"hostnameOverride": "A_b"}, ["spec.hostnameOverride"]),
    "name too long": ({"hostnameOverride": "a" * 65}, ["spec.hostnameOverride"]),
    "name and full name": ({"hostnameOverride": "a", "setHostnameAsFQDN": True}, ["spec.hostnameOverride"]),
    "name in the network of the host": ({"hostnameOverride": "a", "hostNetwork": True}, ["spec.hostnameOverride"]),
}


@pytest.mark.parametrize(("spec", "expected"), CASES.values(), ids=CASES)
def test_pods_and_their_nodes(spec: JsonObject, expected: list[str]) -> None:
    assert fields(pod(**spec)) == expected


def test_a_template_may_leave_ports_of_the_host_open() -> None:
    open_port = template(hostNetwork=True, container={"ports": [{"containerPort": 80}]})
    another = template(hostNetwork=True, container=PORT)

    assert fields(workload("Deployment", pods=open_port)) == []
    assert fields(workload("Deployment", pods=another)) == ["spec.template.spec.containers[0].ports[0].hostPort"]


def test_users_of_their_own_may_stay_in_the_network_of_the_host() -> None:
    stored = workload("Deployment", pods=template(hostUsers=False, hostNetwork=True))

    assert fields(stored, stored) == []
