"""Defaults of pods and pod templates; mirrors pkg/apis/core/v1/defaults.go and the aliases of its conversion.go.

A template gets the defaults of ``PodSpec`` and below; those of ``Pod`` are for pods only.
"""

from collections.abc import Callable, Iterable
from typing import Final

from kubectl_applylint.core.values import Json, JsonObject, mapping
from kubectl_applylint.server.default_rules import Defaults, Derived
from kubectl_applylint.server.defaults.images import pull_policy
from kubectl_applylint.server.kinds.pod.default_resources import pod_limits, pod_requests

_CONTAINER_LISTS: Final = ("containers", "initContainers")
_ACCOUNT_NAMES: Final = ("serviceAccountName", "serviceAccount")


def _pull_policy(container: JsonObject) -> JsonObject:
    """Default to ``Always`` for the tag ``latest``; a later change of the tag does not change it."""
    return {} if container.get("imagePullPolicy") else {"imagePullPolicy": pull_policy(container.get("image") or "")}


def _service_account(spec: JsonObject) -> JsonObject:
    """Set both ``serviceAccountName`` and its deprecated alias ``serviceAccount``; the new name wins."""
    name = spec.get("serviceAccountName") or spec.get("serviceAccount")
    return {key: name for key in _ACCOUNT_NAMES if name and spec.get(key) != name}


def _requests(spec: JsonObject) -> JsonObject:
    """Default the requests of a pod's containers to their limits, by resource."""
    return _with_containers(spec, _container_requests)


def _container_requests(container: JsonObject) -> JsonObject:
    resources = mapping(container.get("resources"))
    limits, requests = mapping(resources.get("limits")), mapping(resources.get("requests"))
    if not limits.keys() - requests.keys():
        return container
    return {**container, "resources": {**resources, "requests": {**limits, **requests}}}


def _host_ports(spec: JsonObject) -> JsonObject:
    """Default the host ports of containers in the host's network to their ports."""
    return _with_containers(spec, _container_host_ports) if spec.get("hostNetwork") else {}


def _container_host_ports(container: JsonObject) -> JsonObject:
    ports = container.get("ports") or []
    if all(port.get("hostPort") for port in ports):
        return container
    return {**container, "ports": [{**p, "hostPort": p.get("hostPort") or p.get("containerPort")} for p in ports]}


def _with_containers(spec: JsonObject, change: Callable[[JsonObject], JsonObject]) -> JsonObject:
    """Return the container lists of a pod with ``change`` applied to each container."""
    lists = {key: spec[key] for key in _CONTAINER_LISTS if spec.get(key)}
    changed = {key: [change(container) for container in containers] for key, containers in lists.items()}
    return {key: changed[key] for key in lists if _differs(lists[key], changed[key])}


def _differs(before: Iterable[Json], after: Iterable[Json]) -> bool:
    return any(old is not new for old, new in zip(before, after, strict=True))


def _grace_period(spec: JsonObject) -> JsonObject:
    """Replace a negative grace period by one second."""
    seconds = spec.get("terminationGracePeriodSeconds") or 0
    return {"terminationGracePeriodSeconds": 1} if isinstance(seconds, int) and seconds < 0 else {}


_CONTAINER: Final[JsonObject] = {"terminationMessagePath": "/dev/termination-log", "terminationMessagePolicy": "File"}
_PULL_POLICY: Final = (Derived(("imagePullPolicy",), ("image",), _pull_policy),)

DEFAULTS: Final = Defaults(
    package="io.k8s.api.core",
    constant={
        "Pod.spec": {"enableServiceLinks": True},
        "PodSpec": {
            "dnsPolicy": "ClusterFirst",
            "restartPolicy": "Always",
            "schedulerName": "default-scheduler",
            "securityContext": {},
            "terminationGracePeriodSeconds": 30,
        },
        "Container": _CONTAINER,
        "EphemeralContainer": _CONTAINER,
        "ContainerPort": {"protocol": "TCP"},
        "Probe": {"timeoutSeconds": 1, "periodSeconds": 10, "successThreshold": 1, "failureThreshold": 3},
        "HTTPGetAction": {"path": "/", "scheme": "HTTP"},
        "GRPCAction": {"service": ""},
        "ObjectFieldSelector": {"apiVersion": "v1"},
        "FileKeySelector": {"optional": False},
    },
    derived={
        "PodSpec": (Derived(_ACCOUNT_NAMES, _ACCOUNT_NAMES, _service_account),),
        "Container": _PULL_POLICY,
        "EphemeralContainer": _PULL_POLICY,
        "Pod.spec": (
            Derived(("containers.resources.requests",), ("containers.resources.limits",), _requests),
            Derived(("resources.limits",), ("containers.resources.limits",), pod_limits),
            Derived(("resources.requests",), ("containers.resources.requests",), pod_requests),
            Derived(("containers.ports.hostPort",), ("hostNetwork",), _host_ports),
            Derived(("terminationGracePeriodSeconds",), (), _grace_period),
        ),
    },
)
