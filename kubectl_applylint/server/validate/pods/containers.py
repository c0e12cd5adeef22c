"""Containers, init containers and ephemeral containers, and their consistency.

Mirrors ``validateContainers``, ``validateInitContainers`` and ``validateEphemeralContainers``.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Final

from kubectl_applylint.server.validate import dsl as v
from kubectl_applylint.server.validate.pods.environment import ENV, ENV_FROM
from kubectl_applylint.server.validate.pods.probes import NO_PROBES, PROBES
from kubectl_applylint.server.validate.pods.resources import CONTAINER_RESOURCES
from kubectl_applylint.server.validate.pods.security import CONTAINER_SECURITY

PULL_POLICIES: Final = ("Always", "IfNotPresent", "Never")
_RESTART_POLICIES: Final = ("Always", "Never", "OnFailure")
_RULES_SINCE: Final = 35
_RESTART_ALL_SINCE: Final = 36
_RESIZE_OF_SIDECARS_SINCE: Final = 33
_RESIZE_CHECKED_SINCE: Final = 36


@v.always
def required_port(fld: v.FieldContext) -> v.FieldErrors:
    """Require a port number."""
    if fld.number() == 0:
        return (fld.required(),)
    return () if 1 <= fld.number() <= 65535 else (fld.invalid("must be between 1 and 65535, inclusive"),)


def _port_names(fld: v.FieldContext) -> v.FieldErrors:
    """Require well-formed, distinct names of ports."""
    seen: set[str] = set()
    for port in fld.items():
        name = port.text("name")
        faults = v.port_name(name) if name else []
        yield from (port.child("name").invalid(fault) for fault in faults)
        if name in seen:
            yield port.child("name").duplicate()
        elif name and not faults:
            seen.add(name)


def _resize_policies(fld: v.FieldContext) -> v.FieldErrors:
    """Check the resize policies of a container; errors have the path of the whole list."""
    never, seen = fld.nearest(".spec").text("restartPolicy") == "Never", set()
    for item in fld.items():
        resource, policy = item.text("resourceName"), item.text("restartPolicy")
        if resource in seen:
            yield item.duplicate(resource)
        seen.add(resource)
        yield from _required_and_supported(fld, resource, ("cpu", "memory"))
        yield from _required_and_supported(fld, policy, ("NotRequired", "RestartContainer"))
        if never and policy != "NotRequired":
            yield fld.invalid("must be 'NotRequired' when pod `restartPolicy` is 'Never'", policy)


def _required_and_supported(fld: v.FieldContext, value: str, allowed: tuple[str, ...]) -> v.FieldErrors:
    """Yield the error for a missing or unsupported value."""
    if not value:
        return (fld.required(),)
    return () if value in allowed else (fld.with_value(value).not_supported(allowed),)


_CLEAN_IMAGE: Final = v.must(
    lambda fld: fld.text() == fld.text().strip(), "must not have leading or trailing whitespace"
)
"""Require an image without surrounding blanks in a pod; in a template they are allowed."""
CLEAN_IMAGES: Final[v.Table] = {
    "containers[*].image": [_CLEAN_IMAGE],
    "initContainers[*].image": [_CLEAN_IMAGE],
    "ephemeralContainers[*].image": [_CLEAN_IMAGE],
}

_ANY_CONTAINER: Final[v.Table] = {
    "image": [v.required()],
    "terminationMessagePolicy": [v.required_and_one_of("File", "FallbackToLogsOnError")],
    "ports": [_port_names],
    "ports[*].containerPort": [required_port],
    "ports[*].hostPort": [v.when(lambda fld: fld.value != 0, v.between(1, 65535))],
    "ports[*].protocol": [v.required_and_one_of("SCTP", "TCP", "UDP")],
    "env": ENV,
    "envFrom": ENV_FROM,
    "imagePullPolicy": [v.required_and_one_of(*PULL_POLICIES)],
    "resources": CONTAINER_RESOURCES,
    "resizePolicy": [_resize_policies],
    "securityContext": CONTAINER_SECURITY,
}


def _restart_rules(fld: v.FieldContext) -> v.FieldErrors:
    """Check the restart rules of a container; ``fld`` is the container."""
    policy, rules = fld.child("restartPolicy"), fld.child("restartPolicyRules")
    if not policy.there and not rules.empty:
        yield policy.required("must specify restartPolicy when restart rules are used")
    if policy.there and policy.value not in _RESTART_POLICIES:
        yield policy.not_supported(_RESTART_POLICIES)
    for rule in rules.items():
        if not rule.sets("exitCodes"):
            yield rule.child("exitCodes").required("must be specified")


_NAME: Final = (v.required(), v.well_formed(v.dns_label))
_RULES: Final[v.Table] = {
    "restartPolicyRules": [v.no_more_than(20)],
    "restartPolicyRules[*].action": [
        v.until(_RESTART_ALL_SINCE - 1, v.required_one_of("Restart")),
        v.since(_RESTART_ALL_SINCE, v.required_one_of("Restart", "RestartAllContainers")),
    ],
    "restartPolicyRules[*].exitCodes.operator": [v.required_one_of("In", "NotIn")],
    "restartPolicyRules[*].exitCodes.values": [v.no_more_than(255)],
}


def _restart_of_containers(fld: v.FieldContext) -> v.FieldErrors:
    if fld.occasion.minor >= _RULES_SINCE:
        return _restart_rules(fld)
    policy = fld.child("restartPolicy")
    return (policy.forbidden("may not be set for non-init containers"),) if policy.there else ()


def _restart_of_init_containers(fld: v.FieldContext) -> v.FieldErrors:
    policy, rules = fld.child("restartPolicy"), fld.child("restartPolicyRules")
    if fld.occasion.minor < _RULES_SINCE:
        return v.one_of("Always")(policy)
    if policy.value == "Always" and fld.occasion.minor < _RESTART_ALL_SINCE:
        words = "restartPolicyRules are not allowed for init containers with restart policy Always"
        return () if rules.empty else (rules.forbidden(words),)
    return _restart_rules(fld)


def _is_sidecar(fld: v.FieldContext) -> bool:
    """Return whether an init container is a sidecar, which runs as long as the pod."""
    return fld.text("restartPolicy") == "Always"


def _resize_of_init_containers(fld: v.FieldContext) -> v.FieldErrors:
    policies = fld.child("resizePolicy")
    if policies.empty:
        return
    if fld.occasion.minor < _RESIZE_OF_SIDECARS_SINCE:
        yield policies.invalid("must not be set for init containers")
    checked = fld.occasion.minor >= _RESIZE_CHECKED_SINCE and not _restarted_already(fld)
    for policy in policies.items() if checked and not _is_sidecar(fld) else ():
        if policy.text("restartPolicy") == "RestartContainer":
            words = "must not be set to 'RestartContainer' for non-sidecar initContainers"
            yield policy.child("restartPolicy").invalid(words)


def _restarted_already(fld: v.FieldContext) -> bool:
    old = fld.nearest(".spec").before().child("initContainers").items()
    policies = chain.from_iterable(each.child("resizePolicy").items() for each in old if not _is_sidecar(each))
    return any(policy.text("restartPolicy") == "RestartContainer" for policy in policies)


_NOT_FOR_EPHEMERAL: Final = ("ports", "resources", "resizePolicy", *NO_PROBES)
_EPHEMERAL_WORDS: Final = "cannot be set for an Ephemeral Container"


def _only_for_debugging(fld: v.FieldContext) -> v.FieldErrors:
    """Forbid fields in ephemeral containers that only running services need."""
    for name in (*_NOT_FOR_EPHEMERAL, "restartPolicy", "restartPolicyRules"):
        if fld.has(name):
            yield fld.child(name).forbidden(_EPHEMERAL_WORDS)
    for mount in fld.child("volumeMounts").items():
        for name in ("subPath", "subPathExpr"):
            if mount.text(name):
                yield mount.child(name).forbidden(_EPHEMERAL_WORDS)


def _container_names(fld: v.FieldContext, kind: str) -> list[str]:
    return [container.text("name") for container in fld.child(kind).items()]


def _distinct_names(fld: v.FieldContext) -> v.FieldErrors:
    """Require distinct names of all containers of a pod; ``fld`` is the pod's spec."""
    seen: set[str] = set()
    for kind in ("containers", "initContainers", "ephemeralContainers"):
        for container in fld.child(kind).items():
            name = container.text("name")
            if name in seen:
                yield container.child("name").duplicate()
            if name or kind != "initContainers":
                seen.add(name)
    names = _container_names(fld, "containers") + _container_names(fld, "initContainers")
    for container in fld.child("ephemeralContainers").items():
        target = container.text("targetContainerName")
        if target and target not in names:
            yield container.child("targetContainerName").not_found()


def _distinct_host_ports(fld: v.FieldContext) -> v.FieldErrors:
    """Require distinct host ports of all containers; init containers are checked one by one."""
    yield from _host_ports(fld.child("containers").items())
    for container in fld.child("initContainers").items():
        first = container.with_step("[0]")  # The server counts each of them from 0.
        yield from _host_ports([first])


def _host_ports(containers: Iterable[v.FieldContext]) -> v.FieldErrors:
    seen: set[str] = set()
    for port in chain.from_iterable(container.child("ports").items() for container in containers):
        key = f"{port.text('protocol')}/{port.text('hostIP')}/{port.number('hostPort')}"
        if port.number("hostPort") and key in seen:
            yield port.child("hostPort").duplicate(key)
        seen.add(key)


def visit_containers(fld: v.FieldContext) -> Iterator[v.FieldContext]:
    """Yield all containers of a pod's spec, in the order in which the server visits them."""
    for kind in ("initContainers", "containers", "ephemeralContainers"):
        yield from fld.child(kind).items()


def any_container(fld: v.FieldContext, has: Callable[[v.FieldContext], bool]) -> bool:
    """Return whether any container of a pod's spec satisfies the condition."""
    return any(map(has, visit_containers(fld)))


CONTAINERS: Final[v.Table] = {
    "": [_distinct_names, _distinct_host_ports],
    "containers": [v.required()],
    "containers[*]": [_ANY_CONTAINER, PROBES, _RULES, _restart_of_containers, {"name": [*_NAME]}],
    "initContainers[*]": [
        _ANY_CONTAINER,
        _RULES,
        _restart_of_init_containers,
        _resize_of_init_containers,
        v.when(_is_sidecar, v.inside(PROBES)),
        v.when(lambda fld: not _is_sidecar(fld), v.inside(NO_PROBES)),
    ],
    "initContainers[*].name": [*_NAME],
    "ephemeralContainers[*]": [_ANY_CONTAINER, _only_for_debugging, {"name": [*_NAME]}],
}
"""The constraints of the containers of a pod's spec."""
