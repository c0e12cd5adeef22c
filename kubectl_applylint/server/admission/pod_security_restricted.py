"""The additional checks of the level ``restricted``; mirrors k8s.io/pod-security-admission.

Each function gets a pod and the minor of the policy, and returns the server's message about the violation, or an empty
text.
"""

from typing import Final

from kubectl_applylint.core.values import MISSING, JsonObject, dig
from kubectl_applylint.server.admission import pod_security_baseline as baseline
from kubectl_applylint.server.admission.pod_security_pod import (
    Pod,
    context,
    names,
    noun_with_names,
    quote_names,
    setting,
    several,
)

_WINDOWS_EXEMPT_SINCE: Final = 25
_OWN_USERS_SINCE: Final = 35
_VOLUMES: Final = (
    *("configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "image", "persistentVolumeClaim", "projected"),
    "secret",
)


def _is_exempt(pod: Pod, minor: int) -> bool:
    """Return whether the pod runs on an operating system without this feature."""
    return minor >= _WINDOWS_EXEMPT_SINCE and pod.is_for_windows


def escalation(pod: Pod, minor: int) -> str:
    """Require ``allowPrivilegeEscalation: false``."""
    if _is_exempt(pod, minor):
        return ""
    bad = names(pod.containers, lambda container: setting(container, "allowPrivilegeEscalation") is not False)
    words = "must set securityContext.allowPrivilegeEscalation=false"
    return f"allowPrivilegeEscalation != false ({noun_with_names('container', bad)} {words})" if bad else ""


def capabilities(pod: Pod, minor: int) -> str:
    """Require that all capabilities are dropped, and allow only ``NET_BIND_SERVICE`` to be added."""
    if _is_exempt(pod, minor):
        return ""
    keeping = names(pod.containers, lambda container: not _drops_all(container))
    adding = names(
        pod.containers, lambda container: bool({*baseline.added_capabilities(container)} - {"NET_BIND_SERVICE"})
    )
    shown = sorted(
        {each for container in pod.containers for each in baseline.added_capabilities(container)} - {"NET_BIND_SERVICE"}
    )
    faults = []
    if keeping:
        faults.append(f'{noun_with_names("container", keeping)} must set securityContext.capabilities.drop=["ALL"]')
    if adding:
        words = f"must not include {quote_names(shown)} in securityContext.capabilities.add"
        faults.append(f"{noun_with_names('container', adding)} {words}")
    return f"unrestricted capabilities ({'; '.join(faults)})" if faults else ""


def _drops_all(container: JsonObject) -> bool:
    dropped = dig(context(container), "capabilities", "drop")
    return isinstance(dropped, list) and "ALL" in dropped


def volumes(pod: Pod, minor: int) -> str:
    """Reject volume types other than those of the cluster."""
    bad = {
        str(volume.get("name")): _volume_type(volume)
        for volume in pod.spec.get("volumes") or []
        if not _is_allowed_volume(volume)
    }
    verb, sorts = "uses" if len(bad) == 1 else "use", sorted({*bad.values()})
    words = f"{verb} {several('restricted volume type', len(sorts))} {quote_names(sorts)}"
    return f"restricted volume types ({noun_with_names('volume', [*bad])} {words})" if bad else ""


def _is_allowed_volume(volume: JsonObject) -> bool:
    return any(volume.get(name) is not None for name in _VOLUMES)


def _volume_type(volume: JsonObject) -> str:
    return next((name for name, source in volume.items() if name != "name" and source is not None), "unknown")


def non_root(pod: Pod, minor: int) -> str:
    """Require ``runAsNonRoot``, unless the pod has its own user namespace."""
    if minor >= _OWN_USERS_SINCE and pod.has_own_users:
        return ""
    setters = pod.setters(lambda found: found.get("runAsNonRoot") is False)
    if setters:
        return f"runAsNonRoot != true ({' and '.join(setters)} must not set securityContext.runAsNonRoot=false)"
    if setting(pod.spec, "runAsNonRoot") is True:
        return ""
    bad = names(pod.containers, lambda container: setting(container, "runAsNonRoot") is MISSING)
    words = "must set securityContext.runAsNonRoot=true"
    return f"runAsNonRoot != true (pod or {noun_with_names('container', bad)} {words})" if bad else ""


def root_user(pod: Pod, minor: int) -> str:
    """Reject containers that run as root, unless the pod has its own user namespace."""
    if minor >= _OWN_USERS_SINCE and pod.has_own_users:
        return ""
    setters = pod.setters(lambda found: found.get("runAsUser") == 0)
    return f"runAsUser=0 ({' and '.join(setters)} must not set runAsUser=0)" if setters else ""


def seccomp(pod: Pod, minor: int) -> str:
    """Require a seccomp profile for every container."""
    if _is_exempt(pod, minor):
        return ""
    found = baseline.seccomp(pod, minor)
    if found or setting(pod.spec, "seccompProfile") is not MISSING:
        return found
    bad = names(pod.containers, lambda container: setting(container, "seccompProfile") is MISSING)
    words = 'must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"'
    return f"seccompProfile (pod or {noun_with_names('container', bad)} {words})" if bad else ""
