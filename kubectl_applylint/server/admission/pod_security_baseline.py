"""The checks of the level ``baseline``: one function for each; mirrors k8s.io/pod-security-admission.

Each gets a pod and the minor of the policy, and returns the server's message about the violation, or an empty text.
"""

from collections.abc import Iterator
from typing import Final

from kubectl_applylint.core.values import MISSING, Json, JsonObject, dig, items, mapping
from kubectl_applylint.server.admission.pod_security_pod import (
    Pod,
    context,
    names,
    noun_with_names,
    quote_names,
    setting,
    several,
)

_APP_ARMOR: Final = "container.apparmor.security.beta.kubernetes.io/"
_CAPABILITIES: Final = frozenset(
    (
        *("AUDIT_WRITE", "CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "MKNOD", "NET_BIND_SERVICE"),
        *("SETFCAP", "SETGID", "SETPCAP", "SETUID", "SYS_CHROOT"),
    )
)
_SE_LINUX_TYPES: Final = ("", "container_t", "container_init_t", "container_kvm_t")
_ENGINE_TYPE: Final = ("container_engine_t", 31)
_SYSCTLS: Final = {
    "kernel.shm_rmid_forced": 0,
    "net.ipv4.ip_local_port_range": 0,
    "net.ipv4.tcp_syncookies": 0,
    "net.ipv4.ping_group_range": 0,
    "net.ipv4.ip_unprivileged_port_start": 0,
    "net.ipv4.ip_local_reserved_ports": 27,
    "net.ipv4.tcp_keepalive_time": 29,
    "net.ipv4.tcp_fin_timeout": 29,
    "net.ipv4.tcp_keepalive_intvl": 29,
    "net.ipv4.tcp_keepalive_probes": 29,
    "net.ipv4.tcp_rmem": 32,
    "net.ipv4.tcp_wmem": 32,
}
"""The safe sysctls, and the minor since which they are safe."""
_OWN_USERS_SINCE: Final = 35
PROFILES: Final = ("RuntimeDefault", "Localhost")
"""The allowed types of seccomp and AppArmor profiles."""


def app_armor(pod: Pod, minor: int) -> str:
    """Reject AppArmor profiles that do not confine a container."""
    values = {_profile(holder, "appArmorProfile") for holder in (pod.spec, *pod.containers)} - {"", *PROFILES}
    setters = pod.setters(lambda found: _type(found, "appArmorProfile") not in ("", *PROFILES))
    annotations = sorted(
        f'{key}="{value}"'
        for key, value in pod.annotations.items()
        if key.startswith(_APP_ARMOR) and not _is_confining(str(value))
    )
    if annotations:
        setters.append(several("annotation", len(annotations)))
    shown = [*sorted(values), *annotations]
    if not setters:
        return ""
    detail = f"{' and '.join(setters)} must not set AppArmor profile type to {quote_names(shown)}"
    return f"{several('forbidden AppArmor profile', len(shown))} ({detail})"


def _profile(holder: JsonObject, field: str) -> str:
    return _type(context(holder), field)


def _type(found: JsonObject, field: str) -> str:
    return str(mapping(found.get(field)).get("type", ""))


def _is_confining(annotation: str) -> bool:
    return annotation in ("", "runtime/default") or annotation.startswith("localhost/")


def added_capabilities(container: JsonObject) -> list[str]:
    """Return the capabilities that a container adds."""
    found = dig(context(container), "capabilities", "add")
    return items(found)


def capabilities(pod: Pod, minor: int) -> str:
    """Reject added capabilities other than the default ones."""
    bad = names(pod.containers, lambda container: bool({*added_capabilities(container)} - _CAPABILITIES))
    shown = sorted({each for container in pod.containers for each in added_capabilities(container)} - _CAPABILITIES)
    words = f"must not include {quote_names(shown)} in securityContext.capabilities.add"
    return f"non-default capabilities ({noun_with_names('container', bad)} {words})" if bad else ""


def host_namespaces(pod: Pod, minor: int) -> str:
    """Reject pods that share namespaces of the node."""
    found = [f"{name}=true" for name in ("hostNetwork", "hostPID", "hostIPC") if pod.spec.get(name) is True]
    return f"host namespaces ({', '.join(found)})" if found else ""


def host_paths(pod: Pod, minor: int) -> str:
    """Reject hostPath volumes."""
    found = [str(volume.get("name")) for volume in pod.spec.get("volumes") or [] if volume.get("hostPath") is not None]
    return f"hostPath volumes ({noun_with_names('volume', found)})" if found else ""


def host_ports(pod: Pod, minor: int) -> str:
    """Reject ports of the node."""
    ports = sorted({str(port) for container in pod.containers for port in _host_ports(container)})
    bad = names(pod.containers, lambda container: bool(_host_ports(container)))
    verb = "uses" if len(bad) == 1 else "use"
    shown = f"{several('hostPort', len(ports))} {', '.join(ports)}"
    return f"hostPort ({noun_with_names('container', bad)} {verb} {shown})" if bad else ""


def _host_ports(container: JsonObject) -> list[Json]:
    return [port["hostPort"] for port in container.get("ports") or [] if port.get("hostPort")]


def probe_hosts(pod: Pod, minor: int) -> str:
    """Reject probes and lifecycle hooks that connect to another host."""
    hosts = sorted({host for container in pod.containers for host in _hosts(container)})
    bad = sorted(set(names(pod.containers, lambda container: any(_hosts(container)))))
    verb = "uses" if len(bad) == 1 else "use"
    shown = f"{several('probe or lifecycle host', len(hosts))} {quote_names(hosts)}"
    return f"probe or lifecycle host ({noun_with_names('container', bad)} {verb} {shown})" if bad else ""


def _hosts(container: JsonObject) -> Iterator[str]:
    probes = [container.get(name) for name in ("livenessProbe", "readinessProbe", "startupProbe")]
    hooks = [dig(container, "lifecycle", name) for name in ("postStart", "preStop")]
    for handler in (*probes, *hooks):
        for kind in ("httpGet", "tcpSocket"):
            host = dig(handler, kind, "host")
            if isinstance(host, str) and host:
                yield host


def privileged_containers(pod: Pod, minor: int) -> str:
    """Reject privileged containers."""
    bad = names(pod.containers, lambda container: setting(container, "privileged") is True)
    return (
        f"privileged ({noun_with_names('container', bad)} must not set securityContext.privileged=true)" if bad else ""
    )


def proc_mount(pod: Pod, minor: int) -> str:
    """Reject an unmasked ``/proc``, unless the pod has its own user namespace."""
    return "" if minor >= _OWN_USERS_SINCE and pod.has_own_users else masked_proc_mount(pod, minor)


def masked_proc_mount(pod: Pod, minor: int) -> str:
    """Reject an unmasked ``/proc``."""
    values = {setting(container, "procMount") for container in pod.containers} - {MISSING, "Default"}
    bad = names(pod.containers, lambda container: setting(container, "procMount") in values)
    words = f"must not set securityContext.procMount to {quote_names(sorted(map(str, values)))}"
    return f"procMount ({noun_with_names('container', bad)} {words})" if bad else ""


def se_linux(pod: Pod, minor: int) -> str:
    """Reject SELinux options that weaken the default separation of containers."""
    engine, since = _ENGINE_TYPE
    allowed = (*_SE_LINUX_TYPES, *((engine,) if minor >= since else ()))
    options = [mapping(context(holder).get("seLinuxOptions")) for holder in (pod.spec, *pod.containers)]
    types = sorted({str(each.get("type", "")) for each in options} - {*allowed})
    setters = pod.setters(lambda found: _is_custom(mapping(found.get("seLinuxOptions")), allowed))
    faults = [f"{several('type', len(types))} {quote_names(types)}"] if types else []
    faults += [f"{name} may not be set" for name in ("user", "role") if any(each.get(name) for each in options)]
    words = f"{' and '.join(setters)} set forbidden securityContext.seLinuxOptions: {'; '.join(faults)}"
    return f"seLinuxOptions ({words})" if setters else ""


def _is_custom(options: JsonObject, allowed: tuple[str, ...]) -> bool:
    return options.get("type", "") not in allowed or bool(options.get("user")) or bool(options.get("role"))


def seccomp(pod: Pod, minor: int) -> str:
    """Reject seccomp profiles that do not confine a container."""
    setters = pod.setters(lambda found: _type(found, "seccompProfile") not in ("", *PROFILES))
    values = {_profile(holder, "seccompProfile") for holder in (pod.spec, *pod.containers)} - {"", *PROFILES}
    words = f"must not set securityContext.seccompProfile.type to {quote_names(sorted(values))}"
    return f"seccompProfile ({' and '.join(setters)} {words})" if setters else ""


def sysctls(pod: Pod, minor: int) -> str:
    """Reject unsafe sysctls."""
    given = setting(pod.spec, "sysctls")
    wanted = [str(each.get("name")) for each in items(given)]
    bad = [name for name in wanted if _SYSCTLS.get(name, minor + 1) > minor]
    return f"forbidden sysctls ({', '.join(bad)})" if bad else ""


def host_process(pod: Pod, minor: int) -> str:
    """Reject HostProcess containers of Windows."""
    setters = pod.setters(lambda found: dig(found, "windowsOptions", "hostProcess") is True)
    words = "must not set securityContext.windowsOptions.hostProcess=true"
    return f"hostProcess ({' and '.join(setters)} {words})" if setters else ""
