"""What depends on the node: its operating system, its network and its users, and the host names of the pod.

Mirrors ``validateOS``, ``validateWindowsHostProcessPod``, ``validateHostUsers``, ``validatePodHostName`` and others.
"""

from typing import Final

from kubectl_applylint.server.validate import dsl as v
from kubectl_applylint.server.validate.pods.containers import any_container, visit_containers

_ON_WINDOWS: Final = "cannot be set for a windows pod"
_POD_FIELDS: Final = ("hostUsers", "shareProcessNamespace")
_POD_FLAGS: Final = ("hostPID", "hostIPC")
_POD_CONTEXT: Final = (
    *("appArmorProfile", "seLinuxOptions", "seccompProfile", "fsGroup", "fsGroupChangePolicy", "sysctls", "runAsUser"),
    *("runAsGroup", "supplementalGroups", "supplementalGroupsPolicy", "seLinuxChangePolicy"),
)
_CONTAINER_CONTEXT: Final = (
    *("appArmorProfile", "seLinuxOptions", "seccompProfile", "capabilities", "readOnlyRootFilesystem", "privileged"),
    *("allowPrivilegeEscalation", "procMount", "runAsUser", "runAsGroup"),
)
_LONGEST_HOST_NAME: Final = 64


def _fits_operating_system(fld: v.FieldContext) -> v.FieldErrors:
    """Forbid fields that the pod's operating system does not support; ``fld`` is the pod's spec."""
    system = fld.child("os")
    if not system.there:
        return
    name = system.text("name")
    if not name:
        yield system.child("name").required()
    elif name == "windows":
        yield from _fits_windows(fld)
    elif name == "linux":
        yield from _fits_linux(fld)
    else:
        yield system.with_value(name).not_supported(("linux", "windows"))


def _fits_linux(fld: v.FieldContext) -> v.FieldErrors:
    for place in (fld, *visit_containers(fld)):
        if place.sets("securityContext", "windowsOptions"):
            options = place.at("securityContext", "windowsOptions")
            yield options.forbidden("windows options cannot be set for a linux pod")


def _fits_windows(fld: v.FieldContext) -> v.FieldErrors:
    fields = [fld.child(name) for name in _POD_FIELDS if fld.sets(name)]
    flags = [fld.child(name) for name in _POD_FLAGS if fld.flag(name)]
    context = fld.child("securityContext")
    fields += flags + [context.child(name) for name in _POD_CONTEXT if context.sets(name)]
    for container in visit_containers(fld):
        context = container.child("securityContext")
        fields += [context.child(name) for name in _CONTAINER_CONTEXT if context.sets(name)]
    yield from (place.forbidden(_ON_WINDOWS) for place in fields)


def _is_host_process(container: v.FieldContext) -> bool:
    own = container.get("securityContext", "windowsOptions", "hostProcess")
    inherited = container.nearest(".spec").flag("securityContext", "windowsOptions", "hostProcess")
    return own is True or (own is not False and inherited)


def _host_processes(fld: v.FieldContext) -> v.FieldErrors:
    """Require that all containers of a Windows pod are host processes, or none; ``fld`` is the pod's spec."""
    if not any(place.sets("securityContext", "windowsOptions") for place in (fld, *visit_containers(fld))):
        return
    wanted = fld.get("securityContext", "windowsOptions", "hostProcess")
    for container in visit_containers(fld) if isinstance(wanted, bool) else ():
        own = container.at("securityContext", "windowsOptions", "hostProcess")
        if isinstance(own.value, bool) and own.value is not wanted:
            said = "true" if wanted else "false"
            yield own.invalid(f"pod hostProcess value must be identical if both are specified, was {said}")
    kinds = {_is_host_process(container) for container in visit_containers(fld)}
    if kinds == {True, False}:
        words = "If pod contains any hostProcess containers then all containers must be HostProcess containers"
        yield fld.invalid(words, "")
    if True in kinds and not fld.flag("hostNetwork"):
        yield fld.child("hostNetwork").invalid(
            "hostNetwork must be true if pod contains any hostProcess containers", False
        )


def _host_ports(fld: v.FieldContext) -> v.FieldErrors:
    """Require host ports that equal the container ports on the host network; ``fld`` is the pod's spec."""
    if not fld.flag("hostNetwork"):
        return
    for container in fld.child("containers").items():
        for port in container.child("ports").items():
            host_port = port.number("hostPort")
            # In a template a missing port is filled in when the pod is created.
            if (host_port or is_pod(fld)) and host_port != port.number("containerPort"):
                words = "must match `containerPort` when `hostNetwork` is true"
                yield port.child("hostPort").invalid(words, host_port)


def is_pod(fld: v.FieldContext) -> bool:
    """Return whether a pod's spec is that of a pod, not of a template."""
    return fld.up is not None and fld.up.up is None and fld.root.text("kind") == "Pod"


def _own_users(fld: v.FieldContext) -> v.FieldErrors:
    """Forbid host namespaces in a pod with its own user namespace; ``fld`` is the pod's spec."""
    if fld.get("hostUsers") is not False:
        return
    words = "when `hostUsers` is false"
    old = fld.before()
    if fld.flag("hostNetwork") and not (old.flag("hostNetwork") and old.get("hostUsers") is False):
        yield fld.child("hostNetwork").forbidden(words)
    for name in ("hostPID", "hostIPC"):
        if fld.flag(name):
            yield fld.child(name).with_step(f".H{name[1:]}").forbidden(words)
    tolerated = old.get("hostUsers") is False and any_container(old, lambda container: container.has("volumeDevices"))
    for container in visit_containers(fld) if not tolerated else ():
        if container.has("volumeDevices"):
            yield container.child("volumeDevices").forbidden(words)


def _host_name(fld: v.FieldContext) -> v.FieldErrors:
    """Require a host name override that is well formed and excludes other names; ``fld`` is the pod's spec."""
    name = fld.child("hostnameOverride")
    if not name.there:
        return
    if fld.flag("setHostnameAsFQDN"):
        yield name.forbidden("may not be specified when setHostnameAsFQDN is true")
    if fld.flag("hostNetwork"):
        yield name.forbidden("may not be specified when hostNetwork is true")
    if len(name.text().encode()) > _LONGEST_HOST_NAME:
        yield name.too_long(_LONGEST_HOST_NAME)
    yield from (name.invalid(fault) for fault in v.dns_subdomain(name.text()))


def not_on_windows(fld: v.FieldContext) -> v.FieldErrors:
    """Forbid the field of a pod's spec on Windows."""
    windows = fld.nearest(".spec").text("os", "name") == "windows"
    return (fld.forbidden("may not be set for a windows pod"),) if windows else ()


HOSTS: Final[v.Table] = {"": [_fits_operating_system, _host_processes, _host_ports, _own_users, _host_name]}
"""The constraints of a pod's spec that depend on its node."""
